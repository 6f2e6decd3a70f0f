import { describe, expect, it } from 'vitest';
import { ownedShards, releaseShards, renewShards, takeShards } from '#cloud/store/index.ts';
import { dialects, openTestDatabase } from './database.ts';

const SHARDS = ['00', '01', '02'];
const A = { installation: 'a', process: '1' };
const A_AGAIN = { installation: 'a', process: '2' };
const B = { installation: 'b', process: '1' };

describe.each(dialects)('leases of shards on %s', (dialect) => {
  it('have one owner in each term', { timeout: 60_000 }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    const take = (owner: typeof A, nowMs: number) =>
      store.withTx((tx) => takeShards(tx, SHARDS, owner, nowMs, nowMs + 20));
    const renew = (owner: typeof A, untilMs: number) => store.withTx((tx) => renewShards(tx, owner, untilMs));
    expect((await take(A, 100)).map(({ sh, epoch }) => [sh, epoch])).toEqual(SHARDS.map((sh) => [sh, 1]));
    expect(await take(B, 110)).toEqual([]);
    expect(await renew(A, 130)).toBe(3);
    expect(await renew(B, 999)).toBe(0);
    // No other process takes a renewed lease, and the taker of an expired one begins a new term.
    expect(await take(B, 130)).toEqual([]);
    expect((await take(B, 131)).map(({ epoch }) => epoch)).toEqual([2, 2, 2]);
    expect(await renew(A, 999)).toBe(0);
    expect(await ownedShards(store, A)).toEqual([]);
    // A restart of the same installation need not wait; its former process is shut out.
    await store.withTx((tx) => releaseShards(tx, B));
    expect(await take(A, 132)).toHaveLength(3);
    expect((await take(A_AGAIN, 133)).map(({ epoch }) => epoch)).toEqual([4, 4, 4]);
    expect(await renew(A, 999)).toBe(0);
    await close();
  });
});
