import { describe, expect, it } from 'vitest';
import { levelOf, pcma, pcmu, peakOf } from '#appliance/media/audio/index.ts';
import {
  beep,
  CADENCES,
  cadence,
  dtmf,
  render,
  silence,
  stmf,
  ToneGenerator,
  type ToneSegment,
  tone,
} from '#appliance/media/dtmf/index.ts';
import { through } from './digit-signal.ts';

const segmentsOf = (result: ReturnType<typeof dtmf>): readonly ToneSegment[] => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

/** First and last sample that is not silence, with the length between. */
function sounding(samples: Int16Array): { from: number; length: number } {
  const from = samples.findIndex((sample) => sample !== 0);
  return { from, length: samples.findLastIndex((sample) => sample !== 0) - from + 1 };
}

/** Frequency by counting whole periods between the first and last rising crossing. */
function frequencyOf(samples: Int16Array): number {
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [before, now] = [samples[i - 1] ?? 0, samples[i] ?? 0];
    if (before < 0 && now >= 0) crossings.push(i - 1 + before / (before - now));
  }
  return ((crossings.length - 1) * 8_000) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0));
}

describe('ToneGenerator', () => {
  it('places segments to the sample, whatever the frame', () => {
    const segments = [silence(3.125), tone(1_000, 33.5, -10, 0), silence(5.5), tone(2_000, 80, -10, 0)];
    const generator = new ToneGenerator(segments);
    const frames: number[] = [];
    const frame = new Int16Array(160);
    while (generator.pull(frame)) frames.push(...frame);
    expect(frames.slice(0, 977)).toEqual([...render(segments)]);
    expect(frames.slice(977).every((sample) => sample === 0)).toBe(true);
    expect(frames).toHaveLength(1_120);
    expect(generator.done).toBe(true);
    expect(generator.pull(frame)).toBe(false);
  });

  it('does not add up rounding over a long string', () => {
    const segments = Array.from({ length: 1_000 }, () => silence(0.0625));
    expect(render([...segments, tone(1_000, 10, -10, 0)])).toHaveLength(580);
    expect(sounding(render([...segments, tone(1_000, 10, -10, 0)])).from).toBe(501);
  });

  it.each([697, 1_633, 1_400, 2_300, 425])('makes %d Hz within 0.1 % and 0.5 dB after G.711', (hz) => {
    const samples = through(pcma, render([tone(hz, 1_000, -13)]));
    expect(Math.abs(frequencyOf(samples) / hz - 1)).toBeLessThan(0.001);
    expect(Math.abs(levelOf(samples) + 13)).toBeLessThan(0.5);
  });

  it('makes DTMF of 80/80 ms at -9 and -7 dBm0', () => {
    const samples = render(segmentsOf(dtmf('D')));
    expect(samples).toHaveLength(1_280);
    expect(sounding(samples).length).toBeGreaterThan(636);
    expect(samples.subarray(640).every((sample) => sample === 0)).toBe(true);
    // −9 and −7 dBm0 together
    expect(levelOf(samples.subarray(0, 640))).toBeCloseTo(-4.88, 1);
  });

  it.each([
    { name: 'PCMA', codec: pcma },
    { name: 'PCMU', codec: pcmu },
  ])('never clips in $name: too much is lowered as a whole', ({ codec }) => {
    const loud = render(segmentsOf(dtmf('159D', { lowDbm0: 0, highDbm0: 3 })));
    const quiet = render(segmentsOf(dtmf('159D', { lowDbm0: -9, highDbm0: -6 })));
    expect(Math.max(...loud)).toBeLessThanOrEqual(32_124);
    // The same shape, louder: nothing was cut off.
    const factor = 32_124 / (peakOf(-9) + peakOf(-6));
    for (const [i, sample] of loud.entries())
      expect(Math.abs(sample - (quiet[i] ?? 0) * factor)).toBeLessThan(2);
    expect(Math.max(...through(codec, loud))).toBeLessThanOrEqual(32_256);
  });

  it('ramps single tones over 2 ms', () => {
    const samples = render([tone(1_000, 100, -3)]);
    const peak = (from: number, to: number) => Math.max(...samples.subarray(from, to).map(Math.abs));
    expect(peak(0, 4)).toBeLessThan(0.2 * peakOf(-3));
    expect(peak(16, 784)).toBeGreaterThan(0.99 * peakOf(-3));
    expect(peak(796, 800)).toBeLessThan(0.2 * peakOf(-3));
  });

  it('repeats a cadence without drift', () => {
    const generator = new ToneGenerator(cadence(CADENCES.SE?.busy ?? []), true);
    const samples = new Int16Array(8_000 * 10);
    for (let at = 0; at < samples.length; at += 160)
      expect(generator.pull(samples.subarray(at, at + 160))).toBe(true);
    for (let period = 0; period < 20; period++) {
      const one = samples.subarray(period * 4_000, (period + 1) * 4_000);
      expect(sounding(one).from).toBeLessThan(3);
      expect(one.subarray(2_000).every((sample) => sample === 0)).toBe(true);
      expect(levelOf(one.subarray(0, 2_000))).toBeCloseTo(-10, 0);
    }
  });

  it('ends at once without anything to play, also when repeated', () => {
    const frame = new Int16Array(160).fill(7);
    expect(new ToneGenerator([]).pull(frame)).toBe(false);
    expect(new ToneGenerator([silence(0)], true).pull(frame)).toBe(false);
    expect(new ToneGenerator([silence(-5), silence(0)]).pull(frame)).toBe(false);
  });
});

describe('tone scripts', () => {
  it('shares the level of a cadence among its tones', () => {
    const samples = render(cadence(CADENCES.GB?.ringback ?? [], -10).slice(0, 1));
    expect(levelOf(samples)).toBeCloseTo(-10, 0);
  });

  it('makes STMF: row 75 ms, gap 5, column 75, a digit every 160', () => {
    const times = segmentsOf(stmf('0')).map(({ sines, ms }) => [sines[0]?.hz ?? 0, ms]);
    expect(times).toEqual([
      [941, 75],
      [0, 5],
      [1_336, 75],
      [0, 5],
    ]);
  });

  it('takes digits in either case and refuses others', () => {
    expect(dtmf('abcd')).toEqual(dtmf('ABCD'));
    expect(dtmf('12E')).toMatchObject({ ok: false, error: { code: 'UnknownDigit' } });
    expect(stmf('1 2')).toMatchObject({ ok: false, error: { code: 'UnknownDigit' } });
  });

  it('has a beep, and a ringback and busy tone for each country of the table', () => {
    expect(render(beep)).toHaveLength(1_600);
    for (const { ringback, busy } of Object.values(CADENCES)) {
      for (const parts of [ringback, busy]) {
        expect(parts.some(({ hz }) => hz.length === 0)).toBe(true);
        expect(parts.every(({ ms }) => ms >= 100)).toBe(true);
      }
    }
  });
});
