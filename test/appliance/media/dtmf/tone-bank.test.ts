import { describe, expect, it } from 'vitest';
import { NoiseSource, pcma, saturate } from '#appliance/media/audio/index.ts';
import {
  type DetectedTone,
  dtmf,
  HIGH_HZ,
  LOW_HZ,
  render,
  silence,
  stmf,
  ToneBank,
  type ToneSegment,
  tone,
  type WantedTone,
} from '#appliance/media/dtmf/index.ts';
import { forEachFrame, through } from './digit-signal.ts';

type ToneEnd = Extract<DetectedTone, { kind: 'end' }>;

const HANDSHAKE: readonly WantedTone[] = [{ hz: 1_400 }, { hz: 2_300 }];
const STMF: readonly WantedTone[] = [...LOW_HZ, ...HIGH_HZ].map((hz) => ({ hz, deviation: 0.02, minMs: 50 }));

const segmentsOf = (result: ReturnType<typeof dtmf>): readonly ToneSegment[] => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

function detectedBy(
  wanted: readonly WantedTone[],
  samples: Int16Array,
): { all: DetectedTone[]; ends: ToneEnd[] } {
  const all: DetectedTone[] = [];
  const bank = new ToneBank(wanted, (event) => all.push(event));
  forEachFrame(through(pcma, samples), (frame, tick, lost) => bank.push(frame, tick, lost));
  return { all, ends: all.filter((event) => event.kind === 'end') };
}

const lineOf = (...segments: readonly ToneSegment[]): Int16Array => {
  const samples = render([silence(203), ...segments, silence(200)]);
  const whole = new Int16Array(Math.ceil(samples.length / 160) * 160);
  whole.set(samples);
  return whole;
};

const noisy = (samples: Int16Array, levelDbm0: number): Int16Array => {
  const noise = new Int16Array(samples.length);
  new NoiseSource(8).fill(noise, levelDbm0);
  return samples.map((sample, i) => saturate(sample + (noise[i] ?? 0)));
};

describe('ToneBank', () => {
  it.each([0, -45, -31])(
    'hears the Contact ID handshake with its times, noise at %d dBm0 below -10',
    (noiseDbm0) => {
      const line = lineOf(tone(1_400, 100, -16), silence(100), tone(2_300, 100, -16));
      const { all, ends } = detectedBy(HANDSHAKE, noiseDbm0 === 0 ? line : noisy(line, noiseDbm0));
      expect(all.map((event) => `${event.kind} ${event.hz}`)).toEqual([
        'begin 1400',
        'end 1400',
        'begin 2300',
        'end 2300',
      ]);
      for (const [index, end] of ends.entries()) {
        expect(Math.abs(end.startMs - 203 - index * 200)).toBeLessThan(5);
        expect(Math.abs(end.durationMs - 100)).toBeLessThan(5);
        expect(Math.abs(end.levelDbm0 + 16)).toBeLessThan(0.7);
      }
    },
  );

  it.each([750, 900, 1_000, 2_000])('measures an acknowledge of %d ms', (ms) => {
    const { ends } = detectedBy(HANDSHAKE, lineOf(tone(1_400, ms, -25)));
    expect(ends).toHaveLength(1);
    expect(Math.abs((ends[0]?.durationMs ?? 0) - ms)).toBeLessThan(5);
  });

  it('hears the enquiry of 1850 Hz, 250 ms every 3 s', () => {
    const one = [tone(1_850, 250, -20), silence(2_750)];
    const { ends } = detectedBy([{ hz: 1_850 }], lineOf(...one, ...one));
    expect(ends.map(({ hz }) => hz)).toEqual([1_850, 1_850]);
    expect(Math.abs((ends[1]?.startMs ?? 0) - (ends[0]?.startMs ?? 0) - 3_000)).toBeLessThan(5);
  });

  it.each([
    { percent: 2.9, count: 1 },
    { percent: -2.9, count: 1 },
    { percent: 3.3, count: 0 },
    { percent: -3.3, count: 0 },
  ])('keeps the tolerance: $percent % off', ({ percent, count }) => {
    for (const hz of [1_400, 2_300]) {
      const { ends } = detectedBy(HANDSHAKE, lineOf(tone(hz * (1 + percent / 100), 100)));
      expect(ends).toHaveLength(count);
    }
  });

  it('hears STMF strings digit for digit, repeats included', () => {
    const digits = '0147D2580369#AB*C';
    const { ends } = detectedBy(STMF, lineOf(...segmentsOf(stmf(digits))));
    const wanted = segmentsOf(stmf(digits)).flatMap(({ sines }) => sines.map(({ hz }) => hz));
    expect(ends.map(({ hz }) => hz)).toEqual(wanted);
    for (const [index, end] of ends.entries()) {
      expect(Math.abs(end.durationMs - 75)).toBeLessThan(5);
      expect(Math.abs(end.startMs - 203 - Math.floor(index / 2) * 160 - (index % 2) * 80)).toBeLessThan(5);
    }
  });

  it('takes no DTMF digit for a single tone, and a mixed string for what it is', () => {
    expect(detectedBy(STMF, lineOf(...segmentsOf(dtmf('1234567890ABCD*#')))).all).toEqual([]);
    const mixed = [...segmentsOf(stmf('0')), ...segmentsOf(dtmf('0#'))];
    expect(detectedBy(STMF, lineOf(...mixed)).ends.map(({ hz }) => hz)).toEqual([941, 1_336]);
  });

  it('ignores what is shorter than asked', () => {
    const wanted = [{ hz: 1_400, minMs: 80 }];
    expect(detectedBy(wanted, lineOf(tone(1_400, 55))).all).toEqual([]);
    expect(detectedBy(wanted, lineOf(tone(1_400, 80))).ends).toHaveLength(1);
    expect(detectedBy(HANDSHAKE, lineOf(tone(1_400, 20))).all).toEqual([]);
  });

  it('hears call progress tones between speech frequencies', () => {
    const bank = [{ hz: 425 }, { hz: 1_400 }];
    const { ends } = detectedBy(bank, lineOf(tone(425, 250, -12), silence(250), tone(425, 250, -12)));
    expect(ends.map(({ hz }) => hz)).toEqual([425, 425]);
    for (const { durationMs } of ends) expect(Math.abs(durationMs - 250)).toBeLessThan(5);
  });

  it('hears nothing in noise, and ends a tone when the stream breaks off', () => {
    const noise = new Int16Array(160_000);
    new NoiseSource(3).fill(noise, -12);
    expect(detectedBy(STMF, noise).all).toEqual([]);
    const all: DetectedTone[] = [];
    const bank = new ToneBank(HANDSHAKE, (event) => all.push(event));
    const samples = render([tone(1_400, 100)]);
    for (let i = 0; i < 5; i++) bank.push(samples.subarray(160 * i, 160 * i + 160), i, false);
    bank.push(new Int16Array(160), 90, false);
    expect(all.map(({ kind }) => kind)).toEqual(['begin', 'end']);
  });

  it('stays with a tone across a concealed frame', () => {
    const samples = lineOf(tone(2_300, 300));
    const all: DetectedTone[] = [];
    const bank = new ToneBank(HANDSHAKE, (event) => all.push(event));
    for (let tick = 0; tick * 160 < samples.length; tick++) {
      const from = tick === 15 ? 14 : tick;
      bank.push(samples.subarray(160 * from, 160 * from + 160), tick, tick === 15);
    }
    expect(all).toMatchObject([{ kind: 'begin' }, { kind: 'end', torn: true }]);
  });
});
