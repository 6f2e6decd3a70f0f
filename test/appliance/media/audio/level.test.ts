import { describe, expect, it } from 'vitest';
import {
  ComfortNoise,
  Concealer,
  FRAME_SAMPLES,
  LevelMeter,
  levelOf,
  NoiseSource,
  pcma,
  peakOf,
  readComfortNoise,
  SILENCE_DBM0,
} from '#appliance/media/audio/index.ts';

const sine = (levelDbm0: number, hz = 1_000, length = FRAME_SAMPLES): Int16Array =>
  Int16Array.from({ length }, (_, i) =>
    Math.round(peakOf(levelDbm0) * Math.sin((2 * Math.PI * hz * i) / 8_000)),
  );

describe('level', () => {
  it('calls the digital milliwatt of G.711 0 dBm0', () => {
    const out = new Int16Array(FRAME_SAMPLES);
    const codes = [0x34, 0x21, 0x21, 0x34, 0xb4, 0xa1, 0xa1, 0xb4];
    pcma.decode(
      Uint8Array.from({ length: FRAME_SAMPLES }, (_, i) => codes[i % 8] ?? 0),
      0,
      FRAME_SAMPLES,
      out,
    );
    expect(levelOf(out)).toBeCloseTo(0, 1);
  });

  it.each([-3, -25, -45])('measures a sine of %d dBm0', (level) => {
    expect(levelOf(sine(level))).toBeCloseTo(level, 1);
  });

  it('has a floor', () => {
    expect(levelOf(new Int16Array(FRAME_SAMPLES))).toBe(SILENCE_DBM0);
    expect(levelOf(new Int16Array(0))).toBe(SILENCE_DBM0);
    expect(new LevelMeter().averageDbm0).toBe(SILENCE_DBM0);
  });

  it('follows a stream', () => {
    const meter = new LevelMeter(5);
    for (let i = 0; i < 50; i++) meter.push(sine(-10));
    expect(meter.currentDbm0).toBeCloseTo(-10, 1);
    for (let i = 0; i < 50; i++) meter.push(sine(-40));
    expect(meter.currentDbm0).toBeCloseTo(-40, 0);
    expect(meter.averageDbm0).toBeCloseTo(-13, 1);
    expect(meter.peakDbm0).toBeCloseTo(-10, 1);
  });
});

describe('noise', () => {
  it('has the level asked for and is the same for the same seed', () => {
    const [a, b] = [new Int16Array(16_000), new Int16Array(16_000)];
    new NoiseSource(42).fill(a, -30);
    new NoiseSource(42).fill(b, -30);
    expect(levelOf(a)).toBeCloseTo(-30, 0);
    expect(a).toEqual(b);
    new NoiseSource(43).fill(b, -30);
    expect(a).not.toEqual(b);
  });

  it('stays silent until a peer describes noise, then has its level', () => {
    const comfort = new ComfortNoise(1);
    const out = new Int16Array(FRAME_SAMPLES);
    expect(comfort.pull(out)).toBe(false);
    const read = readComfortNoise(Uint8Array.of(0xff, 50, 10, 20), 1, 3);
    if (!read.ok) throw new Error(read.error.reason);
    // RFC 3389: 50 dB under overload; a full-scale sine, -3 dBov, is +3.14 dBm0.
    expect(read.value.levelDbm0).toBeCloseTo(-50 + 3.01 + 3.14, 1);
    comfort.describe(read.value.levelDbm0);
    expect(comfort.pull(out)).toBe(true);
    expect(levelOf(out)).toBeCloseTo(-43.85, 0);
    comfort.describe(-60);
    for (let i = 0; i < 30; i++) comfort.pull(out);
    expect(levelOf(out)).toBeLessThan(-58);
    comfort.reset();
    expect(comfort.pull(out)).toBe(false);
  });

  it('refuses an empty comfort noise payload', () => {
    expect(readComfortNoise(new Uint8Array(4), 4, 0).ok).toBe(false);
  });
});

describe('Concealer', () => {
  it('repeats three times, fading, then is silent', () => {
    const concealer = new Concealer();
    const out = new Int16Array(FRAME_SAMPLES);
    concealer.onFrame(new Int16Array(FRAME_SAMPLES).fill(9_000));
    const ends = [0, 1, 2].map(() => {
      expect(concealer.lost(out)).toBe(true);
      return [out[0], out[FRAME_SAMPLES - 1]];
    });
    expect(ends).toEqual([
      [9_000, 6_019],
      [6_000, 3_019],
      [3_000, 19],
    ]);
    expect(concealer.lost(out)).toBe(false);
    expect(new Set(out)).toEqual(new Set([0]));
    concealer.onFrame(new Int16Array(FRAME_SAMPLES).fill(5));
    expect(concealer.lost(out)).toBe(true);
  });

  it('keeps the level for a detector, and is silent before any audio', () => {
    const concealer = new Concealer();
    const out = new Int16Array(FRAME_SAMPLES).fill(1);
    expect(concealer.lost(out, true)).toBe(false);
    expect(new Set(out)).toEqual(new Set([0]));
    concealer.onFrame(sine(-10));
    concealer.lost(out, true);
    expect(out).toEqual(sine(-10));
  });
});
