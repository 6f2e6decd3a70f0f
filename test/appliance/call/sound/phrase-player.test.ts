import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Played } from '#appliance/call/sound/index.ts';
import { hearFile } from '#appliance/media/dtmf/index.ts';
import { fail, ok } from '#shared/result.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { must } from '#test/support/media.ts';
import { type SoundStage, said, soundStage, unsteadiness } from './stage.ts';

let folder: string;
let threads: SoundStage['threads'];
let appliance: SoundStage['appliance'];
let sound: SoundStage['sound'];
let stage: SoundStage;

beforeEach(async () => {
  stage = await soundStage();
  ({ folder, threads, appliance, sound } = stage);
});
afterEach(() => stage.close());

const caller: SoundStage['caller'] = (leg, port) => stage.caller(leg, port);
const played: SoundStage['played'] = (leg, request) => stage.played(leg, request);
const prompt: SoundStage['prompt'] = (name, bytes) => stage.prompt(name, bytes);

describe('phrases', () => {
  it('are played one after another: a tone, digits, a file, a text', async () => {
    prompt('hello.wav', wavOf(sine(1_850, 0.5, 16_000), 16_000));
    const phone = await caller('a', 4_000);
    const { results, faults, sources } = await played('a', {
      phrases: [
        { format: 'tone', frequency: 1_400, duration: 300 },
        { format: 'silence', duration: 100 },
        { format: 'file', fileName: 'hello.wav', repeat: 2, repeatPause: 0.2 },
        { format: 'cloudtts', cloudTTSParameters: { Text: 'Good morning.', LanguageCode: 'en' } },
        { format: 'tone', frequency: 2_300, duration: 300 },
      ],
    });
    expect(results).toEqual(['completed', 'completed', 'completed', 'completed', 'completed']);
    expect(faults).toEqual([]);
    expect(sources).toEqual([
      { phrase: 2, cacheHit: false },
      expect.objectContaining({ phrase: 3, cacheHit: false, engine: 'embedded' }),
    ]);
    const tones = said(phone.received).filter((each) => each === 1_400 || each === 1_850 || each === 2_300);
    expect(tones).toEqual([1_400, 1_850, 1_850, 2_300]);
  });

  it('that cannot be played are errors with their reason; the others and other legs go on', async () => {
    prompt('broken.wav', Buffer.from('RIFF'));
    const phone = await caller('a', 4_000);
    const other = await caller('b', 4_010);
    sound.play('b', {
      phrases: [{ format: 'tone', frequency: 1_850, duration: 60_000 }],
      onPlayed: () => undefined,
    });
    const { results, faults } = await played('a', {
      phrases: [
        { format: 'file', fileName: 'broken.wav' },
        { format: 'tone', frequency: 1_400, duration: 200 },
      ],
    });
    expect(results).toEqual(['error', 'completed']);
    expect(faults).toEqual([
      { phrase: 0, alarm: 'phraseError', reason: expect.stringContaining('4 bytes that are no sound') },
    ]);
    expect(said(phone.received)).toEqual([1_400]);
    expect(said(other.received)).toEqual([1_850]);
  });

  it('fail each by itself for an endless page, one without sound, and one of three hours, and the leg goes on', async () => {
    const answering: (() => void)[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200, { 'content-type': 'audio/wav' });
      if (request.url === '/text') {
        response.end('not a sound at all');
        return;
      }
      const beat = setInterval(() => response.write(Buffer.alloc(1_000)), 20);
      answering.push(() => clearInterval(beat));
      response.on('close', () => clearInterval(beat));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    prompt('hours.wav', wavOf(new Int16Array(3 * 3_600 * 2_000), 2_000));
    const [phone, other] = [await caller('a', 4_000), await caller('b', 4_010)];
    const beside = { format: 'tone', frequency: 1_850, duration: 600_000 } as const;
    sound.play('b', { phrases: [beside], onPlayed: () => undefined });
    const { results, faults } = await played('a', {
      phrases: [
        { format: 'url', url: `${url}/endless?secret=1` },
        { format: 'url', url: `${url}/silent` },
        { format: 'url', url: `${url}/text` },
        { format: 'url', url: 'http://192.0.2.1/private.wav' },
        { format: 'file', fileName: 'hours.wav' },
        { format: 'tone', frequency: 1_400, duration: 200 },
      ],
    });
    expect(results).toEqual(['error', 'error', 'error', 'error', 'error', 'completed']);
    expect(faults.map(({ alarm }) => alarm)).toEqual([
      'phraseRemoteCacheTimeout',
      'phraseRemoteCacheTimeout',
      'phraseError',
      'phraseError',
      'phraseError',
    ]);
    expect(faults[4]?.reason).toMatch(/longer than 120 minutes/);
    expect(JSON.stringify(faults)).not.toContain('secret');
    expect(said(phone.received)).toEqual([1_400]);
    expect(unsteadiness(other.received, 1_850)).toBeLessThan(0.1);
    for (const stop of answering) stop();
    server.closeAllConnections();
    server.close();
  });

  it('that cannot be made leave those around them alone', async () => {
    const phone = await caller('a', 4_000);
    const { results, faults } = await played('a', {
      phrases: [
        { format: 'tone', frequency: 1_400, duration: 200 },
        { format: 'file', fileName: 'nowhere.wav' },
        { format: 'tone', frequency: 12_000, duration: 200 },
        { format: 'tone', frequency: 1_850, duration: 200 },
      ],
    });
    expect(results).toEqual(['completed', 'error', 'error', 'completed']);
    expect(faults).toEqual([
      { phrase: 1, alarm: 'phraseError', reason: 'There is no prompt file nowhere.wav; upload it first.' },
      { phrase: 2, alarm: 'phraseError', reason: expect.stringContaining('12000 Hz') },
    ]);
    expect(said(phone.received)).toEqual([1_400, 1_850]);
    expect(sound.hasFile('nowhere.wav')).toBe(false);
  });

  it('play a recording that has just ended; of one that still runs they say so', async () => {
    const [phone, speaker] = [await caller('a', 4_000), await caller('b', 4_010)];
    const report = { sessionId: 's', connectionId: 'c', traceId: 't' };
    const recording = must(sound.record({ fileName: 'note.wav', channels: [['b']], report }));
    speaker.say(sine(1_400, 0.6, 8_000));
    await stage.pass(700);
    const phrases = [{ format: 'file', fileName: 'note.wav' } as const];
    expect((await played('a', { phrases })).faults).toMatchObject([
      { reason: expect.stringContaining('it is still recorded') },
    ]);
    recording.stop();
    expect(await played('a', { phrases })).toMatchObject({ results: ['completed'], faults: [] });
    expect(said(phone.received)).toContain(1_400);
  });

  it('whose file is missing are asked for at the control plane, once the configuration is too old for it', async () => {
    const phone = await caller('a', 4_000);
    prompt('hello.wav', wavOf(sine(1_400, 0.4, 8_000), 8_000));
    prompt('newer', wavOf(sine(1_850, 0.4, 8_000), 8_000));
    const asked: string[] = [];
    threads.controlPlane.fetching = async (fileName) => {
      asked.push(fileName);
      return fileName === 'gone.wav'
        ? fail('NotFound', 'There is no prompt file gone.wav; upload it first.')
        : ok(join(folder, 'newer'));
    };
    threads.controlPlane.revision = 6;
    const { results } = await played('a', {
      phrases: [
        { format: 'file', fileName: 'hello.wav', revision: 6 },
        { format: 'file', fileName: 'hello.wav', revision: 7 },
        { format: 'file', fileName: 'gone.wav' },
      ],
    });
    expect(results).toEqual(['completed', 'completed', 'error']);
    expect(asked).toEqual(['hello.wav', 'gone.wav']);
    expect(said(phone.received)).toEqual([1_400, 1_850]);
  });

  it('play a recording of another host from a copy, which goes when it was read', async () => {
    const phone = await caller('a', 4_000);
    const path = join(folder, 'copy');
    writeFileSync(path, wavOf(sine(1_850, 0.4, 8_000), 8_000));
    threads.controlPlane.borrowing = async (fileName, from) =>
      fileName === 'near.wav' && from === 'peer'
        ? ok({ path, release: async () => rmSync(path) })
        : fail('NotFound', `There is no prompt file ${fileName}; upload it first.`);
    const phrases = [{ format: 'file', fileName: 'near.wav' } as const];
    expect(await played('a', { phrases })).toMatchObject({ results: ['completed'], faults: [] });
    expect(said(phone.received)).toEqual([1_850]);
    expect(existsSync(path)).toBe(false);
  });

  it('are interrupted by stop, and by the end of the media', async () => {
    await caller('a', 4_000);
    const ends: Played[] = [];
    const request = {
      phrases: [{ format: 'tone', frequency: 1_400, duration: 60_000 } as const],
      onPlayed: (result: Played) => ends.push(result),
    };
    const playback = sound.play('a', request);
    await appliance.after(200);
    playback.stop();
    await appliance.after(100);
    sound.play('a', request);
    await appliance.after(200);
    appliance.media.crash();
    await appliance.after(100);
    sound.play('a', request);
    await appliance.after(100);
    expect(ends.map(({ results }) => results)).toEqual([['interrupted'], ['interrupted'], ['interrupted']]);
  });

  it('are played above a background prompt, which is softer meanwhile and pauses for tones', async () => {
    prompt('music.wav', wavOf(sine(1_850, 0.4, 8_000), 8_000));
    prompt('speech.wav', wavOf(sine(700, 1, 8_000), 8_000));
    const phone = await caller('a', 4_000);
    for (const name of ['music.wav', 'speech.wav'])
      must(
        await threads.adapters.prompts.prepare(
          { kind: 'file', path: join(folder, name) },
          new AbortController().signal,
        ),
      );
    const background = { phrase: { format: 'file', fileName: 'music.wav' } as const, ducking: 20 };
    sound.background('a', background);
    await appliance.after(600);
    const alone = levelAt(phone.received.slice(-1_600), 1_850);
    expect(alone).toBeGreaterThan(-30);
    phone.forget();
    sound.play('a', { phrases: [{ format: 'file', fileName: 'speech.wav' }], onPlayed: () => undefined });
    await appliance.after(700);
    sound.background('a', background);
    const during = phone.received.slice(-1_600);
    expect(levelAt(during, 700)).toBeGreaterThan(-30);
    expect(Math.abs(alone - levelAt(during, 1_850) - 20)).toBeLessThan(2);
    await appliance.after(800);
    phone.forget();
    await played('a', { phrases: [{ format: 'tone', frequency: 1_400, duration: 1_000 }] });
    expect(levelAt(phone.received.slice(2_400, 4_000), 1_850)).toBeLessThan(-50);
    phone.forget();
    await appliance.after(600);
    expect(Math.abs(levelAt(phone.received.slice(-1_600), 1_850) - alone)).toBeLessThan(1);
    sound.background('a', null);
    await appliance.after(100);
    phone.forget();
    await appliance.after(1_000);
    expect(said(phone.received)).toEqual([]);
  });

  it('begin together when all are ready', async () => {
    prompt('slow.wav', wavOf(sine(1_850, 0.4, 48_000), 48_000));
    const phones = [await caller('a', 4_000), await caller('b', 4_010)];
    let over = 0;
    const onPlayed = () => over++;
    sound.playTogether([
      { leg: 'a', request: { phrases: [{ format: 'file', fileName: 'slow.wav' }], onPlayed } },
      { leg: 'b', request: { phrases: [{ format: 'tone', frequency: 1_400, duration: 400 }], onPlayed } },
    ]);
    await until(() => threads.adapters.prompts.cachedBytes > 0);
    while (over < 2) await appliance.after(100);
    const starts = phones.map(
      ({ received }) => must(hearFile(wavOf(received, 8_000), 'alarm'))[0]?.startMs ?? -1,
    );
    expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? 0))).toBeLessThanOrEqual(45);
  });
});
