import { and, asc, desc, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import type { ReplicatedMaintenance } from '#shared/contract/site/index.ts';
import { recordChange } from '../change/change.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type MaintenanceRow = Reader['tables']['maintenanceWindow']['$inferSelect'];

/** The change that the hosts of its site get, for they send their own alarms while the control plane is away. */
const changeOf = ({ tenant, siteId, id }: Pick<MaintenanceRow, 'tenant' | 'siteId' | 'id'>) =>
  ({ scope: 'site', owner: `${tenant}/${siteId}`, entity: 'maintenance', id }) as const;

/** Writes the window, and the change by which the hosts of its site know it. */
export async function insertMaintenance(tx: Tx, row: MaintenanceRow): Promise<void> {
  await tx.db.insert(tx.tables.maintenanceWindow).values(row);
  const { hostId, startsAt, endsAt, madeAt } = row;
  const body: ReplicatedMaintenance = { ...(hostId === '' ? {} : { hostId }), startsAt, endsAt };
  await recordChange(tx, { ...changeOf(row), op: 'put', body, at: madeAt });
}

export async function readMaintenance(
  from: Reader,
  tenant: string,
  id: string,
): Promise<MaintenanceRow | undefined> {
  const t = from.tables.maintenanceWindow;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

/** Ends the window, at its hosts too; one that is not there is no failure. */
export async function closeMaintenance(
  tx: Tx,
  id: string,
  closedAt: number,
  closedBy: string,
): Promise<void> {
  const t = tx.tables.maintenanceWindow;
  const [row] = await tx.db
    .update(t)
    .set({ closedAt, closedBy })
    .where(eq(t.id, id))
    .returning({ id: t.id, tenant: t.tenant, siteId: t.siteId });
  if (row !== undefined) await recordChange(tx, { ...changeOf(row), op: 'delete', at: closedAt });
}

/** Other words for what is done in it; its hosts know none. */
export async function updateMaintenanceReason(tx: Tx, id: string, reason: string): Promise<void> {
  const t = tx.tables.maintenanceWindow;
  await tx.db.update(t).set({ reason }).where(eq(t.id, id));
}

/** Windows of a tenant, newest first, those before `beforeId`; `open`: only those that are not ended, or only the others. */
export async function listMaintenance(
  from: Reader,
  tenant: string,
  open: boolean | undefined,
  beforeId: string,
  limit: number,
): Promise<MaintenanceRow[]> {
  const t = from.tables.maintenanceWindow;
  const wanted = open === undefined ? undefined : open ? isNull(t.closedAt) : isNotNull(t.closedAt);
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), wanted, beforeId === '' ? undefined : lt(t.id, beforeId)))
    .orderBy(desc(t.id))
    .limit(limit);
}

/** Windows of a site that hold, or held, at this time. */
export async function maintenanceAt(
  from: Reader,
  tenant: string,
  siteId: string,
  at: number,
): Promise<MaintenanceRow[]> {
  const t = from.tables.maintenanceWindow;
  const ofSite = and(eq(t.tenant, tenant), eq(t.siteId, siteId));
  return await from.db
    .select()
    .from(t)
    .where(and(ofSite, lte(t.startsAt, at), gt(t.endsAt, at), or(isNull(t.closedAt), gt(t.closedAt, at))))
    .orderBy(asc(t.id));
}

/** Windows of all tenants whose time is over and that were not ended. */
export async function maintenanceOver(from: Reader, at: number, limit: number): Promise<MaintenanceRow[]> {
  const t = from.tables.maintenanceWindow;
  return await from.db
    .select()
    .from(t)
    .where(and(isNull(t.closedAt), lte(t.endsAt, at)))
    .orderBy(asc(t.id))
    .limit(limit);
}
