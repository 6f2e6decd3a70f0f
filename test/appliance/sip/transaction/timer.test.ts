import { describe, expect, it } from 'vitest';
import { TimerWheel } from '#appliance/kernel/timer-wheel.ts';
import { DEFAULT_TIMER_BASE, type TimerName, timerMs } from '#appliance/sip/transaction/index.ts';
import { seeded } from '../endpoint/stage.ts';

describe('timerMs', () => {
  it.each<[TimerName, number, number | undefined]>([
    ['A', 500, undefined],
    ['B', 32_000, 32_000],
    ['D', 32_000, 0],
    ['E', 500, undefined],
    ['F', 32_000, 32_000],
    ['G', 500, undefined],
    ['H', 32_000, 32_000],
    ['I', 5_000, 0],
    ['J', 32_000, 0],
    ['K', 5_000, 0],
    ['L', 32_000, 32_000],
    ['M', 32_000, 32_000],
  ])('timer %s is %d ms over UDP and %s over a stream (RFC 3261 table 4, RFC 6026)', (name, udp, stream) => {
    expect(timerMs(name, false, DEFAULT_TIMER_BASE)).toBe(udp);
    expect(timerMs(name, true, DEFAULT_TIMER_BASE)).toBe(stream);
  });
});

describe('TimerWheel', () => {
  const wheel = () => new TimerWheel<string, number>(0, undefined, 16, 64);
  const keys = (fired: readonly { readonly key: string }[]): string[] => fired.map(({ key }) => key);

  it('fires at the due millisecond, not before, and once', () => {
    const timers = wheel();
    timers.start('a', 0, 500);
    expect(timers.nextDueMs()).toBe(500);
    expect(keys(timers.advance(499))).toEqual([]);
    expect(keys(timers.advance(500))).toEqual(['a']);
    expect(keys(timers.advance(5_000))).toEqual([]);
    expect(timers.nextDueMs()).toBeUndefined();
  });

  it('fires in the order of the due times, however far the clock jumps', () => {
    const timers = wheel();
    for (const ms of [32_000, 5, 4_000, 1_024, 1_023, 6]) timers.start(String(ms), 0, ms);
    expect(keys(timers.advance(100_000))).toEqual(['5', '6', '1023', '1024', '4000', '32000']);
  });

  it('keeps timers of later rounds in their slot', () => {
    const timers = wheel();
    timers.start('late', 0, 16 * 64 + 3);
    timers.start('soon', 0, 3);
    expect(keys(timers.advance(4))).toEqual(['soon']);
    expect(timers.nextDueMs()).toBe(16 * 64 + 3);
    expect(keys(timers.advance(16 * 64 + 2))).toEqual([]);
    expect(keys(timers.advance(16 * 64 + 3))).toEqual(['late']);
  });

  it('forgets a stopped timer, and stopping twice or after firing changes nothing', () => {
    const timers = wheel();
    const stopped = timers.start('stopped', 0, 10);
    const fired = timers.start('fired', 0, 10);
    timers.stop(stopped);
    expect(keys(timers.advance(10))).toEqual(['fired']);
    timers.stop(stopped);
    timers.stop(fired);
    expect(timers.size).toBe(0);
  });

  it('takes a timer that is already due, and a clock that goes back', () => {
    const timers = wheel();
    timers.advance(1_000);
    timers.start('past', 0, 200);
    expect(keys(timers.advance(900))).toEqual([]);
    expect(keys(timers.advance(1_000))).toEqual(['past']);
  });

  it('agrees with a sorted list over 20,000 random starts, stops and steps', () => {
    const random = seeded(20_26);
    const timers = wheel();
    const list = new Map<string, { dueMs: number; timer: ReturnType<typeof timers.start> }>();
    let nowMs = 0;
    for (let i = 0; i < 20_000; i++) {
      const dice = random();
      if (dice < 0.6) {
        const dueMs = nowMs + Math.floor(random() * 3_000);
        list.set(`t${i}`, { dueMs, timer: timers.start(`t${i}`, i, dueMs) });
      } else if (dice < 0.8) {
        const [key, entry] = [...list.entries()][0] ?? [];
        if (entry !== undefined && key !== undefined) {
          timers.stop(entry.timer);
          list.delete(key);
        }
      } else {
        nowMs += Math.floor(random() * 40);
        const due = [...list.entries()].filter(([, { dueMs }]) => dueMs <= nowMs).map(([key]) => key);
        expect(new Set(keys(timers.advance(nowMs)))).toEqual(new Set(due));
        for (const key of due) list.delete(key);
        const next = Math.min(...[...list.values()].map(({ dueMs }) => dueMs));
        if (list.size > 0) expect(timers.nextDueMs()).toBeLessThanOrEqual(next);
      }
      if (list.size > 300) break;
    }
    expect(timers.size).toBe(list.size);
  });
});
