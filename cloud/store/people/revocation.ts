import { and, eq, lt } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type RevokedTokenRow = Reader['tables']['revokedToken']['$inferSelect'];

const revokedByJti = prepared(({ db, tables: { revokedToken: t } }) =>
  db
    .select({ jti: t.jti })
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.jti, given('jti')))),
);

/** Whether the JWT with this `jti` is refused in the tenant. */
export async function isRevoked(from: Reader, tenant: string, jti: string): Promise<boolean> {
  return (await revokedByJti(from, { tenant, jti })).length > 0;
}

export async function insertRevokedToken(tx: Tx, row: RevokedTokenRow): Promise<void> {
  const t = tx.tables.revokedToken;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.jti], set: { expiresAt: row.expiresAt } });
}

/** Forgets those whose token is dead anyway; returns their `jti`. */
export async function deleteDeadRevocations(tx: Tx, tenant: string, now: number): Promise<string[]> {
  const t = tx.tables.revokedToken;
  const rows = await tx.db
    .delete(t)
    .where(and(eq(t.tenant, tenant), lt(t.expiresAt, now)))
    .returning({ jti: t.jti });
  return rows.map(({ jti }) => jti);
}

/** Tokens issued before `notBefore` (epoch ms) are refused from the commit on. */
export async function setTenantNotBefore(tx: Tx, id: string, notBefore: number): Promise<void> {
  const t = tx.tables.tenant;
  await tx.db.update(t).set({ notBefore }).where(eq(t.id, id));
}
