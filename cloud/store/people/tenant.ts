import { asc, eq, gt } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type TenantRow = Reader['tables']['tenant']['$inferSelect'];

const byDomain = prepared(({ db, tables: { tenant: t } }) =>
  db
    .select()
    .from(t)
    .where(eq(t.domain, given('domain'))),
);

export async function tenantByDomain(from: Reader, domain: string): Promise<TenantRow | undefined> {
  const [row] = await byDomain(from, { domain });
  return row;
}

export async function tenantById(from: Reader, id: string): Promise<TenantRow | undefined> {
  const t = from.tables.tenant;
  const [row] = await from.db.select().from(t).where(eq(t.id, id));
  return row;
}

/** Tenants in order of domain, those after `afterDomain`. */
export async function listTenants(from: Reader, afterDomain: string, limit: number): Promise<TenantRow[]> {
  const t = from.tables.tenant;
  return await from.db.select().from(t).where(gt(t.domain, afterDomain)).orderBy(asc(t.domain)).limit(limit);
}

export async function insertTenant(tx: Tx, row: Reader['tables']['tenant']['$inferInsert']): Promise<void> {
  await tx.db.insert(tx.tables.tenant).values(row);
}

export async function updateTenant(
  tx: Tx,
  id: string,
  set: Partial<Pick<TenantRow, 'name' | 'secondFactorSince'>>,
): Promise<void> {
  await tx.db.update(tx.tables.tenant).set(set).where(eq(tx.tables.tenant.id, id));
}

/** Takes everything provisioned in the tenant with it; changes and audit stay. */
export async function deleteTenant(tx: Tx, id: string): Promise<void> {
  await tx.db.delete(tx.tables.tenant).where(eq(tx.tables.tenant.id, id));
}
