import { describe, expect, it } from 'vitest';
import {
  ALAW_OF_ULAW,
  ALAW_SILENCE,
  type Codec,
  pcma,
  pcmu,
  ULAW_OF_ALAW,
  ULAW_SILENCE,
} from '#appliance/media/audio/index.ts';

const EVERY_CODE = Uint8Array.from({ length: 256 }, (_, code) => code);
const EVERY_SAMPLE = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);

const decoded = (codec: Codec, codes: Uint8Array): Int16Array => {
  const out = new Int16Array(codes.length);
  expect(codec.decode(codes, 0, codes.length, out)).toBe(codes.length);
  return out;
};
const encoded = (codec: Codec, samples: Int16Array): Uint8Array => {
  const out = new Uint8Array(samples.length);
  expect(codec.encode(samples, out, 0)).toBe(samples.length);
  return out;
};

/**
 * Output values of G.711 as its tables print them, per segment: the first value and the step, 16 values each, for
 * positive input, in units of the standard (13 bits for A-law, 14 bits for mu-law).
 */
const ALAW_SEGMENTS = [
  [1, 2],
  [33, 2],
  [66, 4],
  [132, 8],
  [264, 16],
  [528, 32],
  [1056, 64],
  [2112, 128],
] as const;
const ULAW_SEGMENTS = [
  [0, 2],
  [33, 4],
  [99, 8],
  [231, 16],
  [495, 32],
  [1023, 64],
  [2079, 128],
  [4191, 256],
] as const;

/** Decision values: where an interval begins, per segment the first and the step, in the same units. */
const ALAW_DECISIONS = [
  [0, 2],
  [32, 2],
  [64, 4],
  [128, 8],
  [256, 16],
  [512, 32],
  [1024, 64],
  [2048, 128],
] as const;
/** The first interval of mu-law, 0 to 1, is half as wide as its neighbours: -1 stands for its missing half. */
const ULAW_DECISIONS = [
  [-1, 2],
  [31, 4],
  [95, 8],
  [223, 16],
  [479, 32],
  [991, 64],
  [2015, 128],
  [4063, 256],
] as const;

const positives = (segments: readonly (readonly [number, number])[], unit: number): number[] =>
  segments.flatMap(([first, step]) => Array.from({ length: 16 }, (_, i) => (first + i * step) * unit));

const [ALAW_UNIT, ULAW_UNIT] = [8, 4];

describe.each([
  {
    law: 'A-law',
    codec: pcma,
    unit: ALAW_UNIT,
    values: positives(ALAW_SEGMENTS, ALAW_UNIT),
    decisions: positives(ALAW_DECISIONS, 1),
    clip: 32_256,
    invert: 0x55,
  },
  {
    law: 'mu-law',
    codec: pcmu,
    unit: ULAW_UNIT,
    values: positives(ULAW_SEGMENTS, ULAW_UNIT),
    decisions: positives(ULAW_DECISIONS, 1),
    clip: 32_124,
    invert: 0x7f,
  },
])('$law', ({ codec, unit, values, decisions, clip, invert }) => {
  const linear = decoded(codec, EVERY_CODE);

  it('decodes every code to the value in the tables of G.711', () => {
    for (const [index, value] of values.entries()) {
      expect(linear[(0x80 | index) ^ invert]).toBe(value);
      expect(linear[index ^ invert]).toBe(value === 0 ? 0 : -value);
    }
    expect(values.at(-1)).toBe(clip);
  });

  it('encodes every input by the decision values of G.711', () => {
    const codes = encoded(codec, EVERY_SAMPLE);
    for (const [index, sample] of EVERY_SAMPLE.entries()) {
      // Ones' complement for negative input: decision values are mirrored between -1 and 0.
      const magnitude = (sample < 0 ? ~sample : sample) / unit;
      const interval = decisions.findLastIndex((value) => value <= magnitude);
      expect(codes[index]).toBe((sample < 0 ? interval : 0x80 | interval) ^ invert);
    }
  });

  it('is monotonic and keeps the sign', () => {
    const again = decoded(codec, encoded(codec, EVERY_SAMPLE));
    for (let i = 1; i < again.length; i++) expect((again[i] ?? 0) >= (again[i - 1] ?? 0)).toBe(true);
    expect(again[0]).toBe(-clip);
    expect(again.at(-1)).toBe(clip);
  });

  it('gives back its own codes, but for the second zero of mu-law', () => {
    const again = encoded(codec, linear);
    const changed = EVERY_CODE.filter((code) => again[code] !== code);
    expect([...changed]).toEqual(codec === pcmu ? [0x7f] : []);
  });

  it('works at an offset and answers the count', () => {
    const target = new Uint8Array(10).fill(1);
    codec.encode(Int16Array.of(clip, -clip), target, 4);
    expect([...target.subarray(0, 4), ...target.subarray(6)]).toEqual(new Array(8).fill(1));
    const out = new Int16Array(2);
    expect(codec.decode(target, 4, 2, out)).toBe(2);
    expect([...out]).toEqual([clip, -clip]);
  });
});

describe('known codes', () => {
  it('silence and the digital milliwatt', () => {
    expect([ALAW_SILENCE, ULAW_SILENCE]).toEqual([0xd5, 0xff]);
    // G.711 tables 5 and 6: 1 kHz at 0 dBm0, one period in eight codes.
    const milliwattA = decoded(pcma, Uint8Array.of(0x34, 0x21, 0x21, 0x34, 0xb4, 0xa1, 0xa1, 0xb4));
    const milliwattU = decoded(pcmu, Uint8Array.of(0x1e, 0x0b, 0x0b, 0x1e, 0x9e, 0x8b, 0x8b, 0x9e));
    expect([...milliwattA]).toEqual([-8960, -20992, -20992, -8960, 8960, 20992, 20992, 8960]);
    expect([...milliwattU]).toEqual([-8828, -20860, -20860, -8828, 8828, 20860, 20860, 8828]);
  });

  it('goes from law to law as through linear samples', () => {
    expect([...ULAW_OF_ALAW]).toEqual([...encoded(pcmu, decoded(pcma, EVERY_CODE))]);
    expect([...ALAW_OF_ULAW]).toEqual([...encoded(pcma, decoded(pcmu, EVERY_CODE))]);
  });
});
