import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  ALARM_PROFILE,
  type DetectedDigit,
  DIGITS,
  DtmfDetector,
  dtmf,
  IVR_PROFILE,
  render,
} from '#appliance/media/dtmf/index.ts';
import { bySize } from '#test/support/vitest/rounds.ts';
import { detectedBy, digitsOnLine, LAWS, type Line, score, through } from './digit-signal.ts';

const COUNT = bySize(100, 400);
const PROFILES = { alarm: ALARM_PROFILE, ivr: IVR_PROFILE } as const;
const EVERY_CHANNEL = (['alarm', 'ivr'] as const).flatMap((profile) =>
  (['PCMA', 'PCMU'] as const).map((law) => ({ profile, law })),
);

/** Twist is the high group over the low group. */
const ACCEPT: Record<string, Line> = {
  '40/40 ms at -20 dBm0': { onMs: 40, offMs: 40, lowDbm0: -20, highDbm0: -20 },
  '50/50 ms at -20 dBm0': { lowDbm0: -20, highDbm0: -20 },
  '70/40 ms at -20 dBm0': { onMs: 70, offMs: 40, lowDbm0: -20, highDbm0: -20 },
  '40/40 ms at -25 dBm0': { onMs: 40, offMs: 40, lowDbm0: -25, highDbm0: -25 },
  '-30 dBm0': { lowDbm0: -30, highDbm0: -30 },
  '-3 dBm0': { lowDbm0: -3, highDbm0: -3 },
  'twist +4 dB': { lowDbm0: -14 },
  'twist -4 dB': { highDbm0: -14 },
  'twist +8 dB': { lowDbm0: -18 },
  'twist -8 dB': { highDbm0: -18 },
  'noise 24 dB': { snrDb: 24 },
  'noise 20 dB': { snrDb: 20 },
  'noise 18 dB': { snrDb: 18 },
  'noise 15 dB': { snrDb: 15 },
  'noise 12 dB': { snrDb: 12 },
  'noise 10 dB': { snrDb: 10 },
  'noise 15 dB with twist +6 dB': { snrDb: 15, lowDbm0: -16 },
  'both 1.5 % high': { lowDeviation: 0.015, highDeviation: 0.015 },
  'both 1.5 % low': { lowDeviation: -0.015, highDeviation: -0.015 },
  'low group 1.5 % high, high group 1.5 % low, noise 20 dB': {
    lowDeviation: 0.015,
    highDeviation: -0.015,
    snrDb: 20,
  },
  'low group 1.5 % low, high group 1.5 % high, twist +4 dB': {
    lowDeviation: -0.015,
    highDeviation: 0.015,
    lowDbm0: -14,
  },
  'both 1.5 % off, 40/40 ms at -25 dBm0': {
    onMs: 40,
    offMs: 40,
    lowDbm0: -25,
    highDbm0: -25,
    lowDeviation: -0.015,
    highDeviation: 0.015,
  },
  'pauses of 30 ms': { offMs: 30 },
};

const REJECT: Record<string, Line> = {
  '23 ms': { onMs: 23 },
  '20 ms': { onMs: 20 },
  '23 ms, loud': { onMs: 23, lowDbm0: -3, highDbm0: -3 },
  'both 3.5 % high': { onMs: 80, lowDeviation: 0.035, highDeviation: 0.035 },
  'both 3.5 % low': { onMs: 80, lowDeviation: -0.035, highDeviation: -0.035 },
  'low 3.5 % high, high 3.5 % low': { onMs: 80, lowDeviation: 0.035, highDeviation: -0.035 },
  'low 3.5 % low, high 3.5 % high': { onMs: 80, lowDeviation: -0.035, highDeviation: 0.035 },
  'only the low group 3.5 % off': { onMs: 80, lowDeviation: 0.035 },
  'only the high group 3.5 % off': { onMs: 80, highDeviation: -0.035 },
  'below the floor': { onMs: 80, lowDbm0: -40, highDbm0: -40 },
  'twist 14 dB': { onMs: 80, highDbm0: -24 },
};

describe.each(EVERY_CHANNEL)('$profile profile through $law', ({ profile, law }) => {
  const listen = (line: Line) => {
    const sent = digitsOnLine({ ...line, count: COUNT, seed: 3 });
    return score(detectedBy(PROFILES[profile], through(LAWS[law], sent.samples)), sent.digits);
  };

  it.each(Object.entries(ACCEPT))('hears every digit: %s', (_, line) => {
    const { startErrorMs, lengthErrorMs, ...counts } = listen(line);
    expect(counts).toEqual({ hits: COUNT, extra: 0 });
    expect(startErrorMs).toBeLessThan(5);
    expect(lengthErrorMs).toBeLessThan(5);
  });

  it.each(Object.entries(REJECT))('hears nothing: %s', (_, line) => {
    expect(listen(line)).toMatchObject({ hits: 0, extra: 0 });
  });
});

describe('between must and must not', () => {
  it.each([
    { onMs: 35, offMs: 35, least: COUNT },
    { onMs: 30, offMs: 50, least: 0.98 * COUNT },
    { onMs: 50, offMs: 25, least: COUNT },
  ])('hears $onMs/$offMs ms', ({ onMs, offMs, least }) => {
    const sent = digitsOnLine({ onMs, offMs, count: COUNT, seed: 5 });
    const { hits, extra } = score(detectedBy(ALARM_PROFILE, sent.samples), sent.digits);
    expect(hits).toBeGreaterThanOrEqual(least);
    expect(extra).toBe(0);
  });

  it('takes an interruption of 10 ms for part of the digit', () => {
    const digit = render(segmentsOf('5', 60, 0));
    const samples = Int16Array.from([
      ...new Int16Array(800),
      ...digit,
      ...new Int16Array(80),
      ...digit,
      ...new Int16Array(1_120),
    ]);
    const ends = detectedBy(ALARM_PROFILE, samples).filter((event) => event.kind === 'end');
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ digit: '5', torn: false });
    expect(Math.abs((ends[0]?.durationMs ?? 0) - 130)).toBeLessThan(5);
  });
});

const segmentsOf = (digits: string, onMs: number, offMs: number) => {
  const segments = dtmf(digits, { onMs, offMs });
  if (!segments.ok) throw new Error(segments.error.reason);
  return segments.value;
};

describe('the report of a digit', () => {
  it.each([50, 80, 100, 200, 250, 500, 600, 1_000])(
    'measures %d ms within 5 ms at 15 dB of noise',
    (onMs) => {
      const sent = digitsOnLine({ onMs, offMs: 100, snrDb: 15, count: 40, seed: 7 });
      const result = score(detectedBy(ALARM_PROFILE, through(LAWS.PCMA, sent.samples)), sent.digits);
      expect(result).toMatchObject({ hits: 40, extra: 0 });
      expect(result.lengthErrorMs).toBeLessThan(5);
    },
  );

  it('measures the pause between request and answer within 5 ms', () => {
    const samples = render([
      ...segmentsOf('B', 600, 80),
      ...segmentsOf('A', 80, 80),
      ...segmentsOf('1', 80, 80),
      ...segmentsOf('1', 80, 200),
    ]);
    const ends = detectedBy(ALARM_PROFILE, through(LAWS.PCMA, samples)).filter(
      (event) => event.kind === 'end',
    );
    expect(ends.map(({ digit }) => digit).join('')).toBe('BA11');
    for (const [index, end] of ends.slice(1).entries()) {
      const before = ends[index];
      const pauseMs = end.startMs - (before?.startMs ?? 0) - (before?.durationMs ?? 0);
      expect(Math.abs(pauseMs - 80)).toBeLessThan(5);
    }
  });

  it('measures levels and twist within 0.5 dB', () => {
    const sent = digitsOnLine({ count: 60, onMs: 80, lowDbm0: -17, highDbm0: -13.5, seed: 2 });
    for (const event of detectedBy(ALARM_PROFILE, through(LAWS.PCMU, sent.samples))) {
      if (event.kind !== 'end') continue;
      expect(Math.abs(event.lowDbm0 + 17)).toBeLessThan(0.5);
      expect(Math.abs(event.highDbm0 + 13.5)).toBeLessThan(0.5);
      expect(Math.abs(event.twistDb - 3.5)).toBeLessThan(0.5);
    }
  });

  it('reports the beginning within 40 ms of the onset, that is with the second frame', () => {
    const samples = render(segmentsOf('0', 400, 100));
    expect(detectedBy(ALARM_PROFILE, samples.subarray(0, 160))).toEqual([]);
    expect(detectedBy(ALARM_PROFILE, samples.subarray(0, 320)).map(({ kind }) => kind)).toEqual(['begin']);
  });

  it('hears each of the sixteen digits by its name', () => {
    const detected = detectedBy(IVR_PROFILE, render(segmentsOf(DIGITS, 60, 60)));
    expect(
      detected
        .filter(({ kind }) => kind === 'begin')
        .map(({ digit }) => digit)
        .join(''),
    ).toBe(DIGITS);
  });

  it('ends what sounds when the stream breaks off, and dates by ticks', () => {
    const samples = render(segmentsOf('7', 200, 0));
    const detected: DetectedDigit[] = [];
    const detector = new DtmfDetector(ALARM_PROFILE, (event) => detected.push(event));
    for (let i = 0; i < 10; i++) detector.push(samples.subarray(160 * i, 160 * i + 160), 100 + i, false);
    detector.push(new Int16Array(160), 500, false);
    expect(detected.map(({ kind, digit }) => kind + digit)).toEqual(['begin7', 'end7']);
    for (const { startMs } of detected) expect(Math.abs(startMs - 2_000)).toBeLessThan(5);
  });
});

describe('loss', () => {
  /** Limits that media engines of this kind reach; the measured figures stand in the README. */
  it.each([
    { onMs: 50, offMs: 50, share: 0.01, least: 0.991 },
    { onMs: 50, offMs: 50, share: 0.02, least: 0.975 },
    { onMs: 80, offMs: 80, share: 0.02, least: 0.995 },
    { onMs: 100, offMs: 100, share: 0.02, least: 1 },
  ])('hears $onMs/$offMs ms digits with $share lost, none twice', ({ onMs, offMs, share, least }) => {
    let [hits, extra, sentCount] = [0, 0, 0];
    for (const seed of [11, 12, 13, 14, 15]) {
      const sent = digitsOnLine({ onMs, offMs, seed });
      const result = score(
        detectedBy(ALARM_PROFILE, through(LAWS.PCMA, sent.samples), { share, seed }),
        sent.digits,
      );
      hits += result.hits;
      extra += result.extra;
      sentCount += sent.digits.length;
    }
    expect(hits / sentCount).toBeGreaterThanOrEqual(least);
    expect(extra).toBe(0);
  });
});

describe('talk-off', () => {
  it('hears no digit in noise of any level', () => {
    const samples = new Int16Array(8_000 * 20);
    for (const levelDbm0 of [-3, -20, -35]) {
      new NoiseSource(levelDbm0).fill(samples, levelDbm0);
      expect(detectedBy(ALARM_PROFILE, samples)).toEqual([]);
    }
  });

  it('hears no digit in five minutes of a synthetic voice', () => {
    expect(detectedBy(ALARM_PROFILE, through(LAWS.PCMA, voice(300, 9)))).toEqual([]);
  });
});

/** Vowels that glide: pulses of a wandering pitch through three wandering resonances, with breaths between. */
function voice(seconds: number, seed: number): Int16Array {
  const random = new NoiseSource(seed);
  const out = new Int16Array(seconds * 8_000);
  const formants = [500, 1_300, 2_400];
  const targets = [...formants];
  const held = formants.map(() => [0, 0]);
  let [pitch, pitchTarget, phase, gain, gainTarget] = [120, 140, 0, 0, 1];
  for (let i = 0; i < out.length; i++) {
    if (i % 1_200 === 0) {
      for (const [k, range] of [
        [250, 900],
        [700, 2_300],
        [2_000, 3_200],
      ].entries()) {
        targets[k] = (range[0] ?? 0) + ((random.next() + 1) / 2) * ((range[1] ?? 0) - (range[0] ?? 0));
      }
      pitchTarget = 80 + ((random.next() + 1) / 2) * 240;
      gainTarget = random.next() < -0.6 ? 0 : 1;
    }
    pitch += (pitchTarget - pitch) * 0.001;
    gain += (gainTarget - gain) * 0.003;
    phase += pitch / 8_000;
    let value = random.next() * 30;
    if (phase >= 1) {
      phase -= 1;
      value += 12_000 * gain;
    }
    for (const [k, pair] of held.entries()) {
      const hz = (formants[k] ?? 0) + ((targets[k] ?? 0) - (formants[k] ?? 0)) * 0.001;
      formants[k] = hz;
      const radius = 0.975;
      const next =
        value * 0.25 +
        2 * radius * Math.cos((2 * Math.PI * hz) / 8_000) * (pair[0] ?? 0) -
        radius * radius * (pair[1] ?? 0);
      held[k] = [next, pair[0] ?? 0];
      value = next;
    }
    out[i] = Math.max(-32_768, Math.min(32_767, Math.round(value)));
  }
  return out;
}
