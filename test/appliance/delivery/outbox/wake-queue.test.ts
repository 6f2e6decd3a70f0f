import { describe, expect, it } from 'vitest';
import { WakeQueue } from '#appliance/delivery/outbox/wake-queue.ts';

describe('wake queue', () => {
  it('gives what is due, soonest first, whatever the order in which it came', () => {
    const queue = new WakeQueue<number>();
    const times = Array.from({ length: 996 }, (_, n) => ((n + 1) * 331 + n ** 2) % 997);
    for (const time of times) queue.push(time, time);
    expect(queue.nextMs).toBe(Math.min(...times));
    const taken: number[] = [];
    for (let nowMs = 0; nowMs < 997; nowMs += 13) {
      for (let due = queue.takeDue(nowMs); due !== undefined; due = queue.takeDue(nowMs)) {
        expect(due).toBeLessThanOrEqual(nowMs);
        taken.push(due);
      }
      expect(queue.nextMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(nowMs);
    }
    for (let due = queue.takeDue(2_000); due !== undefined; due = queue.takeDue(2_000)) taken.push(due);
    expect(taken).toEqual([...times].sort((a, b) => a - b));
    expect(queue.nextMs).toBeUndefined();
  });
});
