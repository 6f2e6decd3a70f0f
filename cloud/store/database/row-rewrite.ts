import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Store, Tx } from '../sql/store.ts';
import { keyOf, type Row, type TableKey } from './table-walk.ts';

const BATCH = 500;

/**
 * Goes through a table in the order of its key, 500 rows a transaction, and writes the columns that `rewrite` gives for a
 * row; undefined = it is as it should be. Gives the number of rows written: what was written before an interruption is
 * found done.
 */
export async function rewriteRows(
  store: Store,
  table: TableKey,
  rewrite: (tx: Tx, row: Row) => Row | undefined,
): Promise<number> {
  let after: readonly unknown[] | undefined;
  let written = 0;
  do {
    const batch = await store.withTx((tx) => rewriteBatch(tx, table, after, rewrite));
    after = batch.last;
    written += batch.written;
  } while (after !== undefined);
  return written;
}

async function rewriteBatch(
  tx: Tx,
  table: TableKey,
  after: readonly unknown[] | undefined,
  rewrite: (tx: Tx, row: Row) => Row | undefined,
) {
  const t = tx.tables[table] as Tx['tables']['device'];
  const key = keyOf(tx, table);
  const list = (parts: readonly unknown[]): SQL =>
    sql`(${sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    )})`;
  const rows: Row[] = await tx.db
    .select()
    .from(t)
    .where(after && sql`${list(key.map(({ column }) => column))} > ${list(after)}`)
    .orderBy(...key.map(({ column }) => asc(column)))
    .limit(BATCH);
  let written = 0;
  for (const row of rows) {
    const set = rewrite(tx, row);
    if (set === undefined) continue;
    written += 1;
    const here = key.map(({ name, column }) => eq(column, row[name] as string));
    await tx.db
      .update(t)
      .set(set as Record<string, never>)
      .where(and(...here));
  }
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  return { written, last: last && key.map(({ name }) => last[name]) };
}
