import { and, asc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { fail, ok, type Result } from '#shared/result.ts';
import { given, prepared } from '../sql/prepared.ts';
import { type Reader, type Store, storeWith, type Tx } from '../sql/store.ts';

export type ShardLeaseRow = Reader['tables']['shardLease']['$inferSelect'];

/** `<installation>.<process>`: a process that starts again after its end need not wait for its former lease to run out. */
export interface ShardOwner {
  readonly installation: string;
  readonly process: string;
}

const nameOf = ({ installation, process }: ShardOwner): string => `${installation}.${process}`;

/**
 * Takes those of these shards that are free, have run out, or belong to a former process of this installation; each begins
 * a new term. Gives all that are owned then.
 */
export async function takeShards(
  tx: Tx,
  shards: readonly string[],
  owner: ShardOwner,
  nowMs: number,
  untilMs: number,
): Promise<ShardLeaseRow[]> {
  const t = tx.tables.shardLease;
  await tx.db
    .insert(t)
    .values(shards.map((sh) => ({ sh, owner: '', epoch: 0, until: 0 })))
    .onConflictDoNothing();
  const { installation } = owner;
  const own = and(gte(t.owner, `${installation}.`), lt(t.owner, `${installation}/`));
  await tx.db
    .update(t)
    .set({ owner: nameOf(owner), until: untilMs, epoch: sql`${t.epoch} + 1` })
    .where(and(inArray(t.sh, [...shards]), or(lt(t.until, nowMs), own)));
  return await ownedShards(tx, owner);
}

export async function ownedShards(from: Reader, owner: ShardOwner): Promise<ShardLeaseRow[]> {
  const t = from.tables.shardLease;
  return await from.db
    .select()
    .from(t)
    .where(eq(t.owner, nameOf(owner)))
    .orderBy(asc(t.sh));
}

/** Keeps what this process owns; gives how many shards that are. */
export async function renewShards(tx: Tx, owner: ShardOwner, untilMs: number): Promise<number> {
  const t = tx.tables.shardLease;
  const kept = await tx.db
    .update(t)
    .set({ until: untilMs })
    .where(eq(t.owner, nameOf(owner)))
    .returning({ sh: t.sh });
  return kept.length;
}

/** Lets go of them, at a graceful end. */
export async function releaseShards(tx: Tx, owner: ShardOwner): Promise<void> {
  const t = tx.tables.shardLease;
  await tx.db
    .update(t)
    .set({ until: 0 })
    .where(eq(t.owner, nameOf(owner)));
}

/** Frees all shards of a database that came from elsewhere: no process that it names works on it. Terms stay. */
export async function freeShards({
  db,
  tables: { shardLease },
}: Pick<Reader, 'db' | 'tables'>): Promise<void> {
  await db.update(shardLease).set({ owner: '', until: 0 });
}

/** For work on the whole database: whoever holds a lease that has not run out is at work. Fails with `running`. */
export async function checkIdle(
  { db, tables: { shardLease } }: Reader,
  nowMs: number,
): Promise<Result<null>> {
  const held = await db
    .select({ sh: shardLease.sh })
    .from(shardLease)
    .where(gt(shardLease.until, nowMs))
    .limit(1);
  return held.length === 0
    ? ok(null)
    : fail('running', 'A control plane uses this database: stop it first, and wait 30 s if it was killed.');
}

/** Another process owns the shards by now: the view of this process on its hosts is old. */
export class LeaseLost extends Error {}

const ownedByName = prepared(({ db, tables: { shardLease: t } }) =>
  db
    .select({ sh: t.sh })
    .from(t)
    .where(eq(t.owner, given('owner')))
    .limit(1),
);

/**
 * The store of an owner: a transaction of one that was replaced (it hung, and its lease ran out) leaves nothing, whatever
 * it believed when it began. Throws `LeaseLost`.
 */
export const fencedStore = (store: Store, owner: ShardOwner): Store =>
  storeWith(store, {
    withTx: (work) =>
      store.withTx(async (tx) => {
        const own = await ownedByName(tx, { owner: nameOf(owner) });
        if (own.length === 0) throw new LeaseLost('another control plane has taken over the hosts');
        return await work(tx);
      }),
  });
