import { expect, it } from 'vitest';
import {
  batchClock,
  clockAtStart,
  noteBoot,
  offsetOf,
  stepClock,
  unknownClock,
} from '#appliance/site/system/index.ts';
import { bootNotesSchema } from '#shared/contract/feed/index.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

it('a clock that stood still is set to the last good time, any other is left alone', () => {
  expect(clockAtStart(0, NOW, false)).toBe(NOW);
  expect(clockAtStart(0, NOW, undefined)).toBe(NOW);
  expect(clockAtStart(NOW + 1, NOW, false)).toBeUndefined();
  expect(clockAtStart(0, undefined, false)).toBeUndefined();
});

it('a clock that has a source is not set to a future that it once showed', () => {
  expect(clockAtStart(NOW, Date.parse('2100-01-01T00:00:00Z'), true)).toBeUndefined();
});

it.each([
  ['two minutes ahead of ours', 'Sat, 21 Nov 2026 12:02:00 GMT', 100, 120_450],
  ['about the same', 'Sat, 21 Nov 2026 12:00:01 GMT', 100, 0],
  ['more than ten minutes off', 'Sat, 21 Nov 2026 12:11:00 GMT', 100, undefined],
  ['a slow answer', 'Sat, 21 Nov 2026 12:02:00 GMT', 6_000, undefined],
  ['no date', undefined, 100, undefined],
  ['no real date', 'yesterday', 100, undefined],
] as const)('the Date of an answer: %s', (_, date, tookMs, offset) => {
  expect(offsetOf({ date, sentMs: NOW, receivedMs: NOW + tookMs })).toBe(offset);
});

it('counts only while the clock has no source, and is forgotten with one', () => {
  const answer = {
    kind: 'answer',
    date: 'Sat, 21 Nov 2026 12:02:00 GMT',
    sentMs: NOW,
    receivedMs: NOW,
  } as const;
  expect(stepClock(unknownClock, answer).offsetMs).toBe(0);
  const alone = stepClock(unknownClock, { kind: 'source', synchronised: false });
  const corrected = stepClock(alone, answer);
  expect(corrected.offsetMs).toBe(120_500);
  // Seconds of the header come and go.
  expect(stepClock(corrected, { ...answer, sentMs: NOW + 900, receivedMs: NOW + 900 })).toBe(corrected);
  expect(stepClock(corrected, { kind: 'source', synchronised: true }).offsetMs).toBe(0);
});

it('the first moment at which a boot had the right time is kept, over restarts of the program', () => {
  const began = noteBoot([], { boot: 7, mono: 20_000, ts: 20_000 }, false);
  expect(batchClock(began, 7, false)).toEqual({ from: 20_000, sync: false, pairs: [] });
  // A later life of the program, still without a source.
  expect(noteBoot(began, { boot: 7, mono: 90_000, ts: 90_000 }, undefined)).toBe(began);
  const right = noteBoot(began, { boot: 7, mono: 100_000, ts: NOW }, true);
  expect(batchClock(right, 7, true)).toEqual({
    from: 20_000,
    sync: true,
    pairs: [{ boot: 7, from: 20_000, mono: 100_000, ts: NOW }],
  });
  expect(noteBoot(right, { boot: 7, mono: 200_000, ts: NOW + 100_000 }, true)).toBe(right);
  const next = noteBoot(right, { boot: 8, mono: 9_000, ts: NOW + 500_000 }, undefined);
  expect(batchClock(next, 8, undefined)).toMatchObject({ from: 9_000, pairs: [{ boot: 7 }] });
  expect(bootNotesSchema.parse(JSON.parse(JSON.stringify(next)))).toEqual(next);
});

it('sixteen boots are remembered', () => {
  let notes = noteBoot([], { boot: 1, mono: 1, ts: 1 }, true);
  for (let boot = 2; boot <= 20; boot++) notes = noteBoot(notes, { boot, mono: 1, ts: boot }, true);
  expect(notes.map(({ boot }) => boot)).toEqual(Array.from({ length: 16 }, (_, at) => at + 5));
});
