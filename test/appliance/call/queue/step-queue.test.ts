import { beforeEach, describe, expect, it } from 'vitest';
import { figuresOf, placeOf } from '#appliance/call/queue/index.ts';
import { QueueWorld } from './queue-world.ts';

let queue: QueueWorld;
beforeEach(() => {
  queue = new QueueWorld();
});

const ring = (caller: string, agent: string) => ({ kind: 'ring', caller, agent });
const overflow = (caller: string, reason: string) => ({ kind: 'overflow', caller, reason });
const answered = (caller: string, agent: string) => queue.input({ kind: 'answered', caller, agent });
const failed = (caller: string, agent: string, status = 480) =>
  queue.input({ kind: 'failed', caller, agent, status });
const ended = (caller: string, agent: string) => queue.input({ kind: 'ended', caller, agent });

describe('a queue', () => {
  it('rings the agents in their order, and then the one that was free longest', () => {
    expect(queue.enters('c1')).toEqual([ring('c1', 'anna')]);
    expect(queue.enters('c2')).toEqual([ring('c2', 'bo')]);
    expect(queue.enters('c3')).toEqual([]);
    answered('c1', 'anna');
    answered('c2', 'bo');
    queue.atMs = 1_000;
    expect(ended('c2', 'bo')).toEqual([ring('c3', 'bo')]);
    queue.atMs = 2_000;
    ended('c1', 'anna');
    answered('c3', 'bo');
    queue.atMs = 3_000;
    ended('c3', 'bo');
    expect(queue.enters('c4')).toEqual([ring('c4', 'anna')]);
  });

  it('takes an alarm before ordinary callers, and ordinary callers as they came', () => {
    queue.enters('busy', { agents: ['anna'] });
    for (const caller of ['c1', 'c2']) queue.enters(caller, { agents: ['anna'] });
    queue.enters('alarm', { agents: ['anna'], urgent: true });
    expect(placeOf(queue.state, 'alarm')?.position).toBe(1);
    const order: string[] = [];
    for (let serves = 'busy'; serves !== ''; ) {
      answered(serves, 'anna');
      const [next] = ended(serves, 'anna');
      serves = next?.caller ?? '';
      if (serves !== '') order.push(serves);
    }
    expect(order).toEqual(['alarm', 'c1', 'c2']);
  });

  it('gives an agent the time after a conversation', () => {
    queue.enters('c1', { agents: ['anna'], wrapUpMs: 20_000 });
    answered('c1', 'anna');
    expect(ended('c1', 'anna')).toEqual([]);
    expect(queue.enters('c2', { agents: ['anna'] })).toEqual([]);
    // It has no call that could end once more.
    expect(ended('c1', 'anna')).toEqual([]);
    expect(queue.after(19_999)).toEqual([]);
    expect(queue.after(1)).toEqual([ring('c2', 'anna')]);
  });

  it.each([
    ['does not answer', 408, 30_000],
    ['is not signed in', 480, 30_000],
    ['is busy', 486, 5_000],
    ['is busy everywhere', 600, 5_000],
  ])('an agent that %s (%i) lets the next one ring, and is rung again after %i ms', (_, status, ms) => {
    queue.enters('c1');
    expect(failed('c1', 'anna', status)).toEqual([ring('c1', 'bo')]);
    answered('c1', 'bo');
    expect(queue.enters('c2')).toEqual([]);
    expect(queue.after(ms - 1)).toEqual([]);
    expect(queue.after(1)).toEqual([ring('c2', 'anna')]);
  });

  it('a caller keeps its place when an agent does not answer', () => {
    queue.enters('c1', { agents: ['anna', 'bo'] });
    queue.enters('c2', { agents: ['bo'] });
    queue.enters('c3', { agents: ['bo'] });
    expect(failed('c1', 'anna')).toEqual([]);
    answered('c2', 'bo');
    expect(ended('c2', 'bo')).toEqual([ring('c1', 'bo')]);
  });

  it('overflows when none of the agents can be reached, for those that wait as well', () => {
    queue.enters('c1');
    queue.enters('c2');
    expect(queue.enters('c3')).toEqual([]);
    expect(failed('c1', 'anna')).toEqual([]);
    expect(failed('c2', 'bo')).toEqual([
      overflow('c1', 'noAgents'),
      overflow('c2', 'noAgents'),
      overflow('c3', 'noAgents'),
    ]);
    expect(queue.enters('c4')).toEqual([overflow('c4', 'noAgents')]);
    queue.after(30_000);
    expect(queue.enters('c5')).toEqual([ring('c5', 'anna')]);
  });

  it('waits for agents that are busy, talk or wrap up', () => {
    queue.enters('c1', { wrapUpMs: 5_000 });
    queue.enters('c2');
    answered('c1', 'anna');
    failed('c2', 'bo', 486);
    ended('c1', 'anna');
    expect(queue.state.callers.size).toBe(1);
  });

  it('is full for ordinary callers, and for no alarm', () => {
    for (const caller of ['c1', 'c2']) queue.enters(caller, { agents: ['anna'] });
    expect(queue.enters('c3', { mostWaiting: 2 })).toEqual([overflow('c3', 'full')]);
    expect(queue.enters('alarm', { mostWaiting: 2, agents: ['anna'], urgent: true })).toEqual([]);
  });

  it('overflows after the longest wait, but lets an agent ring to the end', () => {
    queue.enters('c1', { agents: ['anna'], mostWaitMs: 10_000 });
    queue.enters('c2', { agents: ['anna'], mostWaitMs: 10_000 });
    expect(queue.after(20_000)).toEqual([overflow('c2', 'maxWait')]);
    expect(failed('c1', 'anna', 486)).toEqual([overflow('c1', 'maxWait')]);
  });

  it('a caller that leaves while an agent rings frees the agent for the next one', () => {
    queue.enters('c1', { agents: ['anna'] });
    queue.enters('c2', { agents: ['anna'] });
    expect(queue.input({ kind: 'left', caller: 'c1' })).toEqual([
      { kind: 'withdraw', caller: 'c1', agent: 'anna' },
      ring('c2', 'anna'),
    ]);
    // Late news of the first call concern no second one.
    for (const late of [() => answered('c1', 'anna'), () => failed('c1', 'anna'), () => ended('c1', 'anna')])
      expect(late()).toEqual([]);
    expect(queue.state.agents.get('anna')).toMatchObject({ phase: 'ringing', caller: 'c2' });
  });

  it('an answer for a caller that waits again does not take the agent from the next one', () => {
    queue.enters('c1', { agents: ['anna'] });
    failed('c1', 'anna', 486);
    queue.enters('alarm', { agents: ['anna'], urgent: true });
    expect(queue.after(5_000)).toEqual([ring('alarm', 'anna')]);
    for (const late of [() => answered('c1', 'anna'), () => failed('c1', 'anna'), () => ended('c1', 'anna')])
      expect(late()).toEqual([]);
    expect(queue.state.agents.get('anna')).toMatchObject({ phase: 'ringing', caller: 'alarm' });
    expect(queue.state.callers.has('c1')).toBe(true);
  });

  it('an agent serves several queues, one caller at a time', () => {
    expect(queue.enters('c1', { queue: 'a', agents: ['anna'] })).toHaveLength(1);
    expect(queue.enters('c2', { queue: 'b', agents: ['anna'] })).toEqual([]);
    answered('c1', 'anna');
    expect(ended('c1', 'anna')).toEqual([ring('c2', 'anna')]);
  });

  it('counts what has happened', () => {
    queue.enters('c1', { wrapUpMs: 10_000 });
    queue.enters('c2');
    queue.enters('c3', { urgent: true });
    queue.enters('c4', { mostWaiting: 1 });
    queue.atMs = 4_000;
    answered('c1', 'anna');
    queue.input({ kind: 'left', caller: 'c2' });
    queue.atMs = 64_000;
    ended('c1', 'anna');
    expect(figuresOf(queue.state, queue.atMs)).toEqual([
      {
        queue: 'support',
        waiting: 1,
        alarmsWaiting: 1,
        longestWaitMs: 64_000,
        ...{ entered: 4, answered: 1, abandoned: 1, overflowed: 1 },
        meanWaitMs: 4_000,
        meanServiceMs: 70_000,
        agents: [
          { agent: 'anna', state: 'wrapUp', sinceMs: 0 },
          { agent: 'bo', state: 'ringing', sinceMs: 60_000 },
        ],
      },
    ]);
    expect(placeOf(queue.state, 'c3')).toEqual({ position: 1, waitMs: 35_000 });
    expect(placeOf(queue.state, 'c1')).toBeUndefined();
  });
});

/** Mulberry32: the same walk for the same seed, on every machine. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'random day %i: no caller is lost, and each agent has one',
  (seed) => {
    const random = seeded(seed);
    const world = new QueueWorld();
    const all = ['anna', 'bo', 'cia', 'dan'];
    const agentsOf: Record<string, string[]> = { a: all, b: all.slice(1), c: all.slice(0, 1) };
    /** Where each caller is. */
    const waiting = new Map<string, { urgent: boolean; queue: string; place: number }>();
    const ringing = new Map<string, string>();
    const talking = new Map<string, string>();
    let [places, outcomes] = [0, 0];
    const take = (effects: ReturnType<QueueWorld['input']>): void => {
      for (const effect of effects) {
        if (effect.kind === 'withdraw') continue;
        expect(waiting.has(effect.caller)).toBe(true);
        const mine = waiting.get(effect.caller);
        waiting.delete(effect.caller);
        if (effect.kind === 'overflow') {
          outcomes++;
          continue;
        }
        const { agent, caller } = effect;
        expect([...ringing.values(), ...talking.values()]).not.toContain(agent);
        expect(agentsOf[mine?.queue ?? '']).toContain(agent);
        // No caller of the same queue that waits is before it.
        for (const [other, { urgent, queue, place }] of waiting) {
          if (queue !== mine?.queue) continue;
          expect(urgent && !mine.urgent, `${other} is an alarm, and ${caller} is not`).toBe(false);
          if (urgent === mine.urgent) expect(place).toBeGreaterThan(mine.place);
        }
        ringing.set(caller, agent);
        placed.set(caller, mine ?? { urgent: false, queue: 'a', place: 0 });
      }
    };
    const placed = new Map<string, { urgent: boolean; queue: string; place: number }>();
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
    let entered = 0;
    for (let turn = 0; turn < 400; turn++) {
      const dice = random();
      if (dice < 0.3) {
        const queue = pick(['a', 'b', 'c'] as const) ?? 'a';
        const urgent = random() < 0.2;
        const caller = `c${++entered}`;
        waiting.set(caller, { urgent, queue, place: ++places });
        const limits = {
          ...(random() < 0.3 && { mostWaiting: 3 }),
          ...(random() < 0.5 && { mostWaitMs: 60_000 }),
        };
        take(
          world.enters(caller, { queue, urgent, agents: agentsOf[queue] ?? [], wrapUpMs: 3_000, ...limits }),
        );
      } else if (dice < 0.45) take(world.after(Math.floor(random() * 20_000)));
      else if (dice < 0.6) {
        const leaves = pick([...waiting.keys(), ...ringing.keys()]);
        if (leaves === undefined) continue;
        outcomes++;
        waiting.delete(leaves);
        ringing.delete(leaves);
        take(world.input({ kind: 'left', caller: leaves }));
      } else if (dice < 0.85) {
        const [caller, agent] = pick([...ringing]) ?? [];
        if (caller === undefined || agent === undefined) continue;
        ringing.delete(caller);
        if (random() < 0.6) {
          talking.set(caller, agent);
          take(world.input({ kind: 'answered', caller, agent }));
        } else {
          waiting.set(caller, placed.get(caller) ?? { urgent: false, queue: 'a', place: 0 });
          take(world.input({ kind: 'failed', caller, agent, status: pick([486, 408, 480]) ?? 408 }));
        }
      } else {
        const [caller, agent] = pick([...talking]) ?? [];
        if (caller === undefined || agent === undefined) continue;
        talking.delete(caller);
        outcomes++;
        take(world.input({ kind: 'ended', caller, agent }));
      }
      expect(world.state.callers.size).toBe(waiting.size + ringing.size);
      expect(waiting.size + ringing.size + talking.size + outcomes).toBe(entered);
    }
    // Every agent goes: who still waits has an end.
    for (const [caller, agent] of [...talking]) {
      talking.delete(caller);
      take(world.input({ kind: 'ended', caller, agent }));
    }
    for (let round = 0; round < 1_000 && ringing.size + waiting.size > 0; round++) {
      for (const [caller, agent] of [...ringing]) {
        ringing.delete(caller);
        waiting.set(caller, placed.get(caller) ?? { urgent: false, queue: 'a', place: 0 });
        take(world.input({ kind: 'failed', caller, agent, status: 480 }));
      }
      take(world.after(1_000));
    }
    expect(world.state.callers.size).toBe(0);
  },
);
