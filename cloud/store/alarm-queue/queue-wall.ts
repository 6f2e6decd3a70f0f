import { and, asc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type QueueWallRow = Reader['tables']['queueWall']['$inferSelect'];

export async function listQueueWalls(from: Reader, tenant: string): Promise<QueueWallRow[]> {
  const t = from.tables.queueWall;
  return await from.db.select().from(t).where(eq(t.tenant, tenant)).orderBy(asc(t.id));
}

export async function queueWallByHash(
  from: Reader,
  tenant: string,
  hash: string,
): Promise<QueueWallRow | undefined> {
  const t = from.tables.queueWall;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.hash, hash)));
  return row;
}

export async function insertQueueWall(tx: Tx, row: QueueWallRow): Promise<void> {
  await tx.db.insert(tx.tables.queueWall).values(row);
}

/** False: there is no such display. */
export async function deleteQueueWall(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const t = tx.tables.queueWall;
  const deleted = await tx.db
    .delete(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)))
    .returning({ id: t.id });
  return deleted.length > 0;
}
