import { and, asc, desc, eq, gt, inArray, lt } from 'drizzle-orm';
import type { OperationState } from '../schema/site-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import { note, type Reader, type Tx } from '../sql/store.ts';

export type OperationRow = Reader['tables']['siteOperation']['$inferSelect'];

const OPEN: readonly OperationState[] = ['pending', 'running', 'blocked'];

export async function insertOperation(tx: Tx, row: OperationRow): Promise<void> {
  note(tx, 'operation', row.id);
  await tx.db.insert(tx.tables.siteOperation).values(row);
}

export async function updateOperation(tx: Tx, id: string, set: Partial<OperationRow>): Promise<void> {
  const t = tx.tables.siteOperation;
  note(tx, 'operation', id);
  await tx.db.update(t).set(set).where(eq(t.id, id));
}

const operationById = prepared(({ db, tables: { siteOperation: t } }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.id, given('id')))),
);

export async function readOperation(
  from: Reader,
  tenant: string,
  id: string,
): Promise<OperationRow | undefined> {
  const [row] = await operationById(from, { tenant, id });
  return row;
}

/** Operations of these ids, of any tenant. At most 500. */
export async function operationsOf(from: Reader, ids: readonly string[]): Promise<OperationRow[]> {
  const t = from.tables.siteOperation;
  if (ids.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(inArray(t.id, [...ids]));
}

/** Newest first, those before `beforeId`; empty = from the newest on. */
export async function listOperations(
  from: Reader,
  tenant: string,
  beforeId: string,
  limit: number,
): Promise<OperationRow[]> {
  const t = from.tables.siteOperation;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), beforeId === '' ? undefined : lt(t.id, beforeId)))
    .orderBy(desc(t.id))
    .limit(limit);
}

/** Operations of all tenants that have not ended, those after `afterId`. */
export async function openOperations(from: Reader, afterId: string, limit: number): Promise<OperationRow[]> {
  const t = from.tables.siteOperation;
  return await from.db
    .select()
    .from(t)
    .where(and(inArray(t.state, [...OPEN]), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}
