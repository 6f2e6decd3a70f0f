import { describe, expect, it } from 'vitest';
import { peakOf, Resampler, resample } from '#appliance/media/audio/index.ts';

const sine = (hz: number, rate: number, ms = 500): Int16Array =>
  Int16Array.from({ length: (rate * ms) / 1_000 }, (_, i) =>
    Math.round(peakOf(-3) * Math.sin((2 * Math.PI * hz * i) / rate)),
  );

/** Amplitude of one frequency in the middle of a signal, in dB against the sine above. */
function levelAt(samples: Int16Array, hz: number, rate: number): number {
  const middle = samples.subarray(samples.length / 4, (3 * samples.length) / 4);
  let [re, im, weights] = [0, 0, 0];
  for (const [i, sample] of middle.entries()) {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / middle.length);
    re += weight * sample * Math.cos((2 * Math.PI * hz * i) / rate);
    im += weight * sample * Math.sin((2 * Math.PI * hz * i) / rate);
    weights += weight;
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / weights / peakOf(-3) + 1e-9);
}

const RATES = [16_000, 22_050, 24_000, 44_100, 48_000];

describe('resample', () => {
  it.each(RATES)('keeps the speech band from %d Hz', (rate) => {
    for (const hz of [300, 1_000, 2_300, 3_000]) {
      expect(Math.abs(levelAt(resample(sine(hz, rate), rate, 8_000), hz, 8_000))).toBeLessThan(0.2);
    }
    expect(levelAt(resample(sine(3_400, rate), rate, 8_000), 3_400, 8_000)).toBeGreaterThan(-1.5);
  });

  it.each(RATES)('lets no image through from %d Hz', (rate) => {
    for (const hz of [4_400, 5_000, 6_500]) {
      expect(levelAt(resample(sine(hz, rate), rate, 8_000), Math.abs(8_000 - hz), 8_000)).toBeLessThan(-65);
    }
  });

  it('goes up as well as down', () => {
    const up = resample(sine(1_000, 8_000), 8_000, 48_000);
    expect(up.length).toBe(24_000);
    expect(levelAt(up, 1_000, 48_000)).toBeCloseTo(0, 1);
    expect(levelAt(up, 7_000, 48_000)).toBeLessThan(-65);
  });

  it('adds no delay and keeps the length', () => {
    const source = new Int16Array(22_050);
    source[11_025] = 32_767;
    const out = resample(source, 22_050, 8_000);
    expect(out.length).toBe(8_000);
    expect(out.indexOf(Math.max(...out))).toBe(4_000);
  });

  it('gives the same in pieces as at once', () => {
    const source = sine(700, 44_100, 100);
    const whole = resample(source, 44_100, 8_000);
    const resampler = new Resampler(44_100, 8_000);
    const pieces: number[] = [];
    let at = 0;
    for (const length of [1, 7, 160, 3, 1_000, 441, 2_798]) {
      const out = new Int16Array(resampler.room(length));
      pieces.push(...out.subarray(0, resampler.push(source.subarray(at, at + length), out)));
      at += length;
    }
    const out = new Int16Array(resampler.room(0));
    pieces.push(...out.subarray(0, resampler.flush(out)));
    expect(at).toBe(source.length);
    expect(pieces.slice(0, whole.length)).toEqual([...whole]);
  });

  it('leaves equal rates alone', () => {
    expect(resample(Int16Array.of(1, 2, 3), 8_000, 8_000)).toEqual(Int16Array.of(1, 2, 3));
  });
});
