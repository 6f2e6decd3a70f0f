import { and, asc, eq, gt } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type BulkJobRow = Reader['tables']['bulkJob']['$inferSelect'];

export async function readBulkJob(from: Reader, tenant: string, id: string): Promise<BulkJobRow | undefined> {
  const t = from.tables.bulkJob;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

/** Jobs that were running when they were last written, of one tenant or of all. */
export async function startedBulkJobs(from: Reader, tenant?: string): Promise<BulkJobRow[]> {
  const t = from.tables.bulkJob;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.status, 'STARTED'), tenant === undefined ? undefined : eq(t.tenant, tenant)))
    .orderBy(asc(t.tenant), asc(t.id));
}

/** Jobs of a tenant in order of id, those after `afterId`. */
export async function bulkJobsAfter(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<BulkJobRow[]> {
  const t = from.tables.bulkJob;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** A job under an id that was used before takes its place. */
export async function putBulkJob(tx: Tx, row: BulkJobRow): Promise<void> {
  const t = tx.tables.bulkJob;
  const { tenant: _, id: __, ...set } = row;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.id], set });
}

export async function updateBulkJob(
  tx: Tx,
  tenant: string,
  id: string,
  set: Partial<Omit<BulkJobRow, 'tenant' | 'id'>>,
): Promise<void> {
  const t = tx.tables.bulkJob;
  await tx.db
    .update(t)
    .set(set)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
}
