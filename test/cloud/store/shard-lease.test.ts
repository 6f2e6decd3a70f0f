import { describe, expect, it } from 'vitest';
import {
  dropReplica,
  liveReplicas,
  ownedShards,
  releaseShards,
  renewReplica,
  renewShards,
  type Store,
  takeShards,
} from '#cloud/store/index.ts';
import { dialects, openTestDatabase } from './database.ts';

const SHARDS = ['00', '01', '02'];
const LEASE_MS = 60_000;
const take = (store: Store, owner: string, always = false) =>
  store.withTx((tx) => takeShards(tx, SHARDS, owner, LEASE_MS, always));
const renew = (store: Store, owner: string) => store.withTx((tx) => renewShards(tx, owner, LEASE_MS));
/** Time passes by the clock of the database, which no test waits for. */
const runOut = (store: Store) =>
  store.withTx(async (tx) => {
    await tx.db.update(tx.tables.shardLease).set({ until: 1 });
  });

describe.each(dialects)('leases of shards on %s', (dialect) => {
  it('have one owner in each term', { timeout: 60_000 }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    const terms = async (owner: string) => (await take(store, owner)).map(({ sh, epoch }) => [sh, epoch]);
    expect((await terms('a')).toSorted()).toEqual(SHARDS.map((sh) => [sh, 1]));
    expect(await take(store, 'b')).toEqual([]);
    expect(await renew(store, 'a')).toBe(3);
    expect(await renew(store, 'b')).toBe(0);
    await runOut(store);
    // The taker of an expired lease begins a new term.
    expect((await take(store, 'b')).map(({ epoch }) => epoch)).toEqual([2, 2, 2]);
    expect(await renew(store, 'a')).toBe(0);
    expect(await ownedShards(store, 'a')).toEqual([]);
    await close();
  });

  it('are given back by term: one that is over takes nothing from its successor', {
    timeout: 60_000,
  }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    const old = await take(store, 'a');
    await runOut(store);
    const current = await take(store, 'b');
    await store.withTx((tx) => releaseShards(tx, old));
    expect(await ownedShards(store, 'b')).toHaveLength(3);
    await store.withTx((tx) => releaseShards(tx, current));
    expect((await take(store, 'a')).map(({ epoch }) => epoch)).toEqual([3, 3, 3]);
    // The file lock of SQLite has shown that the owner is dead.
    expect((await take(store, 'c', true)).map(({ epoch }) => epoch)).toEqual([4, 4, 4]);
    await close();
  });

  it('a replica lives as long as it says so, by the clock of the database', { timeout: 60_000 }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    await take(store, 'a');
    await runOut(store);
    const view = await store.withTx((tx) => renewReplica(tx, 'a', LEASE_MS));
    expect(Math.abs(view.databaseMs - Date.now())).toBeLessThan(60_000);
    expect(view.replicas).toEqual([
      {
        ...{ id: 'a', startedAt: view.databaseMs, until: view.databaseMs + LEASE_MS },
        ...{ version: null, machine: null, brokers: null, brokersSince: null },
      },
    ]);
    // Its shards were not taken meanwhile: they are kept under their term.
    expect(view.leases.map(({ owner, epoch }) => [owner, epoch])).toEqual(SHARDS.map(() => ['a', 1]));
    expect(Math.min(...view.leases.map(({ until }) => until))).toBeGreaterThan(view.databaseMs);
    expect((await liveReplicas(store)).map(({ id }) => id)).toEqual(['a']);
    // Since when it reaches so many brokers is kept while it is as many.
    const saying = async (brokers: number) =>
      (await store.withTx((tx) => renewReplica(tx, 'a', LEASE_MS, brokers))).replicas[0];
    const first = await saying(2);
    expect(first).toMatchObject({ brokers: 2, brokersSince: expect.any(Number) });
    await store.withTx((tx) => tx.db.update(tx.tables.replica).set({ brokersSince: 5 }));
    expect(await saying(2)).toMatchObject({ brokers: 2, brokersSince: 5 });
    const other = await saying(1);
    expect(other?.brokers).toBe(1);
    expect(other?.brokersSince).toBeGreaterThanOrEqual(first?.brokersSince ?? 0);
    await store.withTx((tx) => renewReplica(tx, 'b', -1));
    expect((await liveReplicas(store)).map(({ id }) => id)).toEqual(['a']);
    await store.withTx((tx) => dropReplica(tx, 'a'));
    expect(await liveReplicas(store)).toEqual([]);
    await close();
  });
});
