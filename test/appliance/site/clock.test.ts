import { expect, it } from 'vitest';
import { clockAtStart, offsetOf, stepClock, unknownClock } from '#appliance/site/index.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

it('a clock that stood still is set to the last good time, any other is left alone', () => {
  expect(clockAtStart(0, NOW)).toBe(NOW);
  expect(clockAtStart(NOW + 1, NOW)).toBeUndefined();
  expect(clockAtStart(0, undefined)).toBeUndefined();
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
