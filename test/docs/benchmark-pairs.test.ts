import { describe, expect, it } from 'vitest';
import { boundOf } from '#test/bench/pair/pair.ts';

describe('the bound of a ratio in pairs', () => {
  it('is the ratio itself where all pairs agree', () => {
    const { ratio, upper } = boundOf([1.02, 1.02, 1.02]);
    expect([ratio, upper]).toEqual([expect.closeTo(1.02, 9), expect.closeTo(1.02, 9)]);
  });

  it('is wide where few pairs disagree, and narrower with more of them', () => {
    // Student: 6.314 of one degree of freedom, 1.796 of eleven.
    const few = boundOf([1.02, 0.98]);
    expect(few.ratio).toBeCloseTo(0.9998, 4);
    expect(few.upper).toBeCloseTo(Math.exp(Math.log(few.ratio) + 6.314 * 0.020_003), 3);
    const many = boundOf(Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 1.02 : 0.98)));
    expect(many.upper).toBeCloseTo(Math.exp(Math.log(few.ratio) + (1.796 * 0.020_891) / Math.sqrt(12)), 3);
  });

  it('proves nothing with one pair', () => {
    expect(boundOf([0.5]).upper).toBe(Number.POSITIVE_INFINITY);
  });
});
