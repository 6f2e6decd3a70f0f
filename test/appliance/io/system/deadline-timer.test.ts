import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DeadlineTimer } from '#appliance/io/system/index.ts';

/* The timers of Node on a clock that the test moves: what is measured is when the work is done. */
let done: number[];
let defects: unknown[];
let dues: number[];
let timer: DeadlineTimer;
const nowMs = (): number => performance.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [done, defects, dues] = [[], [], []];
  timer = new DeadlineTimer(nowMs, (cause) => defects.push(cause));
});
afterEach(() => {
  timer.stop();
  vi.useRealTimers();
});

/** Work whose deadlines are those in `dues`; each is met once. */
const begin = (): void => {
  const beganMs = nowMs();
  timer.start(() => {
    const atMs = nowMs() - beganMs;
    done.push(atMs);
    dues = dues.filter((due) => due > atMs);
    return beganMs + Math.min(Number.POSITIVE_INFINITY, ...dues);
  });
};
const names = (inMs: number): void => {
  const dueMs = nowMs() + inMs;
  dues.push(dueMs);
  timer.wakeBy(dueMs);
};

it('works at the start and at each deadline, and not in between', () => {
  dues = [300, 450];
  begin();
  vi.advanceTimersByTime(460);
  expect(done).toEqual([0, 300, 450]);
});

it('works at an earlier deadline that is named while it waits, and still at the later one', () => {
  dues = [400];
  begin();
  vi.advanceTimersByTime(100);
  timer.wakeBy(nowMs() + 50);
  vi.advanceTimersByTime(400);
  expect(done).toEqual([0, 150, 400]);
});

it('is not woken by a later deadline: the work names it when it is next', () => {
  dues = [200];
  begin();
  for (let i = 0; i < 50; i++) timer.wakeBy(nowMs() + 300 + i);
  vi.advanceTimersByTime(210);
  expect(done).toEqual([0, 200]);
});

it('serves deadlines that follow each other closely together, each at most 10 ms late', () => {
  dues = Array.from({ length: 100 }, (_, i) => 100 + i);
  begin();
  vi.advanceTimersByTime(250);
  expect(done.length).toBeLessThanOrEqual(12);
  expect(dues).toEqual([]);
  expect(
    Math.max(
      ...done
        .slice(1)
        .map((atMs, i) => atMs - (done[i] ?? 0))
        .slice(1),
    ),
  ).toBeLessThanOrEqual(11);
});

it('never fires before a deadline between two milliseconds', () => {
  dues = [20.4];
  begin();
  vi.advanceTimersByTime(40);
  expect(done).toEqual([0, 21]);
});

it('looks once a second without a deadline', () => {
  begin();
  vi.advanceTimersByTime(3_500);
  expect(done).toEqual([0, 1_000, 2_000, 3_000]);
  expect(timer.fired).toBe(4);
});

it('reports a defect and looks again 10 ms later', () => {
  let calls = 0;
  timer.start(() => {
    if (++calls === 1) throw new Error('met');
    return Number.POSITIVE_INFINITY;
  });
  vi.advanceTimersByTime(50);
  expect(calls).toBe(2);
  expect(String(defects)).toContain('met');
});

it('a deadline that the work itself names is in what it answers', () => {
  const beganMs = nowMs();
  let calls = 0;
  timer.start(() => {
    calls++;
    timer.wakeBy(beganMs + 5);
    return beganMs + 500;
  });
  vi.advanceTimersByTime(400);
  expect(calls).toBe(1);
});

it('does nothing after its end', () => {
  begin();
  timer.stop();
  names(20);
  vi.advanceTimersByTime(2_000);
  expect(done).toEqual([0]);
});

it('says how late it was at each deadline, and counts no work that it does by itself', () => {
  const late: number[] = [];
  timer = new DeadlineTimer(
    nowMs,
    (cause) => defects.push(cause),
    (ms) => late.push(ms),
  );
  dues = [300];
  begin();
  expect(late).toEqual([]);
  vi.advanceTimersByTime(310);
  expect(late).toEqual([0]);
});
