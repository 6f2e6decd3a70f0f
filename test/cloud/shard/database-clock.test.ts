import { expect, it } from 'vitest';
import { DatabaseClock } from '#cloud/shard/index.ts';

const MINUTE = 60_000;
const TRUE_MS = 1_770_000_000_000;

/** A machine whose clock is off by `offMs`; `at` moves both of its clocks. */
function machine(offMs: number) {
  const reported: number[] = [];
  const state = { monoMs: 5_000 };
  const clock = new DatabaseClock(
    { wallMs: () => TRUE_MS + state.monoMs - 5_000 + offMs, monoMs: () => state.monoMs },
    (off) => reported.push(off),
  );
  /** The database is asked; its answer is under way for these times. */
  const read = (thereMs: number, backMs: number): void => {
    const askedMs = state.monoMs;
    const databaseMs = TRUE_MS + askedMs - 5_000 + thereMs;
    state.monoMs += thereMs + backMs;
    clock.read({ askedMs, answeredMs: state.monoMs, databaseMs });
  };
  return {
    clock,
    state,
    told: reported,
    read,
    offMs: () => clock.wallMs() - (TRUE_MS + state.monoMs - 5_000),
  };
}

it.each([-10 * MINUTE, 10 * MINUTE])('counts by the database on a machine that is off by %i ms', (offMs) => {
  const { clock, state, told: reported, read, offMs: isOff } = machine(offMs);
  expect(clock.wallMs()).toBe(TRUE_MS + offMs);
  read(2, 2);
  expect(Math.abs(isOff())).toBeLessThanOrEqual(2);
  // The database is away for an hour: the monotonic clock carries it on.
  state.monoMs += 60 * MINUTE;
  expect(Math.abs(isOff())).toBeLessThanOrEqual(2);
  read(1, 1);
  expect(reported).toEqual([expect.closeTo(offMs, -2)]);
});

it('an answer that was in flight for long moves it by no more than is certain', () => {
  const { read, offMs } = machine(10 * MINUTE);
  read(1, 1);
  const before = offMs();
  // A process that hung: 40 s lie between the question and the answer.
  read(1, 40_000);
  expect(offMs()).toBe(before);
  read(40_000, 1);
  expect(offMs()).toBe(before);
});

it('follows a database whose clock was set, and gives whole milliseconds', () => {
  const { clock, state, read, offMs } = machine(0);
  read(1, 1);
  clock.read({ askedMs: state.monoMs, answeredMs: state.monoMs + 1.5, databaseMs: TRUE_MS + 90_000 });
  state.monoMs = 5_000.4;
  expect(Math.abs(offMs() - 90_000)).toBeLessThanOrEqual(5);
  expect(Number.isInteger(clock.wallMs())).toBe(true);
});
