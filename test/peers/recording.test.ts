import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecorder } from '#appliance/io/recorder/index.ts';
import { FRAME_SAMPLES, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import type { Recorder, Wav } from '#appliance/media/recording/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { runProgram } from './support/program.ts';
import { channelOf, decodedByFfmpeg, lagOf, levelAt, pitchOf } from './support/sound.ts';

/*
 * One call, recorded in each format at once, and what other programs hear in the files.
 *
 *   left   440 Hz, −12 dB … 0 to 20 s     noise from 20 to 22 s    silence
 *   right  1,000 Hz, −12 dB … 0 to 20 s   the same noise           silence to 30.02 s
 */
const TICKS = 1_501;
const AMPLITUDE = 8_230;
const [NOISE_FROM, NOISE_TO] = [1_000, 1_100];

let folder: string;
let recorder: Recorder;
const durations = new Map<string, number>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recording-'));
  recorder = await openRecorder({ folder, leastFreeBytes: 0, onEvent: () => undefined });
  for (const [file, samples] of [
    ['call.wav', 'pcm16'],
    ['alaw.wav', 'alaw'],
    ['call.mp3', 'pcm16'],
  ] as const) {
    const rings = [ringMemory(), ringMemory()] as const;
    const started = await recorder.start({
      recording: file,
      file,
      inputs: rings,
      layout: 'perSide',
      samples,
    });
    if (!started.ok) throw new Error(started.error.reason);
    await speak(rings);
    const result = await recorder.stop(file);
    if (!result.ok) throw new Error(result.error.reason);
    durations.set(file, result.value.durationMs);
  }
});
afterAll(async () => {
  await recorder.close();
  rmSync(folder, { recursive: true });
});

const original = [440, 1_000].map((frequency) => {
  const samples = new Int16Array(TICKS * FRAME_SAMPLES);
  let state = 1;
  for (let i = 0; i < NOISE_TO * FRAME_SAMPLES; i++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    const noise = (state / 0x4000_0000 - 1) * AMPLITUDE;
    const tone = AMPLITUDE * Math.sin((2 * Math.PI * frequency * i) / 8_000);
    samples[i] = i < NOISE_FROM * FRAME_SAMPLES ? tone : noise;
  }
  return samples;
});

async function speak(rings: readonly [ReturnType<typeof ringMemory>, ReturnType<typeof ringMemory>]) {
  const writers = rings.map((ring) => new RingWriter(ring));
  for (let tick = 0; tick < TICKS; tick++) {
    for (const [side, writer] of writers.entries()) {
      writer.write(
        original[side]?.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES) ?? new Int16Array(),
        tick,
      );
    }
    if (tick % 50 === 49) await until(() => rings.every(isRead));
  }
}
const isRead = ({ indices }: ReturnType<typeof ringMemory>): boolean => {
  const [written, read] = new Int32Array(indices);
  return written === read;
};

const tones = (wav: Wav, side: number) => channelOf(wav, side).subarray(8_000, 152_000);

describe.each(['call.wav', 'alaw.wav', 'call.mp3'])('ffmpeg hears in %s', (file) => {
  let wav: Wav;
  beforeAll(async () => {
    wav = await decodedByFfmpeg(join(folder, file));
  });

  it('both tones, each on its side, as loud as they were', () => {
    for (const [side, frequency] of [440, 1_000].entries()) {
      expect(pitchOf(tones(wav, side))).toBeCloseTo(frequency, 0);
      expect(levelAt(tones(wav, side), frequency)).toBeCloseTo(20 * Math.log10(AMPLITUDE / 32_767), 0);
      const off = Math.abs(levelAt(tones(wav, side), frequency) - 20 * Math.log10(AMPLITUDE / 32_767));
      expect(off).toBeLessThan(0.5);
    }
  });

  it('nothing of one side on the other', () => {
    for (const [side, foreign] of [1_000, 440].entries()) {
      const crosstalk = levelAt(tones(wav, side), foreign) - levelAt(tones(wav, 1 - side), foreign);
      expect(crosstalk).toBeLessThan(-40);
    }
  });

  it('sides that stay together, and every moment where it was', () => {
    const noise = (samples: Int16Array | undefined) =>
      samples?.subarray(NOISE_FROM * FRAME_SAMPLES - 400, NOISE_TO * FRAME_SAMPLES + 400) ?? new Int16Array();
    const [left, right] = [noise(channelOf(wav, 0)), noise(channelOf(wav, 1))];
    // 20 ms between the sides, 1 ms on the axis.
    expect(Math.abs(lagOf(left, right, 400))).toBeLessThan(160);
    expect(Math.abs(lagOf(noise(original[0]), left, 400))).toBeLessThanOrEqual(8);
  });

  it('the length of the call', () => {
    expect(durations.get(file)).toBe(TICKS * 20);
    expect(Math.abs(channelOf(wav, 0).length - TICKS * FRAME_SAMPLES)).toBeLessThanOrEqual(160);
  });
});

describe('sox', () => {
  it.each([
    ['call.wav', /16-bit Signed Integer PCM/],
    ['alaw.wav', /8-bit A-law/],
  ])('reads %s', async (file, encoding) => {
    const path = join(folder, file);
    const { stdout: described } = await runProgram('soxi', [path]);
    expect(described).toMatch(encoding);
    expect(described).toMatch(/Channels\s+: 2/);
    expect(described).toContain(`= ${TICKS * FRAME_SAMPLES} samples`);
    // A sine of that amplitude, channel by channel.
    for (const channel of ['1', '2']) {
      const { stderr } = await runProgram('sox', [path, '-n', 'remix', channel, 'trim', '1', '18', 'stat']);
      const rms = Number(/RMS\s+amplitude:\s+([\d.]+)/.exec(stderr)?.[1]);
      expect(Math.abs(20 * Math.log10((rms * 32_767 * Math.SQRT2) / AMPLITUDE))).toBeLessThan(0.5);
    }
  });
});

describe('lame', () => {
  it('reads the Info frame of call.mp3: what it decodes is as long as the call', async () => {
    const out = join(folder, 'lame.wav');
    const { stderr, code } = await runProgram('lame', ['--decode', join(folder, 'call.mp3'), out]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/skipping initial 1105 samples \(encoder\+decoder delay\)/);
    const { stdout } = await runProgram('soxi', ['-s', out]);
    expect(Math.abs(Number(stdout) - TICKS * FRAME_SAMPLES)).toBeLessThanOrEqual(160);
  });
});
