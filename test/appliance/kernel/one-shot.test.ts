import { beforeEach, expect, it } from 'vitest';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { oneShots, type StartTimer } from '#appliance/kernel/one-shot.ts';

let nowMs: number;
let defects: unknown[];
let wheel: EngineTimers;
let startTimer: StartTimer;
beforeEach(() => {
  nowMs = 1_000;
  defects = [];
  const clock = { monoMs: () => nowMs, wallMs: () => 0 };
  wheel = new EngineTimers({ clock }, (cause) => void defects.push(cause));
  startTimer = oneShots({ clock, timers: wheel });
});

const at = (ms: number): void => {
  nowMs = ms;
  wheel.advance(ms);
};

it('fires once, after its delay, in the order in which timers are due', () => {
  const fired: string[] = [];
  startTimer(300, () => fired.push('late'));
  startTimer(100, () => fired.push('early'));
  expect(wheel.nextDueMs).toBe(1_100);
  at(1_099);
  expect(fired).toEqual([]);
  at(1_400);
  at(9_000);
  expect(fired).toEqual(['early', 'late']);
  expect(wheel.size).toBe(0);
});

it('fires no more once it was stopped, before and after its time', () => {
  const fired: string[] = [];
  const stop = startTimer(100, () => fired.push('stopped'));
  const stopLate = startTimer(200, () => fired.push('fired'));
  stop();
  at(1_500);
  stopLate();
  expect(fired).toEqual(['fired']);
});

it('may be started again while it fires, and waits its whole delay', () => {
  let fired = 0;
  const again = (): void => {
    fired++;
    startTimer(0, again);
  };
  startTimer(0, again);
  at(1_000);
  expect(fired).toBe(1);
  at(1_001);
  expect(fired).toBe(2);
});

it('leaves the others running when one meets a defect', () => {
  let fired = 0;
  startTimer(1, () => {
    throw new Error('defect');
  });
  startTimer(2, () => fired++);
  at(1_500);
  expect([defects.length, fired]).toEqual([1, 1]);
});
