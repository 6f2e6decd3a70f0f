import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { EndedRecording, SoundAdapters } from '#appliance/call/sound/index.ts';
import { hearFile, render, tone } from '#appliance/media/dtmf/index.ts';
import { readWav } from '#appliance/media/recording/index.ts';
import { fail, ok } from '#shared/result.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { testSound } from '#test/support/sound.ts';
import { type SoundStage, said, soundStage } from './stage.ts';

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
const pass: SoundStage['pass'] = (ms) => stage.pass(ms);
const played: SoundStage['played'] = (leg, request) => stage.played(leg, request);

describe('recordings', () => {
  const report = { dest: 'bridge bridge-1', sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' };
  const reported = () =>
    appliance.posted.filter(({ call }) => call.path === '/recordingReady').map(({ body }) => body);

  /** Runs until the only card tells of this end, and the outbox has it. */
  const shelvedAs = async (reason: string): Promise<void> => {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const [card] = await threads.adapters.recordingStore.all();
      if (card?.reported && card.reason === reason) return;
      if (Date.now() > deadline) throw new Error(`the card says ${JSON.stringify(card)}`);
      await appliance.after(500);
    }
  };

  it('have a side on each channel, are as long as the call, and are reported', async () => {
    appliance.tenant.put('platform', 'platform', { id: 'platform', publicUrl: 'https://cloud.example' });
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
    const detected = must(hearFile(bytes, 'ivr'));
    const on = (channel: number) =>
      detected.flatMap((each) => ('digit' in each && each.channel === channel ? each.digit : [])).join('');
    expect([on(1), on(2)]).toEqual(['1238', '456']);
    expect(ends).toEqual([
      {
        recordingId: recording.recordingId,
        event: 'recordingSuccessful',
        files: [
          {
            fileName: 'call.wav',
            sizeBytes: bytes.length,
            sha256: expect.any(String),
            sha512: expect.any(String),
          },
        ],
        durationMs: 3_600,
        degraded: false,
      },
    ]);
    expect(reported()).toEqual([
      expect.objectContaining({
        sessionId: 's-1',
        connectionId: 'c-1',
        recordingFileName: 'call.wav',
        fileSize: bytes.length,
        siteUrl: expect.stringMatching(
          /^https?:\/\/[^/]+\/mediaservice\/care\.example\/promptfile\/call\.wav$/,
        ),
        cloudUrl: 'https://cloud.example/mediaservice/care.example/promptfile/call.wav',
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

  it('fail and are reported when their name is taken, or cannot be', async () => {
    await caller('a', 4_000);
    mkdirSync(threads.recordings, { recursive: true });
    writeFileSync(join(threads.recordings, 'taken.wav'), 'x');
    const ends: EndedRecording[] = [];
    const request = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    must(sound.record({ ...request, fileName: 'taken.wav' }));
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'exists', files: [] });
    await appliance.after(1_000);
    expect(reported()).toEqual([
      expect.objectContaining({
        recordingFileName: 'taken.wav',
        event: 'recordingFailed',
        reason: 'exists',
        fileSize: 0,
      }),
    ]);
    expect(sound.record({ ...request, fileName: '../etc/passwd.wav' }).ok).toBe(false);
    expect(sound.record({ ...request, fileName: 'call.flac' }).ok).toBe(false);
  });

  it('take the place of another when they are to: the earlier one has no file any more', async () => {
    const phone = await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const request = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    const take = async (hz: number, more: { readonly overwrite?: boolean } = {}) => {
      const recording = must(sound.record({ ...request, ...more, fileName: 'note.wav' }));
      phone.say(render([tone(hz, 400)]));
      await pass(600);
      const before = ends.length;
      recording.stop();
      await until(() => ends.length > before);
      return recording.recordingId;
    };
    const first = await take(1_400);
    const second = await take(2_300, { overwrite: true });
    const wav = must(readWav(readFileSync(join(threads.recordings, 'note.wav'))));
    expect(said(wav.channels[0] ?? new Int16Array())).toEqual([2_300]);
    const cards = await threads.adapters.recordingStore.all();
    expect(cards.map(({ recordingId }) => recordingId)).toEqual([second]);
    expect(cards[0]).toMatchObject({ replaces: true });
    expect(first).not.toBe(second);
  });

  it('never take the place of an uploaded prompt file', async () => {
    await caller('a', 4_000);
    stage.prompt('hello.wav', Buffer.from('sound'));
    const ends: EndedRecording[] = [];
    const onEnded = (end: EndedRecording) => ends.push(end);
    must(sound.record({ fileName: 'hello.wav', channels: [['a']], report, overwrite: true, onEnded }));
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'exists' });
  });

  it('are completed and reported when their thread dies, and when the media dies', async () => {
    const phone = await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const request = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    must(sound.record({ ...request, fileName: 'thread.wav' }));
    phone.press('12', { onMs: 100, offMs: 100 });
    await pass(3_000);
    await threads.adapters.recorder.crash();
    await until(() => ends.length === 1);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'interrupted' });
    must(sound.record({ ...request, fileName: 'media.wav' }));
    await pass(1_000);
    appliance.media.crash();
    await until(() => ends.length === 2);
    expect(ends[1]).toMatchObject({
      event: 'recordingFailed',
      reason: 'mediaServerError',
      durationMs: 1_000,
    });
    await appliance.after(1_000);
    expect(reported().map(({ reason }) => reason)).toEqual(['interrupted', 'mediaServerError']);
  });

  it('end with the media, also when it dies before the recorder knows them', async () => {
    await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const request = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    must(sound.record({ ...request, fileName: 'short.wav' }));
    appliance.media.crash();
    await until(() => ends.length === 1);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'mediaServerError' });
    expect(appliance.runtime.sound?.load.recordings).toBe(0);
  });

  it('that the disk refuses are reported with what there is of them; the call goes on', async () => {
    const phone = await caller('a', 4_000);
    const ends: EndedRecording[] = [];
    const request = { channels: [['a']], report, onEnded: (end: EndedRecording) => ends.push(end) };
    const { recordingId } = must(sound.record({ ...request, fileName: 'full.wav' }));
    await pass(1_000);
    threads.tell({ kind: 'failed', recording: recordingId, reason: 'diskFull', detail: 'ENOSPC' });
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'diskFull', files: [] });
    await appliance.after(1_000);
    expect(reported().at(-1)).toMatchObject({ event: 'recordingFailed', reason: 'diskFull' });
    phone.forget();
    expect(
      (await played('a', { phrases: [{ format: 'tone', frequency: 1_400, duration: 200 }] })).results,
    ).toEqual(['completed']);
    expect(said(phone.received)).toEqual([1_400]);
    appliance.notify('https://app.example/alarms');
    threads.tell({ kind: 'diskPressure', on: true, freeBytes: 7 });
    await appliance.after(1_000);
    expect(appliance.posted.at(-1)?.body).toMatchObject({ type: 'diskPressure', freeBytes: 7 });
  });

  it('are completed, reported and uploaded by the next run when their own was cut off', async () => {
    const phone = await caller('a', 4_000);
    must(sound.record({ fileName: 'cut.wav', channels: [['a']], report }));
    phone.press('12', { onMs: 100, offMs: 100 });
    await pass(2_000);
    await until(() => existsSync(join(threads.recordings, 'cut.wav.part')));
    // Nothing is reported any more, as after a power cut; then the same folder again.
    const copy = join(folder, 'copy');
    cpSync(threads.recordings, join(copy, 'recording'), { recursive: true });
    const sent: string[] = [];
    let reachable = false;
    const next = testSound({ folder: copy });
    const upload: NonNullable<SoundAdapters['upload']> = async ({ fileName, path }) => {
      if (!reachable) return fail('unreachable', 'no line');
      sent.push(`${fileName} ${existsSync(path)}`);
      return ok(null);
    };
    const again = await testAppliance({ sound: { ...next.adapters, upload } });
    try {
      again.answerBy(() => answered({}));
      again.bridge();
      again.runtime.restore();
      const shelved = async () => (await next.adapters.recordingStore.all())[0];
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

  it('that ended on a full disk are reported once, also when the next run finds them as if they ran', async () => {
    const { recordingStore } = threads.adapters;
    await caller('a', 4_000);
    const { recordingId } = must(sound.record({ fileName: 'full.wav', channels: [['a']], report }));
    await pass(1_000);
    const [asItRuns] = await recordingStore.all();
    if (asItRuns === undefined) throw new Error('there is no card');
    threads.tell({ kind: 'failed', recording: recordingId, reason: 'diskFull', detail: 'ENOSPC' });
    await shelvedAs('diskFull');
    // The card of the beginning, as a disk leaves it that took no other.
    await recordingStore.put(asItRuns);
    appliance.runtime.restore();
    await shelvedAs('interrupted');
    expect(reported()).toMatchObject([{ reason: 'diskFull' }]);
  });

  it('are shelved as what they became when there is room again', async () => {
    await caller('a', 4_000);
    const { recordingId } = must(sound.record({ fileName: 'full.wav', channels: [['a']], report }));
    await pass(1_000);
    const recordingStore = threads.adapters.recordingStore as { put: SoundAdapters['recordingStore']['put'] };
    const { put } = recordingStore;
    recordingStore.put = async () => Promise.reject(new Error('ENOSPC'));
    threads.tell({ kind: 'failed', recording: recordingId, reason: 'diskFull', detail: 'ENOSPC' });
    while (reported().length === 0) await appliance.after(100);
    await appliance.after(1_000);
    expect((await threads.adapters.recordingStore.all())[0]?.event).toBeUndefined();
    recordingStore.put = put;
    await shelvedAs('diskFull');
  });

  it('go on when media is late, and are given up last when it stays so by our own load', async () => {
    await caller('a', 4_000);
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const events: string[] = [];
    const ends: EndedRecording[] = [];
    const { port } = server.address() as AddressInfo;
    must(
      sound.stream({
        url: `ws://127.0.0.1:${port}/`,
        channels: [['a']],
        onEvent: ({ kind }) => events.push(kind),
      }),
    );
    must(sound.record({ fileName: 'late.wav', channels: [['a']], report, onEnded: (end) => ends.push(end) }));
    await until(() => events.length > 0);
    const tell = (kind: 'late' | 'overload') =>
      appliance.media.media.events.emit({ kind, worker: 0, on: true });
    tell('late');
    await pass(5_000);
    expect([events, ends]).toEqual([['started'], []]);
    tell('overload');
    await pass(2_500);
    await until(() => events.length > 1);
    await pass(50_000);
    expect([events, ends]).toEqual([['started', 'failed'], []]);
    await pass(10_000);
    await until(() => ends.length > 0);
    expect(ends[0]).toMatchObject({ event: 'recordingFailed', reason: 'overload' });
    expect(appliance.media.openLegs).toEqual(['a']);
    server.close();
  });
});
