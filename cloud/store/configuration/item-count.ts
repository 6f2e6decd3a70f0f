import { and, count, eq } from 'drizzle-orm';
import type { Reader } from '../sql/store.ts';
import type { ItemSet, ItemTable } from './configuration-item.ts';

/** How many rows the set has. */
export async function countItems(from: Reader, table: ItemTable, where: ItemSet): Promise<number> {
  const t = from.tables[table];
  const [row] = await from.db
    .select({ n: count() })
    .from(t)
    .where(and(eq(t.tenant, where.tenant), eq(t.set, where.set)));
  return row?.n ?? 0;
}
