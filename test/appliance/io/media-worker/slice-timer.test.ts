import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SliceTimer } from '#appliance/io/media-worker/slice-timer.ts';
import type { Engine } from '#appliance/media/engine/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** An engine as the timer sees it, with legs and lateness as the test says. */
function engine() {
  const state = { legs: 0, isLate: false, slices: 0 };
  const seen: Pick<Engine, 'empty' | 'idle' | 'begin' | 'leap' | 'slice'> = {
    get empty() {
      return state.legs === 0;
    },
    get idle() {
      return state.legs === 0 && !state.isLate;
    },
    begin: () => undefined,
    leap: () => undefined,
    slice: () => {
      state.slices++;
    },
  };
  const timer = new SliceTimer(seen as Engine, performance.now(), { read: null, measure: () => undefined });
  return { state, timer };
}

describe('the timer of slices', () => {
  it('runs four of them in 20 ms while there is a leg', () => {
    const { state, timer } = engine();
    state.legs = 1;
    timer.start();
    vi.advanceTimersByTime(1_000);
    expect(state.slices).toBeGreaterThanOrEqual(190);
    timer.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sleeps without a leg, and wakes for the next one', () => {
    const { state, timer } = engine();
    timer.start();
    expect(vi.getTimerCount()).toBe(0);
    timer.wake();
    expect(vi.getTimerCount()).toBe(0);
    state.legs = 1;
    timer.wake();
    vi.advanceTimersByTime(100);
    expect(state.slices).toBeGreaterThan(15);
    timer.stop();
  });

  it('looks twice a second whether it is late still, and no more', () => {
    const { state, timer } = engine();
    state.isLate = true;
    timer.start();
    vi.advanceTimersByTime(10_000);
    expect(state.slices).toBeGreaterThanOrEqual(15);
    expect(state.slices).toBeLessThanOrEqual(25);
    state.isLate = false;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins at once with a leg that comes between two looks', () => {
    const { state, timer } = engine();
    state.isLate = true;
    timer.start();
    vi.advanceTimersByTime(100);
    const before = state.slices;
    state.legs = 1;
    timer.wake();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(200);
    expect(state.slices - before).toBeGreaterThanOrEqual(35);
    timer.stop();
  });

  describe('between pieces of other work', () => {
    /** Time passes, and no timer is looked at: the thread is busy. */
    const busyFor = (ms: number): void => {
      const nowMs = performance.now() + ms;
      vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    };

    it('runs the slices that have become due, and waits for the next one with one timer', () => {
      const { state, timer } = engine();
      state.legs = 1;
      timer.start();
      const before = state.slices;
      busyFor(11);
      timer.between();
      expect(state.slices - before).toBe(2);
      expect(vi.getTimerCount()).toBe(1);
      timer.between();
      expect(state.slices - before).toBe(2);
      timer.stop();
    });

    it('keeps one timer where a late turn lets the sockets go first', () => {
      const { state, timer } = engine();
      state.legs = 1;
      timer.start();
      busyFor(25);
      vi.advanceTimersToNextTimer();
      timer.between();
      vi.advanceTimersToNextTimer();
      expect(vi.getTimerCount()).toBe(1);
      timer.stop();
    });

    it('leaves a timer that sleeps or was stopped asleep', () => {
      const { state, timer } = engine();
      timer.start();
      const asleep = state.slices;
      busyFor(100);
      timer.between();
      expect(state.slices).toBe(asleep);
      state.legs = 1;
      timer.wake();
      timer.stop();
      const stopped = state.slices;
      busyFor(100);
      timer.between();
      expect(state.slices).toBe(stopped);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
