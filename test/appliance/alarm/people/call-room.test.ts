import { describe, expect, it } from 'vitest';
import {
  begin,
  type CallPlan,
  type EmergencyList,
  type ListEffect,
  type ListInput,
  step,
} from '#appliance/alarm/emergency-list/index.ts';
import { CallRoom, type WaitingCall } from '#appliance/alarm/people/call-room.ts';
import { dice } from '../random.ts';

/** A room whose later work runs when the test says so. */
function roomOf(most: () => number) {
  const work: (() => void)[] = [];
  const room = new CallRoom(most, (each) => work.push(each));
  const settle = (): void => {
    for (let each = work.shift(); each !== undefined; each = work.shift()) each();
  };
  return { room, settle };
}

const SEEDS = 200;

describe('the calls that a tenant may have at once', () => {
  it('are never more than provisioned, none waits beside a free place, and each begins once, the longest one first', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const next = dice(seed);
      const below = (limit: number): number => Math.floor(next() * limit);
      let most = 1 + below(5);
      const { room, settle } = roomOf(() => most);
      const running: number[] = [];
      const waiting: { readonly id: number; readonly isFirst: boolean; readonly call: WaitingCall }[] = [];
      const expected = (): number | undefined => (waiting.find(({ isFirst }) => isFirst) ?? waiting[0])?.id;
      const begins = (id: number) => (): void => {
        expect(id, `seed ${seed}`).toBe(expected());
        waiting.splice(
          waiting.findIndex((each) => each.id === id),
          1,
        );
        running.push(id);
        expect(running.length, `seed ${seed}`).toBeLessThanOrEqual(most);
      };
      for (let id = 0; id < 60; id++) {
        const chance = below(10);
        if (chance < 5) {
          const isFirst = below(4) === 0;
          const call = room.take(begins(id), isFirst);
          if (call === undefined) running.push(id);
          else waiting.push({ id, isFirst, call });
        } else if (chance < 8) {
          if (running.splice(below(running.length), 1).length > 0) room.free();
        } else if (chance < 9) {
          const [left] = waiting.splice(below(waiting.length), 1);
          if (left !== undefined) room.forget(left.call);
        } else most = Math.max(1 + below(5), running.length);
        settle();
        expect([room.inUse, room.waiting], `seed ${seed}`).toEqual([running.length, waiting.length]);
      }
      // A figure that has risen meanwhile counts from the next end of a call on.
      while (running.length > 0) {
        running.pop();
        room.free();
        settle();
        if (waiting.length > 0) expect(room.inUse, `seed ${seed}`).toBe(most);
      }
      expect(room.waiting, `seed ${seed}`).toBe(0);
    }
  });
});

/** A list whose calls have to find a place, and whose people are busy or do not answer. */
interface Called {
  list: EmergencyList;
  wakeAt: number;
  readonly waiting: Map<number, WaitingCall>;
  readonly ringing: Set<number>;
  readonly calls: Map<string, number>;
}

it('lose no call of a list: each person is called in each round, however few places there are', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const next = dice(seed);
    const below = (limit: number): number => Math.floor(next() * limit);
    const most = 1 + below(4);
    const { room, settle } = roomOf(() => most);
    const lists: Called[] = [];
    let nowMs = 1_000;

    const carry = (called: Called, effects: readonly ListEffect[]): void => {
      for (const effect of effects) {
        if (effect.type === 'wake') called.wakeAt = nowMs + effect.ms;
        else if (effect.type === 'sleep') called.wakeAt = Number.POSITIVE_INFINITY;
        else if (effect.type === 'hangUp') ends(called, effect.attempt);
        else if (effect.type === 'dial') dial(called, effect.attempt, effect.entry.destination);
      }
    };
    const give = (called: Called, input: ListInput): void => {
      const { state, effects } = step(called.list, input);
      called.list = state;
      carry(called, effects);
    };
    const ends = ({ waiting, ringing }: Called, attempt: number): void => {
      const call = waiting.get(attempt);
      if (call !== undefined) room.forget(call);
      waiting.delete(attempt);
      if (ringing.delete(attempt)) room.free();
    };
    const rings = (called: Called, attempt: number, destination: string): void => {
      called.ringing.add(attempt);
      called.calls.set(destination, (called.calls.get(destination) ?? 0) + 1);
      expect(room.inUse, `seed ${seed}`).toBeLessThanOrEqual(most);
    };
    const waits: (() => void)[] = [];
    const dial = (called: Called, attempt: number, destination: string): void => {
      const call = room.take(() => {
        called.waiting.delete(attempt);
        rings(called, attempt, destination);
        give(called, { type: 'begins', attempt, at: nowMs });
      });
      if (call === undefined) rings(called, attempt, destination);
      else {
        called.waiting.set(attempt, call);
        waits.push(() => give(called, { type: 'waits', attempt, at: nowMs }));
      }
    };
    const settled = (): void => {
      for (let each = waits.shift(); each !== undefined; each = waits.shift()) each();
      settle();
      if (waits.length > 0) settled();
    };

    for (let each = 0; each < 6; each++) {
      const entryOf = (id: number) =>
        ({ destination: `${each}-${id}`, ringMs: 5_000 + below(60_000), accept: 'key' }) as const;
      let id = 0;
      const plan: CallPlan = {
        steps: Array.from({ length: 1 + below(3) }, () =>
          Array.from({ length: 1 + below(3) }, () => entryOf(id++)),
        ),
        rounds: 1 + below(3),
        pauseMs: 1_000 + below(60_000),
        longestMs: 1_000_000_000,
      };
      const { state, effects } = begin(plan, false, nowMs, false);
      const waiting = new Map<number, WaitingCall>();
      lists.push({ list: state, wakeAt: nowMs, waiting, ringing: new Set(), calls: new Map() });
      const made = lists.at(-1);
      if (made !== undefined) carry(made, effects);
      settled();
    }
    for (let inputs = 0; inputs < 2_000; inputs++) {
      const open = lists.filter(({ list }) => list.phase !== 'ended');
      const [soonest] = open.toSorted((one, other) => one.wakeAt - other.wakeAt);
      if (soonest === undefined) break;
      const busy = open.find(({ ringing }) => ringing.size > 0 && below(3) === 0);
      const [attempt] = busy?.ringing ?? [];
      if (busy !== undefined && attempt !== undefined) {
        nowMs++;
        ends(busy, attempt);
        give(busy, { type: 'failed', attempt, reason: 'busy', at: nowMs });
      } else {
        nowMs = Math.max(nowMs, soonest.wakeAt);
        give(soonest, { type: 'timer', at: nowMs });
      }
      settled();
    }
    for (const { list, calls } of lists) {
      expect(list.result, `seed ${seed}`).toBe('unanswered');
      const people = list.plan.steps.flat().map(({ destination }) => [destination, list.plan.rounds]);
      expect(Object.fromEntries(calls), `seed ${seed}`).toEqual(Object.fromEntries(people));
    }
    expect([room.inUse, room.waiting], `seed ${seed}`).toEqual([0, 0]);
  }
});
