import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import { readWav } from '#appliance/media/recording/index.ts';
import type { EndedRecording, Played, Sound, SoundRim } from '#appliance/runtime/sound/index.ts';
import { fail, ok } from '#shared/result.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { type TestSound, testSound } from '#test/support/sound.ts';

let folder: string;
let threads: TestSound;
let appliance: Awaited<ReturnType<typeof testAppliance>>;
let sound: Sound;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-sound-'));
  threads = testSound({
    folder,
    allowPrivate: ['127.0.0.0/8'],
    prompts: {
      allowPrivate: ['127.0.0.0/8'],
      voices: { espeak: null },
      patience: { firstByteMs: 200, wholeMs: 400 },
    },
  });
  appliance = await testAppliance({ folder, sound: threads.rim });
  appliance.answerBy(() => answered({}));
  appliance.bridge();
  if (appliance.runtime.sound === undefined) throw new Error('no sound');
  sound = appliance.runtime.sound;
});
afterEach(async () => {
  await appliance.close(true);
  await threads.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A telephone on an open leg. */
async function caller(leg: string, port: number) {
  const { media } = appliance;
  const phone = media.phone({ host: '192.0.2.20', port });
  const opened = must(await media.media.openLeg({ leg, profile: 'ordinary', family: 4 }));
  must(await media.media.updateLeg(leg, phone.stream()));
  phone.talkTo(opened.port);
  return phone;
}

/** Audio runs along, no faster than the recorder reads. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 400) {
    await appliance.after(Math.min(left, 400));
    await threads.caughtUp();
  }
}

/** Plays and lets time run until it is over. */
async function played(leg: string, wish: Omit<Parameters<Sound['play']>[1], 'onPlayed'>): Promise<Played> {
  let over: Played | undefined;
  must(sound.play(leg, { ...wish, onPlayed: (result) => (over = result) }));
  const deadline = Date.now() + 10_000;
  while (over === undefined) {
    if (Date.now() > deadline) throw new Error('it never ended');
    await appliance.after(100);
  }
  return over;
}

const prompt = (name: string, bytes: Uint8Array): void => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  threads.files.set(name, path);
};
const said = (samples: Int16Array, from = 0, to?: number) => {
  const heard = must(hearFile(wavOf(samples.subarray(from, to), 8_000), 'alarm'));
  return heard.map((each) => ('digit' in each ? each.digit : Math.round(each.frequency / 50) * 50));
};

describe('phrases', () => {
  it('are heard one after another: a tone, digits, a file, a text', async () => {
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
    const tones = said(phone.heard).filter((each) => each === 1_400 || each === 1_850 || each === 2_300);
    expect(tones).toEqual([1_400, 1_850, 1_850, 2_300]);
  });

  it('that cannot be heard are errors with their reason; the others and other legs go on', async () => {
    prompt('broken.wav', Buffer.from('RIFF'));
    const phone = await caller('a', 4_000);
    const other = await caller('b', 4_010);
    must(
      sound.play('b', {
        phrases: [{ format: 'tone', frequency: 1_850, duration: 60_000 }],
        onPlayed: () => undefined,
      }),
    );
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
    expect(said(phone.heard)).toEqual([1_400]);
    expect(said(other.heard)).toEqual([1_850]);
  });

  it('of a page that never ends, that is no sound, and of three hours: each is its own error, and the leg goes on', async () => {
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
    const phone = await caller('a', 4_000);
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
    expect(said(phone.heard)).toEqual([1_400]);
    for (const stop of answering) stop();
    server.closeAllConnections();
    server.close();
  });

  it('nobody can make are refused with their place', () => {
    const wish = {
      phrases: [{ format: 'file', fileName: 'nowhere.wav' } as const],
      onPlayed: () => undefined,
    };
    expect(sound.play('a', wish)).toMatchObject({
      ok: false,
      error: { code: 'UnknownFile', path: '/phrases/0' },
    });
    expect(sound.hasFile('nowhere.wav')).toBe(false);
  });

  it('are interrupted by stop, and by the end of the media', async () => {
    await caller('a', 4_000);
    const ends: Played[] = [];
    const wish = {
      phrases: [{ format: 'tone', frequency: 1_400, duration: 60_000 } as const],
      onPlayed: (result: Played) => ends.push(result),
    };
    const playback = must(sound.play('a', wish));
    await appliance.after(200);
    playback.stop();
    await appliance.after(100);
    must(sound.play('a', wish));
    await appliance.after(200);
    appliance.media.crash();
    await appliance.after(100);
    must(sound.play('a', wish));
    await appliance.after(100);
    expect(ends.map(({ results }) => results)).toEqual([['interrupted'], ['interrupted'], ['interrupted']]);
  });

  it('leave a background prompt beneath them, which begins when they are over', async () => {
    prompt('music.wav', wavOf(sine(1_850, 0.4, 8_000), 8_000));
    const phone = await caller('a', 4_000);
    must(
      await threads.rim.prompts.prepare(
        { kind: 'file', path: join(folder, 'music.wav') },
        new AbortController().signal,
      ),
    );
    let over = false;
    must(
      sound.play('a', {
        phrases: [{ format: 'tone', frequency: 1_400, duration: 1_000 }],
        onPlayed: () => (over = true),
      }),
    );
    const background = { phrase: { format: 'file', fileName: 'music.wav' } as const, repeatPause: 0.2 };
    must(sound.background('a', background));
    await appliance.after(900);
    expect(said(phone.heard)).toEqual([1_400]);
    await appliance.after(1_500);
    expect(over).toBe(true);
    must(sound.background('a', background));
    expect(said(phone.heard).slice(0, 3)).toEqual([1_400, 1_850, 1_850]);
    must(sound.background('a', null));
    await appliance.after(100);
    phone.forget();
    await appliance.after(1_000);
    expect(said(phone.heard)).toEqual([]);
  });

  it('begin together when all are ready', async () => {
    prompt('slow.wav', wavOf(sine(1_850, 0.4, 48_000), 48_000));
    const phones = [await caller('a', 4_000), await caller('b', 4_010)];
    let over = 0;
    const onPlayed = () => over++;
    must(
      sound.playTogether([
        { leg: 'a', wish: { phrases: [{ format: 'file', fileName: 'slow.wav' }], onPlayed } },
        { leg: 'b', wish: { phrases: [{ format: 'tone', frequency: 1_400, duration: 400 }], onPlayed } },
      ]),
    );
    await until(() => threads.rim.prompts.cachedBytes > 0);
    while (over < 2) await appliance.after(100);
    const starts = phones.map(({ heard }) => must(hearFile(wavOf(heard, 8_000), 'alarm'))[0]?.startMs ?? -1);
    expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? 0))).toBeLessThanOrEqual(45);
  });
});

describe('recordings', () => {
  const report = { dest: 'bridge bridge-1', sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' };
  const told = () =>
    appliance.posted.filter(({ call }) => call.path === '/recordingReady').map(({ body }) => body);

  it('have a side on each channel, are as long as the call, and are told', async () => {
    const [one, other] = [await caller('a', 4_000), await caller('b', 4_010)];
    must(await appliance.media.media.connect('a', 'b'));
    const ends: EndedRecording[] = [];
    const recording = must(
      sound.record({
        fileName: 'call.wav',
        channels: [['a'], ['b']],
        report,
        onEnded: (end) => ends.push(end),
      }),
    );
    one.press('123', { onMs: 100, offMs: 100 });
    await pass(1_000);
    other.press('456', { onMs: 100, offMs: 100 });
    await pass(1_000);
    recording.pause();
    await appliance.quiet();
    one.press('7', { onMs: 100, offMs: 100 });
    await pass(800);
    recording.resume();
    await appliance.quiet();
    one.press('8', { onMs: 100, offMs: 100 });
    await pass(800);
    recording.stop();
    await until(() => ends.length > 0);
    await appliance.after(1_000);
    const bytes = readFileSync(join(threads.recordings, 'call.wav'));
    const wav = must(readWav(bytes));
    expect(wav.channels).toHaveLength(2);
    expect(Math.abs((wav.channels[0]?.length ?? 0) / 8 - 3_600)).toBeLessThanOrEqual(40);
    const heard = must(hearFile(bytes, 'ivr'));
    const on = (channel: number) =>
      heard.flatMap((each) => ('digit' in each && each.channel === channel ? each.digit : [])).join('');
    expect([on(1), on(2)]).toEqual(['1238', '456']);
    expect(ends).toEqual([
      {
        recordingId: recording.recordingId,
        event: 'recordingSuccessful',
        files: [{ fileName: 'call.wav', sizeBytes: bytes.length, sha256: expect.any(String) }],
        durationMs: 3_600,
        degraded: false,
      },
    ]);
    expect(told()).toEqual([
      expect.objectContaining({
        sessionId: 's-1',
        connectionId: 'c-1',
        recordingFileName: 'call.wav',
        fileSize: bytes.length,
        domain: 'care.example',
        ivrServer: '192.0.2.10',
        event: 'recordingSuccessful',
      }),
    ]);
    expect(sound.hasFile('call.wav')).toBe(true);
  });

  it('go on with others on a channel', async () => {
    const [one, other] = [await caller('a', 4_000), await caller('b', 4_010)];
    let over = false;
    const recording = must(
      sound.record({ fileName: 'moved.wav', channels: [['a']], report, onEnded: () => (over = true) }),
    );
    one.say(render([tone(1_400, 400)]));
    await pass(600);
    must(await appliance.media.media.closeLeg('a'));
    recording.change([['b']]);
    other.say(render([tone(2_300, 400)]));
    await pass(600);
    recording.stop();
    await until(() => over);
    const wav = must(readWav(readFileSync(join(threads.recordings, 'moved.wav'))));
    expect(said(wav.channels[0] ?? new Int16Array())).toEqual([1_400, 2_300]);
  });

  it('whose name is taken, or cannot be, fail and are told', async () => {
    await caller('a', 4_000);
    await threads.rim.recorder.begin();
    writeFileSync(join(threads.recordings, 'taken.wav'), 'x');
    const ends: EndedRecording[] = [];
    const wish = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    must(sound.record({ ...wish, fileName: 'taken.wav' }));
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'exists', files: [] });
    await appliance.after(1_000);
    expect(told()).toEqual([
      expect.objectContaining({
        recordingFileName: 'taken.wav',
        event: 'recordingFailed',
        reason: 'exists',
        fileSize: 0,
      }),
    ]);
    expect(sound.record({ ...wish, fileName: '../etc/passwd.wav' }).ok).toBe(false);
    expect(sound.record({ ...wish, fileName: 'call.flac' }).ok).toBe(false);
  });

  it('are completed and told when their thread dies, and when the media dies', async () => {
    const phone = await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const wish = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    must(sound.record({ ...wish, fileName: 'thread.wav' }));
    phone.press('12', { onMs: 100, offMs: 100 });
    await pass(3_000);
    await threads.rim.recorder.crash();
    await until(() => ends.length === 1);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'interrupted' });
    must(sound.record({ ...wish, fileName: 'media.wav' }));
    await pass(1_000);
    appliance.media.crash();
    await until(() => ends.length === 2);
    expect(ends[1]).toMatchObject({
      event: 'recordingFailed',
      reason: 'mediaServerError',
      durationMs: 1_000,
    });
    await appliance.after(1_000);
    expect(told().map(({ reason }) => reason)).toEqual(['interrupted', 'mediaServerError']);
  });

  it('that the disk refuses are told with what there is of them; the call goes on', async () => {
    const phone = await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const wish = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    const { recordingId } = must(sound.record({ ...wish, fileName: 'full.wav' }));
    await pass(1_000);
    threads.tell({ kind: 'failed', recording: recordingId, reason: 'diskFull', detail: 'ENOSPC' });
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'diskFull', files: [] });
    await appliance.after(1_000);
    expect(told().at(-1)).toMatchObject({ event: 'recordingFailed', reason: 'diskFull' });
    phone.forget();
    expect(
      (await played('a', { phrases: [{ format: 'tone', frequency: 1_400, duration: 200 }] })).results,
    ).toEqual(['completed']);
    expect(said(phone.heard)).toEqual([1_400]);
    appliance.notify('https://app.example/alarms');
    threads.tell({ kind: 'diskPressure', on: true, freeBytes: 7 });
    await appliance.after(1_000);
    expect(appliance.posted.at(-1)?.body).toMatchObject({ type: 'diskPressure', freeBytes: 7 });
  });

  it('of a life that was cut off are completed, told and uploaded by the next one', async () => {
    const phone = await caller('a', 4_000);
    must(sound.record({ fileName: 'cut.wav', channels: [['a']], report }));
    phone.press('12', { onMs: 100, offMs: 100 });
    await pass(2_000);
    await until(() => existsSync(join(threads.recordings, 'cut.wav.part')));
    // Nothing is told any more, as after a power cut; then the same folder again.
    const copy = join(folder, 'copy');
    cpSync(threads.recordings, join(copy, 'recording'), { recursive: true });
    const sent: string[] = [];
    let reachable = false;
    const next = testSound({ folder: copy });
    const upload: NonNullable<SoundRim['upload']> = async ({ fileName, path }) => {
      if (!reachable) return fail('unreachable', 'no line');
      sent.push(`${fileName} ${existsSync(path)}`);
      return ok(null);
    };
    const again = await testAppliance({ sound: { ...next.rim, upload } });
    try {
      again.answerBy(() => answered({}));
      again.bridge();
      again.runtime.restore();
      const shelved = async () => (await next.rim.shelf.all())[0];
      const deadline = Date.now() + 10_000;
      while ((await shelved())?.reported !== true && Date.now() < deadline) await again.after(100);
      await again.after(1_000);
      const [body] = again.posted
        .filter(({ call }) => call.path === '/recordingReady')
        .map((each) => each.body);
      expect(body).toMatchObject({
        recordingFileName: 'cut.wav',
        event: 'recordingFailed',
        reason: 'interrupted',
      });
      expect(body?.fileSize).toBe(readFileSync(join(copy, 'recording/cut.wav')).length);
      expect(must(readWav(readFileSync(join(copy, 'recording/cut.wav')))).sampleRate).toBe(8_000);
      expect((await shelved())?.uploaded).toBe(false);
      reachable = true;
      await again.after(31_000);
      expect(sent).toEqual(['cut.wav true']);
      expect((await shelved())?.uploaded).toBe(true);
      // A second start tells nothing again.
      again.posted.length = 0;
      again.runtime.restore();
      await again.after(2_000);
      expect(again.posted).toEqual([]);
    } finally {
      await again.close();
      await next.close();
    }
  });

  it('are given up after streams when media stays late', async () => {
    await caller('a', 4_000);
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const news: string[] = [];
    const ends: EndedRecording[] = [];
    const { port } = server.address() as AddressInfo;
    must(
      sound.stream({
        url: `ws://127.0.0.1:${port}/`,
        channels: [['a']],
        onEvent: ({ kind }) => news.push(kind),
      }),
    );
    must(sound.record({ fileName: 'late.wav', channels: [['a']], report, onEnded: (end) => ends.push(end) }));
    await until(() => news.length > 0);
    appliance.media.media.onEvent({ kind: 'overload', worker: 0, on: true });
    await appliance.after(1_000);
    expect([news, ends]).toEqual([['started', 'failed'], []]);
    await pass(1_500);
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'overload' });
    expect(appliance.media.openLegs).toEqual(['a']);
    server.close();
  });
});
