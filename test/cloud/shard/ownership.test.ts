import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  initialOwnership,
  isHeld,
  type LeaseSeen,
  type Ownership,
  type OwnershipEffect,
  type OwnershipInput,
  shardOwners,
  stepOwnership,
} from '#cloud/shard/index.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';

const LEASE_MS = 10_000;
/** Texts that were hashed. */
let hashed = 0;
const hash = (text: string): string => {
  hashed++;
  return createHash('sha256').update(text).digest('hex');
};
const ofKind = <K extends OwnershipEffect['kind']>(effects: readonly OwnershipEffect[], kind: K) =>
  effects.flatMap((effect) => (effect.kind === kind ? [effect as OwnershipEffect & { kind: K }] : []));

/** The rows of the database, as `cloud/store` changes them, and replicas whose orders are carried out on them. */
class World {
  nowMs = 1_000_000;
  readonly leases = new Map<string, LeaseSeen>(
    SHARDS.map((sh) => [sh, { sh, owner: '', epoch: 0, until: 0 }]),
  );
  readonly replicas = new Map<string, number>();
  /** Brokers that a replica reaches, and since when. */
  readonly reach = new Map<string, { readonly brokers: number; readonly brokersSince: number }>();
  readonly states = new Map<string, Ownership>();

  start(id: string): void {
    this.states.set(id, initialOwnership(id, SHARDS, LEASE_MS));
  }

  held(id: string): string[] {
    const state = this.states.get(id);
    return state === undefined ? [] : SHARDS.filter((sh) => isHeld(state, sh, this.nowMs));
  }

  input(id: string, input: OwnershipInput): readonly OwnershipEffect[] {
    const state = this.states.get(id);
    if (state === undefined) throw new Error(`${id} does not run`);
    const step = stepOwnership(state, input, hash);
    this.states.set(id, step.state);
    const further = step.effects.flatMap((effect) => this.#carriedOut(id, effect));
    return [...step.effects, ...further];
  }

  /** One look at the rows, with what follows. */
  round(id: string): readonly OwnershipEffect[] {
    this.replicas.set(id, this.nowMs + LEASE_MS);
    for (const lease of this.leases.values())
      if (lease.owner === id) this.leases.set(lease.sh, { ...lease, until: this.nowMs + LEASE_MS });
    const view = {
      databaseMs: this.nowMs,
      replicas: [...this.replicas].map(([name, until]) => ({ id: name, until, ...this.reach.get(name) })),
      leases: [...this.leases.values()],
    };
    return this.input(id, { kind: 'seen', askedMs: this.nowMs, view });
  }

  #carriedOut(id: string, effect: OwnershipEffect): readonly OwnershipEffect[] {
    switch (effect.kind) {
      case 'take': {
        const terms = effect.shards.flatMap((sh) => {
          const lease = this.leases.get(sh);
          if (lease === undefined || (lease.owner !== '' && lease.until > this.nowMs)) return [];
          const epoch = lease.epoch + 1;
          this.leases.set(sh, { sh, owner: id, epoch, until: this.nowMs + LEASE_MS });
          return [{ sh, epoch }];
        });
        return this.input(id, { kind: 'taken', terms });
      }
      case 'end':
        return effect.why === 'handOver' ? this.input(id, { kind: 'handedOver', shards: effect.shards }) : [];
      case 'release':
        for (const { sh, epoch } of effect.terms) {
          const lease = this.leases.get(sh);
          if (lease?.owner === id && lease.epoch === epoch)
            this.leases.set(sh, { ...lease, owner: '', until: 0 });
        }
        return [];
      default:
        return [];
    }
  }
}

describe('the shards of a replica', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('compute the owners once for the same replicas, in whichever order the rows name them', () => {
    for (const id of ['r1', 'r2']) world.start(id);
    for (const id of ['r1', 'r2', 'r1', 'r2']) world.round(id);
    hashed = 0;
    for (let look = 0; look < 10; look++) {
      world.replicas.delete('r1');
      world.round('r1');
    }
    expect(hashed).toBe(0);
  });

  it('one alone takes all of them at its first look', () => {
    world.start('a');
    expect(ofKind(world.round('a'), 'begin')[0]?.terms).toHaveLength(SHARDS.length);
    expect(world.held('a')).toEqual(SHARDS);
  });

  it('a second one gets its half by hand-over, and no shard ever has two owners', () => {
    world.start('a');
    world.start('b');
    world.round('a');
    world.round('b');
    expect(world.held('b')).toEqual([]);
    const ends = ofKind(world.round('a'), 'end');
    expect(ends).toMatchObject([{ why: 'handOver' }]);
    world.round('b');
    expect(world.held('a')).toHaveLength(32);
    expect(world.held('b')).toHaveLength(32);
    expect(new Set([...world.held('a'), ...world.held('b')]).size).toBe(64);
    // Nothing is left to do: looking again changes nothing.
    expect(world.round('a')).toEqual([]);
    expect(world.round('b')).toEqual([]);
  });

  const reaches = (id: string, brokers: number): void =>
    void world.reach.set(id, { brokers, brokersSince: world.nowMs });
  const looks = (...ids: readonly string[]): void => {
    for (const id of ids) world.round(id);
  };

  it('one that misses a broker for ten seconds gives its shards to those that reach more, and gets them back', () => {
    for (const id of ['a', 'b']) {
      world.start(id);
      reaches(id, 2);
    }
    looks('a', 'b', 'a', 'b');
    world.nowMs += 60_000;
    looks('a', 'b');
    reaches('b', 1);
    world.nowMs += 9_000;
    looks('a', 'b', 'a');
    expect(world.held('b')).toHaveLength(32);
    world.nowMs += 1_000;
    looks('a', 'b', 'a');
    expect([world.held('a').length, world.held('b').length]).toEqual([64, 0]);
    reaches('b', 2);
    looks('b', 'a', 'b');
    expect([world.held('a').length, world.held('b').length]).toEqual([32, 32]);
  });

  it('a broker that all of them miss, and one that comes back to them one after the other, moves no shard', () => {
    for (const id of ['a', 'b']) {
      world.start(id);
      reaches(id, 2);
    }
    looks('a', 'b', 'a', 'b');
    const before = world.held('a');
    world.nowMs += 60_000;
    looks('a', 'b');
    reaches('b', 1);
    world.nowMs += 4_000;
    reaches('a', 1);
    for (let s = 0; s < 60; s += 2) {
      world.nowMs += 2_000;
      looks('a', 'b');
      expect(world.held('a')).toEqual(before);
    }
    reaches('a', 2);
    world.nowMs += 8_000;
    looks('a', 'b');
    reaches('b', 2);
    world.nowMs += 8_000;
    looks('a', 'b');
    expect(world.held('a')).toEqual(before);
  });

  it('one of an earlier version, which does not say what it reaches, keeps its shards', () => {
    for (const id of ['a', 'b']) world.start(id);
    reaches('a', 2);
    world.nowMs += 20_000;
    looks('a', 'b', 'a', 'b');
    expect([world.held('a').length, world.held('b').length]).toEqual([32, 32]);
  });

  it('one that stops gives everything back at once, and takes nothing more', () => {
    world.start('a');
    world.start('b');
    for (const id of ['a', 'b', 'a', 'b']) world.round(id);
    const effects = world.input('a', { kind: 'stop' });
    expect(ofKind(effects, 'end')).toMatchObject([{ why: 'handOver' }]);
    expect(ofKind(effects, 'release')[0]?.terms).toHaveLength(32);
    expect(world.round('a')).toEqual([]);
    world.replicas.delete('a');
    world.round('b');
    expect(world.held('b')).toEqual(SHARDS);
  });

  it('one that is killed is followed when its lease has run out, never before', () => {
    world.start('a');
    world.start('b');
    for (const id of ['a', 'b', 'a', 'b']) world.round(id);
    world.states.delete('a');
    world.nowMs += LEASE_MS - 1;
    world.round('b');
    expect(world.held('b')).toHaveLength(32);
    world.nowMs += 2;
    world.round('b');
    expect(world.held('b')).toEqual(SHARDS);
    const terms = [...world.leases.values()].map(({ epoch }) => epoch);
    expect(new Set(terms)).toEqual(new Set([1, 2, 3].filter((term) => terms.includes(term))));
  });

  it('one that does not reach the database stops by its own clock, and comes back with what the rows say', () => {
    world.start('a');
    world.round('a');
    world.nowMs += LEASE_MS;
    // Also before any input has said so.
    expect(world.held('a')).toEqual([]);
    expect(world.input('a', { kind: 'due', atMs: world.nowMs })).toMatchObject([
      { kind: 'end', why: 'lost' },
    ]);
    const back = world.round('a');
    expect(ofKind(back, 'begin')[0]?.terms).toHaveLength(SHARDS.length);
    expect(world.held('a')).toEqual(SHARDS);
  });

  it('one that slept finds another term in the row: it is lost, not handed over', () => {
    world.start('a');
    world.round('a');
    world.nowMs += LEASE_MS + 1;
    world.start('b');
    world.round('b');
    expect(world.held('b')).toEqual(SHARDS);
    const effects = world.round('a');
    expect(ofKind(effects, 'end')).toMatchObject([{ why: 'lost' }]);
    expect(ofKind(effects, 'release')).toEqual([]);
    expect(world.held('a')).toEqual([]);
  });

  it('an answer to an order to take that got lost is found in the rows', () => {
    world.start('a');
    for (const sh of SHARDS)
      world.leases.set(sh, { sh, owner: 'a', epoch: 7, until: world.nowMs + LEASE_MS });
    const [begin] = ofKind(world.round('a'), 'begin');
    expect(begin?.terms.map(({ epoch }) => epoch)).toEqual(SHARDS.map(() => 7));
  });

  it('any order of starts, stops, kills and looks: at most one holder of a shard, and all are held in the end', () => {
    for (let seed = 1; seed <= 30; seed++) {
      world = new World();
      let random = seed;
      const below = (limit: number): number => {
        random = (random * 48_271) % 2_147_483_647;
        return random % limit;
      };
      for (let step = 0; step < 200; step++) {
        const ids = [...world.states.keys()];
        const id = ids[below(Math.max(1, ids.length))];
        const choice = below(20);
        if (choice === 0 || id === undefined) world.start(`replica-${seed}-${step}`);
        else if (choice === 1 && ids.length > 1) world.states.delete(id);
        else if (choice === 2 && ids.length > 1) {
          world.input(id, { kind: 'stop' });
          world.states.delete(id);
          world.replicas.delete(id);
        } else if (choice < 6) world.nowMs += below(LEASE_MS);
        else if (choice === 6) world.input(id, { kind: 'due', atMs: world.nowMs });
        else world.round(id);
        const held = [...world.states.keys()].flatMap((each) => world.held(each));
        expect(held).toHaveLength(new Set(held).size);
      }
      for (let round = 0; round < 8; round++) {
        world.nowMs += 2_000;
        for (const each of world.states.keys()) world.round(each);
      }
      const live = [...world.states.keys()];
      const owners = shardOwners(SHARDS, live, hash);
      for (const each of live)
        expect(world.held(each)).toEqual(SHARDS.filter((sh) => owners.get(sh) === each));
    }
  });
});
