import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '#shared/bounded-map.ts';

function filled(most: number, count: number): BoundedMap<number, string> {
  const map = new BoundedMap<number, string>(most);
  for (let key = 0; key < count; key++) map.set(key, `v${key}`);
  return map;
}

describe('a full map', () => {
  it('lets the key go that was set longest ago', () => {
    const map = filled(3, 5);
    expect([...map]).toEqual([
      [2, 'v2'],
      [3, 'v3'],
      [4, 'v4'],
    ]);
    expect([map.size, map.has(1), map.get(1), map.get(4)]).toEqual([3, false, undefined, 'v4']);
  });

  it('counts a key as new that is set again', () => {
    const map = filled(3, 3);
    map.set(0, 'again');
    map.set(3, 'v3');
    expect([...map.keys()]).toEqual([2, 0, 3]);
    expect(map.get(0)).toBe('again');
  });

  it('counts a key as new that is used, and not one that is read', () => {
    const map = filled(3, 3);
    expect([map.use(0), map.get(1), map.use(9)]).toEqual(['v0', 'v1', undefined]);
    map.set(3, 'v3');
    expect([...map.keys()]).toEqual([2, 0, 3]);
    expect(map.has(9)).toBe(false);
  });
});

it('has room again where a key was deleted', () => {
  const map = filled(3, 3);
  expect([map.delete(1), map.delete(1)]).toEqual([true, false]);
  map.set(3, 'v3');
  expect([...map.values()]).toEqual(['v0', 'v2', 'v3']);
  map.set(4, 'v4');
  expect([...map.keys()]).toEqual([2, 3, 4]);
});

it('is empty after clear, and fills again', () => {
  const map = filled(2, 5);
  map.clear();
  expect(map.size).toBe(0);
  for (const key of [7, 8, 9]) map.set(key, '');
  expect([...map.keys()]).toEqual([8, 9]);
});

it('holds what a list of the newest holds, whatever is set, used and deleted', () => {
  const map = new BoundedMap<number, number>(7);
  let newest: number[] = [];
  let seed = 1;
  for (let step = 0; step < 5_000; step++) {
    seed = (seed * 48_271) % 2_147_483_647;
    const key = seed % 20;
    const what = step % 5;
    if (what === 3) {
      map.delete(key);
      newest = newest.filter((each) => each !== key);
      continue;
    }
    const isMissed = what === 4 && map.use(key) === undefined;
    if (isMissed) continue;
    if (what !== 4) map.set(key, step);
    newest = [...newest.filter((each) => each !== key), key].slice(-7);
    expect([...map.keys()]).toEqual(newest);
  }
});

describe('memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapBytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  it.each([
    [6, 2_000],
    [1_999, 2_000],
    [2_000, 2_000],
  ])('does not grow with the uses of %i keys of at most %i', (count, most) => {
    const map = filled(most, count);
    const before = heapBytes();
    for (let step = 0; step < 200_000; step++) map.use(step % count);
    // An iterator that stays where it was holds 50 bytes for each use.
    expect(heapBytes() - before).toBeLessThan(1_000_000);
    expect(map.size).toBe(count);
  });
});
