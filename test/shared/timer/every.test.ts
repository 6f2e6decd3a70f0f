import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { every } from '#shared/timer/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Times on the clock of the process at which each of them ran, ms. */
function ran(...startsMs: readonly number[]) {
  const beganMs = performance.now();
  const times = startsMs.map((): number[] => []);
  const stops = startsMs.map((atMs, place) => {
    vi.advanceTimersByTime(atMs - (performance.now() - beganMs));
    return every(1_000, () => times[place]?.push(performance.now()));
  });
  const stop = (): void => {
    for (const each of stops) each();
  };
  return { times, stop };
}

it('runs what began at different times at the same moments', () => {
  const { times, stop } = ran(130, 480, 900);
  vi.advanceTimersByTime(10_000);
  stop();
  const [first = [], second = [], third = []] = times.map((each) => each.slice(-8));
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  for (const time of first) expect(time % 1_000).toBe(0);
  expect(first.at(-1)).toBe((first[0] ?? 0) + 7_000);
});

it('runs first after half a period to one and a half', () => {
  for (const startMs of [0, 250, 499, 501, 750, 999]) {
    const beganMs = performance.now();
    vi.advanceTimersByTime(startMs);
    const fromMs = performance.now();
    let waitedMs = 0;
    const stop = every(1_000, () => (waitedMs ||= performance.now() - fromMs));
    vi.advanceTimersByTime(1_500);
    stop();
    expect(waitedMs).toBeGreaterThanOrEqual(499);
    expect(waitedMs).toBeLessThanOrEqual(1_500);
    vi.advanceTimersByTime(10_000 - (performance.now() - beganMs));
  }
});

it('runs once for a moment, although the timer fires before it', () => {
  let nowMs = 300.4;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const runsMs: number[] = [];
  const stop = every(1_000, () => runsMs.push(nowMs));
  for (const firedMs of [999.7, 2_000.2, 2_999.9]) {
    nowMs = firedMs;
    vi.advanceTimersToNextTimer();
  }
  // The wait is for the moment behind, and not for the rest of a tenth of a millisecond.
  vi.advanceTimersByTime(900);
  stop();
  expect(runsMs).toEqual([999.7, 2_000.2, 2_999.9]);
});

it('says how late it is, and ends where it is stopped, also by what it runs', () => {
  const late: number[] = [];
  const stop = every(1_000, (lateMs) => {
    late.push(lateMs);
    if (late.length === 2) stop();
  });
  vi.advanceTimersByTime(5_000);
  expect(late).toEqual([0, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

it('goes on behind a run that throws', () => {
  let runs = 0;
  const stop = every(1_000, () => {
    runs++;
    throw new Error('a look that fails');
  });
  const look = () => vi.advanceTimersToNextTimer();
  expect(look).toThrow('a look that fails');
  expect(look).toThrow('a look that fails');
  expect(runs).toBe(2);
  stop();
});
