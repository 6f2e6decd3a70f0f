import { describe, expect, test } from 'vitest';
import { weightedOrder } from '#appliance/sip/location/index.ts';

/** Numbers that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const entry = (name: string, priority: number, weight: number) => ({ name, priority, weight });

describe('RFC 2782', () => {
  test('every entry once, by priority', () => {
    const entries = [entry('c', 20, 0), entry('a', 10, 5), entry('b', 10, 5), entry('d', 30, 1)];
    for (let seed = 0; seed < 50; seed++) {
      const order = weightedOrder(entries, seeded(seed)).map(({ name }) => name);
      expect(order.slice(0, 2).sort()).toEqual(['a', 'b']);
      expect(order.slice(2)).toEqual(['c', 'd']);
    }
  });

  test('first place in proportion to weight', () => {
    const random = seeded(7);
    const firsts: Record<string, number> = {};
    for (let i = 0; i < 10_000; i++) {
      const [first] = weightedOrder(
        [entry('one', 1, 10), entry('three', 1, 30), entry('none', 1, 0)],
        random,
      );
      firsts[first?.name ?? ''] = (firsts[first?.name ?? ''] ?? 0) + 1;
    }
    expect((firsts.one ?? 0) / 10_000).toBeCloseTo(0.25, 1);
    expect((firsts.three ?? 0) / 10_000).toBeCloseTo(0.75, 1);
    expect(firsts.none ?? 0).toBeLessThan(10);
  });

  test('all of weight 0: each stands once', () => {
    expect(weightedOrder([entry('a', 1, 0), entry('b', 1, 0)], () => 0.99)).toHaveLength(2);
  });

  test('nothing stays nothing', () => {
    expect(weightedOrder([], () => 0)).toEqual([]);
  });
});
