import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecorder } from '#appliance/io/recorder/index.ts';
import { levelOf } from '#appliance/media/audio/index.ts';
import {
  type Recorder,
  type RecorderEvent,
  readWav,
  type Wav,
  wavHeader,
} from '#appliance/media/recording/index.ts';
import { speakTogether, ToneSpeaker, until } from './tone.ts';

let folder: string;
let events: RecorderEvent[];
const recorders: Recorder[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recorder-'));
  events = [];
});
afterEach(async () => {
  for (const recorder of recorders.splice(0)) await recorder.close();
  rmSync(folder, { recursive: true });
});

const open = async (leastFreeBytes = 0): Promise<Recorder> => {
  const recorder = await openRecorder({ folder, leastFreeBytes, onEvent: (event) => events.push(event) });
  recorders.push(recorder);
  return recorder;
};
const wavAt = (file: string): Wav => {
  const read = readWav(readFileSync(join(folder, file)));
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};
const channel = (wav: Wav, index: number): Int16Array => wav.channels[index] ?? new Int16Array(0);
const made = <T>(result: { ok: true; value: T } | { ok: false; error: { reason: string } }): T => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

describe('a recording', () => {
  it('has a side on each channel, sample for sample, and says what its file is', async () => {
    const recorder = await open();
    const [device, operator] = [new ToneSpeaker(440), new ToneSpeaker(1_000)];
    const inputs = [device.ring, operator.ring];
    const started = await recorder.start({ recording: 'r1', file: 'a/call.wav', inputs, layout: 'perSide' });
    expect(started).toEqual({ ok: true, value: undefined });
    await speakTogether([device, operator], 1_000, 1_150);
    const result = made(await recorder.stop('r1'));
    expect(result).toMatchObject({
      recording: 'r1',
      durationMs: 3_000,
      degraded: false,
      lostFrames: 0,
      marks: [],
    });
    const bytes = readFileSync(join(folder, 'a/call.wav'));
    const [file] = result.files;
    expect(file).toMatchObject({
      file: 'a/call.wav',
      format: 'wav',
      channels: 2,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(Buffer.from(file?.sha512 ?? [])).toEqual(createHash('sha512').update(bytes).digest());
    const wav = wavAt('a/call.wav');
    expect(wav.channels.map(({ length }) => length)).toEqual([24_000, 24_000]);
    const expected = Int16Array.from({ length: 24_000 }, (_, i) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * (160_000 + i)) / 8_000)),
    );
    expect(channel(wav, 1)).toEqual(expected);
    expect(existsSync(join(folder, 'a/call.wav.part'))).toBe(false);
  });

  it('is silent where no party spoke, and as long as the longer side', async () => {
    const recorder = await open();
    const [early, late] = [new ToneSpeaker(440), new ToneSpeaker(1_000)];
    await recorder.start({
      recording: 'r',
      file: 'r.wav',
      inputs: [early.ring, late.ring],
      layout: 'perSide',
    });
    early.speak(0, 90);
    late.speak(40, 60);
    const result = made(await recorder.stop('r'));
    expect(result).toMatchObject({ durationMs: 1_800, degraded: false });
    const wav = wavAt('r.wav');
    expect(levelOf(channel(wav, 1).subarray(0, 40 * 160))).toBeLessThan(-90);
    expect(levelOf(channel(wav, 1).subarray(40 * 160, 60 * 160))).toBeGreaterThan(-20);
    expect(levelOf(channel(wav, 1).subarray(60 * 160))).toBeLessThan(-90);
    expect(levelOf(channel(wav, 0))).toBeGreaterThan(-20);
  });

  it('fills what a full ring lost with silence and says so', async () => {
    const recorder = await open();
    const speaker = new ToneSpeaker(440);
    speaker.speak(0, 130);
    await recorder.start({ recording: 'r', file: 'r.wav', inputs: [speaker.ring], layout: 'perSide' });
    await until(() => speaker.isRead);
    speaker.speak(130, 140);
    const result = made(await recorder.stop('r'));
    expect(result).toMatchObject({ durationMs: 2_800, degraded: true, lostFrames: 30 });
    expect(levelOf(channel(wavAt('r.wav'), 0).subarray(100 * 160, 130 * 160))).toBeLessThan(-90);
    expect(levelOf(channel(wavAt('r.wav'), 0).subarray(130 * 160))).toBeGreaterThan(-20);
  });

  it('keeps its time axis while paused, and remembers marks', async () => {
    const recorder = await open();
    const speaker = new ToneSpeaker(440);
    await recorder.start({ recording: 'r', file: 'r.wav', inputs: [speaker.ring], layout: 'perSide' });
    await speakTogether([speaker], 0, 50);
    await recorder.pause('r');
    await speakTogether([speaker], 50, 100);
    expect(await recorder.mark('r', 'card number')).toEqual({
      ok: true,
      value: { label: 'card number', atMs: 2_000 },
    });
    await recorder.resume('r');
    await speakTogether([speaker], 100, 150);
    const result = made(await recorder.stop('r'));
    expect(result).toMatchObject({ durationMs: 3_000, marks: [{ label: 'card number', atMs: 2_000 }] });
    const received = channel(wavAt('r.wav'), 0);
    const levels = [0, 50, 100].map(
      (tick) => levelOf(received.subarray(tick * 160, (tick + 50) * 160)) > -60,
    );
    expect(levels).toEqual([true, false, true]);
  });

  it('mixes everybody on one channel, or gives each a file', async () => {
    const recorder = await open();
    const speakers = [new ToneSpeaker(400), new ToneSpeaker(400), new ToneSpeaker(400)];
    const inputs = speakers.map(({ ring }) => ring);
    await recorder.start({ recording: 'm', file: 'm.wav', inputs, layout: 'mixed' });
    for (const speaker of speakers) speaker.speak(0, 10);
    const mixed = made(await recorder.stop('m'));
    expect(mixed.files.map(({ channels }) => channels)).toEqual([1]);
    await recorder.start({
      recording: 'p',
      file: 'p.WAV',
      inputs,
      layout: 'perParticipant',
      samples: 'alaw',
    });
    for (const speaker of speakers) speaker.speak(10, 20);
    const apart = made(await recorder.stop('p'));
    expect(apart.files.map(({ file, sizeBytes }) => [file, sizeBytes])).toEqual([
      ['p-1.WAV', 58 + 1_600],
      ['p-2.WAV', 58 + 1_600],
      ['p-3.WAV', 58 + 1_600],
    ]);
    const gain = levelOf(channel(wavAt('m.wav'), 0)) - levelOf(channel(wavAt('p-2.WAV'), 0));
    expect(gain).toBeCloseTo(20 * Math.log10(3), 0);
  });

  it('writes MP3 of whole frames behind an Info frame', async () => {
    const recorder = await open();
    const speakers = [new ToneSpeaker(440), new ToneSpeaker(1_000)];
    const inputs = speakers.map(({ ring }) => ring);
    await recorder.start({ recording: 'r', file: 'r.mp3', inputs, layout: 'perSide' });
    await speakTogether(speakers, 0, 150);
    const result = made(await recorder.stop('r'));
    expect(result).toMatchObject({ durationMs: 3_000, files: [{ format: 'mp3', channels: 2 }] });
    const bytes = readFileSync(join(folder, 'r.mp3'));
    expect(bytes.length % 576).toBe(0);
    for (let at = 0; at < bytes.length; at += 576) expect(bytes.readUInt16BE(at)).toBe(0xffe3);
    expect(bytes.toString('latin1', 21, 25)).toBe('Info');
    expect(bytes.readUInt32BE(29)).toBe(bytes.length / 576 - 1);
  });

  it('leaves nothing behind when it is cancelled', async () => {
    const recorder = await open();
    const speaker = new ToneSpeaker(440);
    await recorder.start({ recording: 'r', file: 'r.mp3', inputs: [speaker.ring], layout: 'perSide' });
    speaker.speak(0, 20);
    expect(await recorder.cancel('r')).toMatchObject({ ok: true });
    expect([existsSync(join(folder, 'r.mp3')), existsSync(join(folder, 'r.mp3.part'))]).toEqual([
      false,
      false,
    ]);
    expect(await recorder.stop('r')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
  });
});

describe('audio that cannot be recorded', () => {
  const refused = async (recorder: Recorder, file: string, inputs = 1) => {
    const rings = Array.from({ length: inputs }, () => new ToneSpeaker(1).ring);
    const answer = await recorder.start({ recording: file, file, inputs: rings, layout: 'perSide' });
    return answer.ok ? 'started' : answer.error.code;
  };

  it('is refused with its reason', async () => {
    const recorder = await open();
    writeFileSync(join(folder, 'taken.wav'), '');
    expect(await refused(recorder, '../out.wav')).toBe('Refused');
    expect(await refused(recorder, '/etc/out.wav')).toBe('Refused');
    expect(await refused(recorder, 'a/.hidden.wav')).toBe('Refused');
    expect(await refused(recorder, 'call.ogg')).toBe('Refused');
    expect(await refused(recorder, 'three.mp3', 3)).toBe('Refused');
    expect(await refused(recorder, 'nobody.wav', 0)).toBe('Refused');
    expect(await refused(recorder, 'taken.wav')).toBe('Exists');
    expect(await refused(recorder, 'once.wav')).toBe('started');
    expect(await refused(recorder, 'once.wav')).toBe('Refused');
    mkdirSync(join(folder, 'folder.wav.part'));
    expect(await refused(recorder, 'folder.wav')).toBe('Exists');
    expect(await refused(recorder, 'taken.wav/call.wav')).toBe('Failed');
  });

  it('is anything new while the disk is under its limit', async () => {
    const recorder = await open(Number.MAX_SAFE_INTEGER);
    expect(await refused(recorder, 'r.wav')).toBe('DiskPressure');
    expect(events).toMatchObject([{ kind: 'diskPressure', on: true }]);
  });
});

describe('a recording of an earlier run', () => {
  it('is completed at start and reported', async () => {
    const setting = { format: 'pcm16', channels: 2, sampleRate: 8_000 } as const;
    // The head is five seconds old, and the last sample of the right channel is missing.
    const body = Buffer.alloc(4 * 8_000 + 2, 1);
    writeFileSync(join(folder, 'old.wav.part'), Buffer.concat([wavHeader(setting, 4 * 800), body]));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'empty.wav.part'), '');
    writeFileSync(join(folder, 'alien.wav.part'), Buffer.alloc(100, 'x'));
    await open();
    expect(events).toMatchObject([
      { kind: 'unreadable', file: 'alien.wav' },
      {
        kind: 'interrupted',
        durationMs: 1_000,
        file: { file: 'old.wav', channels: 2, sizeBytes: 44 + 32_000 },
      },
      { kind: 'interrupted', durationMs: 0, file: { file: 'sub/empty.wav', sizeBytes: 44 } },
    ]);
    expect(wavAt('old.wav').channels.map(({ length }) => length)).toEqual([8_000, 8_000]);
    expect(existsSync(join(folder, 'alien.wav.part'))).toBe(true);
  });

  it('by a thread that died is completed by the next, under the name of its recording', async () => {
    const speaker = new ToneSpeaker(440);
    const recorder = await open();
    await recorder.start({
      recording: 'r',
      file: 'r.wav',
      inputs: [speaker.ring],
      layout: 'perParticipant',
    });
    await speakTogether([speaker], 0, 100);
    await until(() => readFileSync(join(folder, 'r-1.wav.part')).length > 16_000);
    const asked = recorder.mark('r', 'too late');
    await recorder.crash();
    await asked;
    await until(() => events.length > 0);
    expect(events).toMatchObject([{ kind: 'interrupted', recording: 'r', file: { file: 'r-1.wav' } }]);
    expect(await recorder.stop('r')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
    expect(wavAt('r-1.wav').channels[0]?.length).toBeGreaterThan(8_000);
  });

  it('is not looked for by a recorder that is closed while this thread is held up', async () => {
    const threads = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = threads();
    const speaker = new ToneSpeaker(440);
    const recorder = await open();
    await recorder.start({ recording: 'r', file: 'r.mp3', inputs: [speaker.ring], layout: 'perSide' });
    await speakTogether([speaker], 0, 20);
    const closing = recorder.close();
    // The command was sent: the answer and the end of the thread come at once behind this.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
    await closing;
    // A new thread would take the files of the recorder that is opened next.
    expect(threads()).toBe(before);
  });

  it('by a process that was killed is as long as what it had written', async () => {
    const speaker = new ToneSpeaker(440);
    const first = await open();
    await first.start({ recording: 'r', file: 'r.mp3', inputs: [speaker.ring], layout: 'perSide' });
    await speakTogether([speaker], 0, 100);
    // Another recorder takes over a copy of the folder as it is now, as after a crash.
    await until(() => readFileSync(join(folder, 'r.mp3.part')).length > 10 * 288);
    const half = readFileSync(join(folder, 'r.mp3.part'));
    await first.close();
    rmSync(join(folder, 'r.mp3'));
    writeFileSync(join(folder, 'r.mp3.part'), half.subarray(0, half.length - 100));
    events = [];
    await open();
    expect(events).toMatchObject([{ kind: 'interrupted', file: { file: 'r.mp3', channels: 1 } }]);
    const bytes = readFileSync(join(folder, 'r.mp3'));
    expect(bytes.length).toBe((Math.floor(half.length / 288) - 1) * 288);
    expect(bytes.readUInt32BE(13 + 8)).toBe(bytes.length / 288 - 1);
  });
});
