import { describe, expect, it } from 'vitest';
import { NoiseSource, peakOf, saturate } from '#appliance/media/audio/index.ts';
import { ALARM_PROFILE, dtmf, IVR_PROFILE, render, stmf } from '#appliance/media/dtmf/index.ts';
import { must } from '#test/support/media.ts';
import { bySize } from '#test/support/vitest/rounds.ts';
import { detectedBy, digitsOnLine, LAWS, through } from './digit-signal.ts';
import { endsOf, LEAD_MS, type StmfLine, stmfDetectedIn, stmfOnLine, textOf } from './stmf-signal.ts';

const FRAME = 'D#1016000012345678000000';
/** Every digit, and every one twice. */
const ALL = 'D#1234567890ABC*#D1122334455667788990AABBCC**##DD';

/** So many lines, each through a law: how many were heard right, and what was wrong in the others. */
function detectedOf(line: StmfLine, count = bySize(5, 20), text = FRAME) {
  const others: string[] = [];
  for (let seed = 1; seed <= count; seed++)
    for (const law of Object.values(LAWS)) {
      const detected = textOf(stmfDetectedIn(through(law, stmfOnLine(text, { ...line, seed }))));
      if (detected !== text) others.push(detected);
    }
  return others;
}

describe('digits in sequential tones', () => {
  it('are detected, repeats included, with edges within 5 ms and their levels', () => {
    for (const law of Object.values(LAWS)) {
      const detected = stmfDetectedIn(through(law, stmfOnLine(ALL, { rowDbm0: -16, columnDbm0: -20 })));
      expect(textOf(detected)).toBe(ALL);
      for (const [place, { startMs, durationMs, how, rowDbm0, columnDbm0 }] of endsOf(detected).entries()) {
        expect(how).toBe('heard');
        expect(Math.abs(startMs - LEAD_MS - place * 160)).toBeLessThan(5);
        expect(Math.abs(durationMs - 155)).toBeLessThan(5);
        expect(Math.abs((rowDbm0 ?? 0) + 16)).toBeLessThan(0.7);
        expect(Math.abs((columnDbm0 ?? 0) + 20)).toBeLessThan(0.7);
      }
    }
  });

  it('are detected from our own generator, too', () => {
    const said = render([
      { sines: [], ms: 203, rampMs: 0 },
      ...must(stmf(ALL)),
      { sines: [], ms: 200, rampMs: 0 },
    ]);
    const whole = new Int16Array(Math.ceil(said.length / 160) * 160);
    whole.set(said);
    expect(textOf(stmfDetectedIn(whole))).toBe(ALL);
  });

  it.each([
    ['-6 dBm0', { rowDbm0: -6, columnDbm0: -6 }],
    ['-30 dBm0', { rowDbm0: -30, columnDbm0: -30 }],
    ['6 dB louder columns', { rowDbm0: -20, columnDbm0: -14 }],
    ['6 dB louder rows', { rowDbm0: -14, columnDbm0: -20 }],
    ['noise 24 dB below', { snrDb: 24 }],
    ['noise 15 dB below', { snrDb: 15 }],
    ['noise 12 dB below', { snrDb: 12 }],
    ['noise 15 dB below, at -25 dBm0 and 6 dB apart', { rowDbm0: -25, columnDbm0: -31, snrDb: 21 }],
    ['1.5 % high', { rowDeviation: 0.015, columnDeviation: 0.015 }],
    ['1.5 % low', { rowDeviation: -0.015, columnDeviation: -0.015 }],
    ['1.5 % off, in noise 20 dB below', { rowDeviation: 0.015, columnDeviation: -0.015, snrDb: 20 }],
    ['10 % slow', { rowMs: 82, gapMs: 6, columnMs: 82, digitMs: 176 }],
    ['10 % fast', { rowMs: 68, gapMs: 4, columnMs: 68, digitMs: 144 }],
    ['70 and 80 ms of tone', { rowMs: 70, gapMs: 10, columnMs: 75 }],
  ] as const)('at %s', (_, line) => {
    expect(detectedOf(line)).toEqual([]);
  });

  it.each([
    ['3.5 % high rows', { rowDeviation: 0.035 }],
    ['3.5 % low columns', { columnDeviation: -0.035 }],
    ['-40 dBm0', { rowDbm0: -40, columnDbm0: -40 }],
    ['14 dB apart', { rowDbm0: -10, columnDbm0: -24 }],
    ['20 ms of tone', { rowMs: 20, gapMs: 60, columnMs: 20 }],
  ] as const)('are not detected at %s', (_, line) => {
    for (const law of Object.values(LAWS))
      expect(textOf(stmfDetectedIn(through(law, stmfOnLine(FRAME, line)))).replaceAll('?', '')).toBe('');
  });

  it.each([
    [0.01, 100],
    [0.02, 98],
  ])(
    'with %d of the packets lost: most frames whole, the others with a mark and never another digit',
    (share, least) => {
      const samples = stmfOnLine(FRAME);
      let whole = 0;
      for (let seed = 1; seed <= 100; seed++) {
        const ends = endsOf(stmfDetectedIn(samples, { share, seed }));
        const text = textOf(ends);
        if (text === FRAME) whole++;
        // A certain digit stands where it was said.
        else
          for (const { digit, startMs, how } of ends)
            if (how === 'heard') expect(digit).toBe(FRAME[Math.round((startMs - LEAD_MS) / 160)]);
      }
      expect(whole).toBeGreaterThanOrEqual(least);
    },
  );

  it('say ? for half a digit, and the one before for none', () => {
    const text = (row: false | undefined, column: false | undefined) =>
      textOf(
        stmfDetectedIn(
          stmfOnLine([
            ...'D#10',
            { digit: '7', ...(row === false && { row }), ...(column === false && { column }) },
            ...'89',
          ]),
        ),
      );
    expect(text(undefined, false)).toBe('D#10?89');
    expect(text(false, undefined)).toBe('D#10?89');
    expect(text(false, false)).toBe('D#10089');
  });
});

describe('no digit in sequential tones', () => {
  it.each([2, 6, 8])('is in DTMF %d dB apart', (twistDb) => {
    for (const sign of [1, -1]) {
      const { samples } = digitsOnLine({
        count: 200,
        lowDbm0: -10,
        highDbm0: -10 + sign * twistDb,
        onMs: 80,
        offMs: 80,
      });
      expect(textOf(stmfDetectedIn(samples))).toBe('');
    }
    expect(textOf(stmfDetectedIn(render(must(dtmf('D#1016000012345678000000')))))).toBe('');
  });

  it('is in noise', () => {
    const noise = new Int16Array(8_000 * 60);
    new NoiseSource(3).fill(noise, -12);
    expect(stmfDetectedIn(noise).filter(({ kind }) => kind !== 'sounds')).toEqual([]);
  });

  it('is in a voice: harmonics that glide, begin and end', () => {
    const random = new NoiseSource(99);
    const chance = (from: number, to: number) => from + ((random.next() + 1) / 2) * (to - from);
    const samples = new Int16Array(8_000 * 180);
    for (let at = 0; at < samples.length; ) {
      const length = Math.round(chance(60, 350) * 8);
      const [from, to] = [chance(90, 480), chance(90, 480)];
      const [first, second] = [chance(300, 950), chance(900, 2_400)];
      const peak = peakOf(chance(-30, -10));
      let turn = 0;
      for (let i = 0; i < length && at + i < samples.length; i++) {
        const hz = from + ((to - from) * i) / length;
        turn += hz / 8_000;
        let value = 0;
        for (let n = 1; n * hz < 3_400; n++) {
          const near = (hzOf: number) => 1 / (1 + ((n * hz - hzOf) / 80) ** 2);
          value += (near(first) + near(second) / 2 + 0.02) * Math.sin(2 * Math.PI * n * turn);
        }
        samples[at + i] = saturate(Math.round(value * peak));
      }
      at += length + (random.next() > 0.5 ? Math.round(chance(5, 120) * 8) : 0);
    }
    expect(textOf(stmfDetectedIn(samples)).replaceAll('?', '')).toBe('');
  });

  it('and no DTMF digit in sequential tones', () => {
    const samples = stmfOnLine(ALL);
    for (const profile of [ALARM_PROFILE, IVR_PROFILE]) expect(detectedBy(profile, samples)).toEqual([]);
  });
});
