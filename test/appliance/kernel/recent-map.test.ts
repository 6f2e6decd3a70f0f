import { describe, expect, test } from 'vitest';
import { RecentMap } from '#appliance/kernel/recent-map.ts';

describe('what was set lately', () => {
  test('the newest are always there, and never more than twice as many', () => {
    const map = new RecentMap<number, string>(100);
    for (let key = 0; key < 1_000; key++) {
      map.set(key, `value ${key}`);
      for (let newest = Math.max(0, key - 99); newest <= key; newest++)
        expect(map.get(newest)).toBe(`value ${newest}`);
      expect(map.has(key - 200)).toBe(false);
    }
    expect(map.take().length).toBeLessThanOrEqual(200);
  });

  test('a key set again has its new value, wherever its old one is', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 1);
    map.set('a', 2);
    expect(map.get('a')).toBe(2);
  });

  test('taken, nothing is left', () => {
    const map = new RecentMap<string, number>(2);
    for (const key of ['a', 'b', 'c']) map.set(key, 1);
    expect(map.take().map(([key]) => key)).toEqual(['a', 'b', 'c']);
    expect(map.take()).toEqual([]);
    expect(map.has('c')).toBe(false);
  });
});
