import { and, asc, eq, gt, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type ShardLeaseRow = Reader['tables']['shardLease']['$inferSelect'];

/** The term of a shard: its number, and whose it is. */
export type ShardTerm = Pick<ShardLeaseRow, 'sh' | 'owner' | 'epoch'>;

/** The condition for rows of leases that are locked in the order of their shards, as every writer of several rows locks them. */
function locked(
  { dialect, tables: { shardLease: t } }: Pick<Reader, 'dialect' | 'tables'>,
  those?: SQL,
): SQL {
  const ids = sql`SELECT ${t.sh} FROM ${t} WHERE ${those ?? sql`TRUE`} ORDER BY ${t.sh}`;
  return sql`${t.sh} ${dialect.amongLocked(ids)}`;
}

/**
 * Takes those of these shards that are free or have run out, by the clock of the database; `always`: also those of another
 * owner, for the file lock of SQLite has shown that it is dead. Each begins a new term. Gives the taken ones.
 *
 * A transaction of the former owner that has passed its fence is waited for; it ends within 3 s, or the database ends it.
 */
export async function takeShards(
  tx: Tx,
  shards: readonly string[],
  owner: string,
  leaseMs: number,
  always = false,
): Promise<ShardLeaseRow[]> {
  if (shards.length === 0) return [];
  const t = tx.tables.shardLease;
  const now = sql.raw(tx.dialect.clockMs);
  await tx.db
    .insert(t)
    .values(shards.map((sh) => ({ sh, owner: '', epoch: 0, until: 0 })))
    .onConflictDoNothing();
  const lock = tx.dialect.lockShard('exclusive', t.sh);
  if (lock !== undefined)
    await tx.db
      .select({ locked: lock })
      .from(t)
      .where(inArray(t.sh, [...shards]))
      .orderBy(asc(t.sh));
  return await tx.db
    .update(t)
    .set({ owner, until: sql`${now} + ${leaseMs}`, epoch: sql`${t.epoch} + 1` })
    .where(
      and(
        locked(tx, inArray(t.sh, [...shards])),
        always ? ne(t.owner, owner) : or(lte(t.until, now), eq(t.owner, '')),
      ),
    )
    .returning();
}

export async function ownedShards(from: Reader, owner: string): Promise<ShardLeaseRow[]> {
  const t = from.tables.shardLease;
  return await from.db.select().from(t).where(eq(t.owner, owner)).orderBy(asc(t.sh));
}

/** Keeps what this process owns; gives how many shards that are. */
export async function renewShards(tx: Tx, owner: string, leaseMs: number): Promise<number> {
  const t = tx.tables.shardLease;
  const kept = await tx.db
    .update(t)
    .set({ until: sql`${sql.raw(tx.dialect.clockMs)} + ${leaseMs}` })
    .where(and(locked(tx, eq(t.owner, owner)), eq(t.owner, owner)))
    .returning({ sh: t.sh });
  return kept.length;
}

/**
 * Lets go of these terms: their shards are free at once. Terms that are over by now are left alone. Rows are locked in the order of
 * shards, so that two who release the same ones wait for each other instead of ending in a deadlock.
 */
export async function releaseShards(tx: Tx, terms: readonly ShardTerm[]): Promise<void> {
  const t = tx.tables.shardLease;
  if (terms.length === 0) return;
  const own = terms.map(({ sh, owner, epoch }) => and(eq(t.sh, sh), eq(t.owner, owner), eq(t.epoch, epoch)));
  const ofTerms = or(...own);
  const those = inArray(
    t.sh,
    terms.map(({ sh }) => sh),
  );
  await tx.db
    .update(t)
    .set({ owner: '', until: 0 })
    .where(and(locked(tx, those), ofTerms));
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
