import { expect, it } from 'vitest';
import { readSpentHint, spentHint } from '#cloud/shard/index.ts';

it('is read as it was written; another hint is none, and one of another version says nothing', () => {
  const hint = { from: 'r1', spent: { 'runtime in t': 12 } };
  expect(readSpentHint(spentHint(hint))).toEqual(hint);
  expect(readSpentHint('change')).toBeUndefined();
  for (const text of ['spent ', 'spent {', 'spent {"from":1}', 'spent {"from":"r1","spent":{"a":"b"}}'])
    expect(readSpentHint(text)).toEqual({ from: '', spent: {} });
});
