import { and, asc, eq, sql } from 'drizzle-orm';
import { prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type RelayRow = Reader['tables']['relay']['$inferSelect'];

/** The fields of a delivery that an attempt changes. */
const UNTRIED = {
  alarm: null,
  code: null,
  tookMs: null,
  settledAt: null,
  claimedUntil: null,
  claimedBy: null,
};

export async function insertRelay(
  tx: Tx,
  row: Omit<RelayRow, keyof typeof UNTRIED> & Partial<RelayRow>,
): Promise<void> {
  await tx.db.insert(tx.tables.relay).values({ ...UNTRIED, ...row });
}

/** Deliveries about an alarm, oldest first. */
export async function relaysOfAlarm(
  from: Reader,
  tenant: string,
  alarm: string,
  limit: number,
): Promise<RelayRow[]> {
  const t = from.tables.relay;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.alarm, alarm), eq(t.tenant, tenant)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/**
 * Claims waiting deliveries whose time has come for a replica, oldest first: no other one attempts them until `claimMs` have passed
 * by the clock of the database, or the replica is dead.
 */
export async function claimRelays(
  tx: Tx,
  replica: string,
  nowMs: number,
  limit: number,
  claimMs: number,
): Promise<RelayRow[]> {
  const { relay: t, replica: r } = tx.tables;
  const clock = sql.raw(tx.dialect.clockMs);
  const due = sql`SELECT ${t.id} FROM ${t} WHERE ${t.state} = 'waiting' AND ${t.notBefore} <= ${nowMs}
    AND (${t.claimedUntil} IS NULL OR ${t.claimedUntil} <= ${clock}
      OR ${t.claimedBy} NOT IN (SELECT ${r.id} FROM ${r} WHERE ${r.until} > ${clock}))
    ORDER BY ${t.id} LIMIT ${limit}`;
  const claimed = await tx.db
    .update(t)
    .set({ claimedUntil: sql`${clock} + ${claimMs}`, claimedBy: replica })
    .where(sql`${t.id} ${tx.dialect.amongClaimed(due)}`)
    .returning();
  return claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const nextWaiting = prepared(({ db, tables: { relay: t } }) =>
  db.select({ at: t.notBefore }).from(t).where(eq(t.state, 'waiting')).orderBy(asc(t.notBefore)).limit(1),
);

/** When the next waiting delivery is due; undefined = none waits. Asked for each second. */
export async function nextRelayAt(from: Reader): Promise<number | undefined> {
  const [row] = await nextWaiting(from, {});
  return row?.at;
}

export async function updateRelay(tx: Tx, id: string, set: Partial<RelayRow>): Promise<void> {
  const t = tx.tables.relay;
  await tx.db.update(t).set(set).where(eq(t.id, id));
}
