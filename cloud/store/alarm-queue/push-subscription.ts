import { and, asc, eq } from 'drizzle-orm';
import { pushPlace } from '../sql/body-seal.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type PushSubscriptionRow = Reader['tables']['pushSubscription']['$inferSelect'];

const opened = (from: Reader, row: PushSubscriptionRow): PushSubscriptionRow => ({
  ...row,
  body: from.seal.opened(pushPlace(row.tenant, row.id), row.body),
});

/** Browsers of a tenant, in order of id. */
export async function pushSubscriptions(
  from: Reader,
  tenant: string,
  limit: number,
): Promise<PushSubscriptionRow[]> {
  const t = from.tables.pushSubscription;
  const rows = await from.db.select().from(t).where(eq(t.tenant, tenant)).orderBy(asc(t.id)).limit(limit);
  return rows.map((row) => opened(from, row));
}

/** Browsers of one person in a tenant, in order of id. */
export async function pushSubscriptionsOf(
  from: Reader,
  tenant: string,
  person: string,
): Promise<PushSubscriptionRow[]> {
  const t = from.tables.pushSubscription;
  const rows = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.person, person)))
    .orderBy(asc(t.id));
  return rows.map((row) => opened(from, row));
}

/** Instead of the one there was: a browser belongs to the person who subscribed last. */
export async function putPushSubscription(tx: Tx, row: PushSubscriptionRow): Promise<void> {
  const t = tx.tables.pushSubscription;
  const stored = { ...row, body: tx.seal.sealed(pushPlace(row.tenant, row.id), row.body) };
  const { tenant: _, id: __, ...set } = stored;
  await tx.db
    .insert(t)
    .values(stored)
    .onConflictDoUpdate({ target: [t.tenant, t.id], set });
}

/** `person`: only where it is theirs. False: there is no such browser. */
export async function deletePushSubscription(
  tx: Tx,
  tenant: string,
  id: string,
  person?: string,
): Promise<boolean> {
  const t = tx.tables.pushSubscription;
  const deleted = await tx.db
    .delete(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id), person === undefined ? undefined : eq(t.person, person)))
    .returning({ id: t.id });
  return deleted.length > 0;
}
