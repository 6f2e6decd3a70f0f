import { expect, it } from 'vitest';
import { LatelySeen } from '#shared/lately-seen.ts';

it('knows a name for as long as it says, since the name was last seen', () => {
  const seen = new LatelySeen(10_000);
  seen.add('a', 0);
  seen.add('b', 4_000);
  expect(seen.has('a', 9_999)).toBe(true);
  seen.add('a', 9_999);
  expect([seen.has('a', 14_000), seen.has('b', 14_000)]).toEqual([true, false]);
  expect([seen.has('a', 19_999), seen.has('c', 19_999)]).toEqual([false, false]);
});
