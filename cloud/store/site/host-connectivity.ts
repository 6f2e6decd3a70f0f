import { and, desc, eq, lt, lte } from 'drizzle-orm';
import type { Connectivity } from '../schema/site-tables.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** A change of the connectivity of a host. */
export interface ConnectivityChange {
  /** Epoch ms. */
  readonly at: number;
  readonly before: Connectivity;
  readonly after: Connectivity;
}

/** Changes that are kept of one host: two years of a host that is lost three times a day. */
const MOST = 2_000;

/**
 * Notes a change, and forgets the oldest ones of this host beyond the limit. Two changes of one millisecond are one: from the
 * first state to the last.
 */
export async function noteConnectivity(tx: Tx, uid: string, change: ConnectivityChange): Promise<void> {
  const t = tx.tables.hostConnectivity;
  await tx.db
    .insert(t)
    .values({ uid, ...change })
    .onConflictDoUpdate({ target: [t.uid, t.at], set: { after: change.after } });
  const [last] = await tx.db
    .select({ at: t.at })
    .from(t)
    .where(eq(t.uid, uid))
    .orderBy(desc(t.at))
    .limit(1)
    .offset(MOST);
  if (last !== undefined) await tx.db.delete(t).where(and(eq(t.uid, uid), lte(t.at, last.at)));
}

/** Changes of a host, newest first, those before `beforeMs`; undefined: from the newest on. */
export async function changesOfConnectivity(
  from: Reader,
  uid: string,
  beforeMs: number | undefined,
  limit: number,
): Promise<ConnectivityChange[]> {
  const t = from.tables.hostConnectivity;
  return await from.db
    .select({ at: t.at, before: t.before, after: t.after })
    .from(t)
    .where(and(eq(t.uid, uid), beforeMs === undefined ? undefined : lt(t.at, beforeMs)))
    .orderBy(desc(t.at))
    .limit(limit);
}

/** Removes the changes of all hosts before `beforeMs`. */
export async function forgetConnectivity(tx: Tx, beforeMs: number): Promise<void> {
  const t = tx.tables.hostConnectivity;
  await tx.db.delete(t).where(lt(t.at, beforeMs));
}
