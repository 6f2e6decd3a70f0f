import { and, asc, eq, getTableName, gt, inArray } from 'drizzle-orm';
import type { ConfigurationSet } from '../schema/provisioning-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** Tables whose rows exist in a working and a provisory set. All have the same columns. */
export type ItemTable =
  | 'alarmBridge'
  | 'alarmEventMapper'
  | 'cloudSipUa'
  | 'trunk'
  | 'mediaService'
  | 'recordingService'
  | 'protocolProfile';

export type ItemRow = Reader['tables'][ItemTable]['$inferSelect'];

/** Which rows: one set of one tenant. */
export interface ItemSet {
  readonly tenant: string;
  readonly set: ConfigurationSet;
}

export const itemPlace = (
  from: Reader,
  table: ItemTable,
  { tenant, set, id }: ItemSet & { readonly id: string },
) => ({
  tenant,
  table: getTableName(from.tables[table]),
  row: `${set}/${id}`,
});

const opened = (from: Reader, table: ItemTable, row: ItemRow): ItemRow => ({
  ...row,
  body: from.seal.opened(itemPlace(from, table, row), row.body),
});

const byId = (table: ItemTable) =>
  prepared((from) => {
    const t = from.tables[table];
    return from.db
      .select()
      .from(t)
      .where(and(eq(t.tenant, given('tenant')), eq(t.set, given('set')), eq(t.id, given('id'))));
  });

const itemById: { readonly [table in ItemTable]: ReturnType<typeof byId> } = {
  alarmBridge: byId('alarmBridge'),
  alarmEventMapper: byId('alarmEventMapper'),
  cloudSipUa: byId('cloudSipUa'),
  trunk: byId('trunk'),
  mediaService: byId('mediaService'),
  recordingService: byId('recordingService'),
  protocolProfile: byId('protocolProfile'),
};

export async function readItem(
  from: Reader,
  table: ItemTable,
  where: ItemSet,
  id: string,
): Promise<ItemRow | undefined> {
  const [row] = await itemById[table](from, { ...where, id });
  return row && opened(from, table, row);
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
  const rows = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, where.tenant), eq(t.set, where.set), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
  return rows.map((row) => opened(from, table, row));
}

/** Every row of the set, in order of id. A tenant's receivers are tens, not thousands. */
export async function allItems(from: Reader, table: ItemTable, where: ItemSet): Promise<ItemRow[]> {
  const t = from.tables[table];
  const rows = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, where.tenant), eq(t.set, where.set)))
    .orderBy(asc(t.id));
  return rows.map((row) => opened(from, table, row));
}

/** Whether any row is left in the set. */
export async function hasItems(from: Reader, table: ItemTable, where: ItemSet): Promise<boolean> {
  return (await listItems(from, table, where, '', 1)).length > 0;
}

export async function putItem(tx: Tx, table: ItemTable, row: ItemRow): Promise<void> {
  const t = tx.tables[table];
  const body = tx.seal.sealed(itemPlace(tx, table, row), row.body);
  await tx.db
    .insert(t)
    .values({ ...row, body })
    .onConflictDoUpdate({
      target: [t.tenant, t.set, t.id],
      set: { body, updatedAt: row.updatedAt },
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
