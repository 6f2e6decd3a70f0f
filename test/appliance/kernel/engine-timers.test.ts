import { beforeEach, expect, it } from 'vitest';
import { EngineTimers, type TimerScope } from '#appliance/kernel/engine-timers.ts';

let named: number[];
let fired: string[];
let defects: unknown[];
let timers: EngineTimers;
let calls: TimerScope<'ring' | 'duration'>;
let alarms: TimerScope<'redial' | 'ring'>;

beforeEach(() => {
  [named, fired, defects] = [[], [], []];
  const clock = { monoMs: () => 0, wallMs: () => 0 };
  timers = new EngineTimers({ clock, wakeBy: (dueMs) => named.push(dueMs) }, (cause) => defects.push(cause));
  calls = timers.scope((owner, timer, nowMs) => fired.push(`call ${owner} ${timer} ${nowMs}`));
  alarms = timers.scope((owner, timer) => fired.push(`alarm ${owner} ${timer}`));
});

it('fires what is due in the order of time over all scopes, each once and each for its own scope', () => {
  calls.start('a', 'ring', 300);
  alarms.start('a', 'redial', 100);
  calls.start('b', 'ring', 200);
  expect(timers.nextDueMs).toBe(100);
  timers.advance(250);
  expect(fired).toEqual(['alarm a redial', 'call b ring 250']);
  expect(timers.nextDueMs).toBe(300);
  timers.advance(300);
  timers.advance(10_000);
  expect(fired.slice(2)).toEqual(['call a ring 300']);
  expect(timers.nextDueMs).toBeUndefined();
});

it('fires timers of one due time in the order in which they were started', () => {
  for (const owner of ['a', 'b', 'c']) calls.start(owner, 'ring', 100);
  alarms.start('a', 'ring', 90);
  timers.advance(5_000);
  expect(fired).toEqual(['alarm a ring', 'call a ring 5000', 'call b ring 5000', 'call c ring 5000']);
});

it('names each deadline to the loop', () => {
  calls.start('a', 'ring', 300);
  alarms.start('a', 'ring', 100);
  expect(named).toEqual([300, 100]);
});

it('replaces a timer that is started again, and none of another scope or owner', () => {
  calls.start('a', 'ring', 100);
  alarms.start('a', 'ring', 100);
  calls.start('b', 'ring', 100);
  calls.start('a', 'ring', 400);
  timers.advance(399);
  expect(fired.toSorted()).toEqual(['alarm a ring', 'call b ring 399']);
  expect(timers.size).toBe(1);
});

it('stops one of an owner, or all of it', () => {
  calls.start('a', 'ring', 100);
  calls.start('a', 'duration', 100);
  calls.start('b', 'ring', 100);
  calls.start('b', 'duration', 100);
  alarms.start('b', 'ring', 100);
  calls.stop('a', 'ring');
  calls.stop('a', 'ring');
  calls.stop('nobody', 'ring');
  calls.stopAll('b');
  timers.advance(100);
  expect(fired.toSorted()).toEqual(['alarm b ring', 'call a duration 100']);
  expect(timers.size).toBe(0);
});

it('a timer that is started while it fires runs again', () => {
  const again: TimerScope<'tick'> = timers.scope((owner, timer, nowMs) => {
    fired.push(`${timer} ${nowMs}`);
    again.start(owner, timer, nowMs + 100);
  });
  again.start('x', 'tick', 100);
  for (const nowMs of [100, 150, 200, 300]) timers.advance(nowMs);
  expect(fired).toEqual(['tick 100', 'tick 200', 'tick 300']);
  again.stopAll('x');
  expect(timers.size).toBe(0);
});

it('a defect ends one timer and no other', () => {
  const bad = timers.scope<'boom'>(() => {
    throw new Error('met');
  });
  bad.start('x', 'boom', 50);
  calls.start('a', 'ring', 60);
  timers.advance(100);
  expect(String(defects)).toContain('met');
  expect(fired).toEqual(['call a ring 100']);
});

it('a timer that is stopped or started again by another one of the same moment does not fire', () => {
  const first = timers.scope<'first'>((_, __, nowMs) => {
    calls.stop('a', 'ring');
    calls.stopAll('b');
    calls.start('b', 'duration', nowMs + 500);
    calls.start('c', 'ring', nowMs + 500);
  });
  first.start('x', 'first', 10);
  for (const owner of ['a', 'b', 'c']) calls.start(owner, 'ring', 20);
  calls.start('a', 'duration', 20);
  timers.advance(100);
  expect(fired).toEqual(['call a duration 100']);
  timers.advance(600);
  expect(fired.slice(1).toSorted()).toEqual(['call b duration 600', 'call c ring 600']);
  expect(timers.size).toBe(0);
});
