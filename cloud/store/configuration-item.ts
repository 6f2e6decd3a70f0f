import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { ConfigurationSet } from './schema/provisioning-tables.ts';
import { given, prepared } from './sql/prepared.ts';
import type { Reader, Tx } from './store.ts';

/** Tables whose rows exist in a working and a provisory set. All have the same columns. */
export type ItemTable = 'alarmBridge';

export type ItemRow = Reader['tables'][ItemTable]['$inferSelect'];

/** Which rows: one set of one tenant. */
export interface ItemSet {
  readonly tenant: string;
  readonly set: ConfigurationSet;
}

const itemById = {
  alarmBridge: prepared(({ db, tables: { alarmBridge: t } }) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.tenant, given('tenant')), eq(t.set, given('set')), eq(t.id, given('id')))),
  ),
} as const;

export async function readItem(
  from: Reader,
  table: ItemTable,
  where: ItemSet,
  id: string,
): Promise<ItemRow | undefined> {
  const [row] = await itemById[table](from, { ...where, id });
  return row;
}

/** In order of id, those after `afterId`. */
export async function listItems(
  from: Reader,
  table: ItemTable,
  where: ItemSet,
  afterId: string,
  limit: number,
): Promise<ItemRow[]> {
  const t = from.tables[table];
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, where.tenant), eq(t.set, where.set), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** Every row of the set, in order of id. A tenant's receivers are tens, not thousands. */
export async function allItems(from: Reader, table: ItemTable, where: ItemSet): Promise<ItemRow[]> {
  const t = from.tables[table];
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, where.tenant), eq(t.set, where.set)))
    .orderBy(asc(t.id));
}

/** Whether any row is left in the set. */
export async function hasItems(from: Reader, table: ItemTable, where: ItemSet): Promise<boolean> {
  return (await listItems(from, table, where, '', 1)).length > 0;
}

export async function putItem(tx: Tx, table: ItemTable, row: ItemRow): Promise<void> {
  const t = tx.tables[table];
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({
      target: [t.tenant, t.set, t.id],
      set: { body: row.body, updatedAt: row.updatedAt },
    });
}

export async function deleteItems(
  tx: Tx,
  table: ItemTable,
  where: ItemSet,
  ids: readonly string[],
): Promise<void> {
  const t = tx.tables[table];
  await tx.db.delete(t).where(and(eq(t.tenant, where.tenant), eq(t.set, where.set), inArray(t.id, [...ids])));
}
