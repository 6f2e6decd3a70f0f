import { and, asc, eq, lte } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type RelayRow = Reader['tables']['relay']['$inferSelect'];

/** The fields of a delivery that an attempt changes. */
const UNTRIED = { alarm: null, code: null, tookMs: null, settledAt: null };

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

/** Waiting deliveries whose time has come, oldest first. */
export async function dueRelays(from: Reader, nowMs: number, limit: number): Promise<RelayRow[]> {
  const t = from.tables.relay;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.state, 'waiting'), lte(t.notBefore, nowMs)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** When the next waiting delivery is due; undefined = none waits. */
export async function nextRelayAt(from: Reader): Promise<number | undefined> {
  const t = from.tables.relay;
  const [row] = await from.db
    .select({ at: t.notBefore })
    .from(t)
    .where(eq(t.state, 'waiting'))
    .orderBy(asc(t.notBefore))
    .limit(1);
  return row?.at;
}

export async function updateRelay(tx: Tx, id: string, set: Partial<RelayRow>): Promise<void> {
  const t = tx.tables.relay;
  await tx.db.update(t).set(set).where(eq(t.id, id));
}
