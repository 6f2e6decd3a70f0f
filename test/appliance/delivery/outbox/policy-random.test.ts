import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '#appliance/delivery/outbox/index.ts';
import { OutboxWorld, row } from './outbox-world.ts';

/** mulberry32: a small generator whose runs can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const anyFailure = (random: () => number): DeliveryResult => {
  const kinds: readonly DeliveryResult[] = [
    { kind: 'unreached', reason: 'timeout' },
    { kind: 'refused', status: 503, reason: 'answered 503', retryAfterS: 7 },
    { kind: 'refused', status: 409, reason: 'answered 409' },
    { kind: 'refused', status: 429, reason: 'answered 429' },
  ];
  return kinds[Math.floor(random() * kinds.length)] ?? { kind: 'unreached', reason: 'timeout' };
};

/** 60 records for 3 receivers that fail at random, with restarts at random: every seed is another story. */
function tell(seed: number): { world: OutboxWorld; accepted: Map<string, number[]> } {
  const random = seeded(seed);
  const world = new OutboxWorld(random);
  const accepted = new Map<string, number[]>();
  let seq = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    const open = [...world.rows.values()].some(({ state }) => state === 'new');
    if (seq >= 60 && !open) break;
    const dice = random();
    if (seq < 60 && dice < 0.2) {
      seq++;
      const place = { dest: `bridge:${seq % 3}`, orderKey: `session-${Math.floor(random() * 5)}` };
      world.queue(row(seq, place));
    } else if (dice < 0.21) {
      world.restart(random() * 100_000);
    } else if (world.inProgress.size > 0 && dice < 0.8) {
      const waiting = [...world.inProgress];
      const id = waiting[Math.floor(random() * waiting.length)] ?? '';
      if (random() < 0.4) {
        const { dest, orderKey, seq: number } = world.state(id);
        const key = `${dest} ${orderKey}`;
        accepted.set(key, [...(accepted.get(key) ?? []), number]);
        world.deliver(id);
      } else {
        world.result(id, anyFailure(random));
      }
    } else if (world.wakeAtMs !== undefined) {
      world.wake();
    }
    const keys = [...world.inProgress].map((id) => `${world.state(id).dest} ${world.state(id).orderKey}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
  return { world, accepted };
}

describe('any story of failures and restarts', () => {
  it.each(Array.from({ length: 100 }, (_, seed) => seed))('seed %i delivers everything, in order', (seed) => {
    const { world, accepted } = tell(seed);
    expect([...world.rows.values()].filter(({ state }) => state !== 'done')).toEqual([]);
    expect(world.rows.size).toBe(60);
    for (const numbers of accepted.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});
