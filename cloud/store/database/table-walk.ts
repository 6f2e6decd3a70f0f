import { asc, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { getTableConfig as pgConfig } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import type { Handle } from '../sql/connection.ts';
import type { Reader } from '../sql/store.ts';

/** One row by the names of the program, as the database gives it: bodies sealed. */
export type Row = Readonly<Record<string, unknown>>;

type Tables = Reader['tables'];
export type TableKey = keyof Tables;
/** Any table, typed as one of them: the walk uses what all have in common. */
type AnyTable = Tables['device'];
type AnyColumn = AnyTable['id'];

/** The context of a walk: a handle and the tables of its dialect. */
export type Walked = { readonly db: Handle } & Pick<Reader, 'tables' | 'dialect'>;

/** PostgreSQL takes 65,535 parameters in one statement; no table has as many columns as that leaves. */
const BATCH = 500;

/** Name of a table in the database to its key in `tables`. */
export const tablesByName = ({ tables }: Walked): ReadonlyMap<string, TableKey> =>
  new Map(Object.entries(tables).map(([key, table]) => [getTableName(table), key as TableKey]));

/** Columns of the primary key, with their names in the program. */
export function keyOf({ tables, dialect }: Walked, table: TableKey): { name: string; column: AnyColumn }[] {
  const config = (dialect.name === 'pg' ? pgConfig : sqliteConfig) as unknown as typeof sqliteConfig;
  const { columns, primaryKeys } = config(tables[table]);
  const declared = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary);
  const byName = Object.entries(getTableColumns(tables[table]));
  return declared.map((column) => {
    const [name] = byName.find(([, each]) => each.name === column.name) ?? [];
    if (name === undefined) throw new Error(`${table} has a key column ${column.name} of no property`);
    return { name, column: column as unknown as AnyColumn };
  });
}

/** Every row of a table in the order of its primary key, in batches: the order is the same in both databases. */
export async function* rowsOf(from: Walked, table: TableKey): AsyncGenerator<readonly Row[]> {
  const t = from.tables[table] as AnyTable;
  const key = keyOf(from, table);
  const list = (parts: readonly unknown[]): SQL =>
    sql`(${sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    )})`;
  const columns = list(key.map(({ column }) => column));
  let after: readonly unknown[] | undefined;
  do {
    const rows: Row[] = await from.db
      .select()
      .from(t)
      .where(after && sql`${columns} > ${list(after)}`)
      .orderBy(...key.map(({ column }) => asc(column)))
      .limit(BATCH);
    if (rows.length > 0) yield rows;
    const last = rows.length < BATCH ? undefined : rows.at(-1);
    after = last && key.map(({ name }) => last[name]);
  } while (after !== undefined);
}

export async function insertRows(into: Walked, table: TableKey, rows: readonly Row[]): Promise<void> {
  await into.db.insert(into.tables[table] as AnyTable).values(rows as AnyTable['$inferInsert'][]);
}

/** The content of a table, in a form to compare: number of rows, and a hash over all of them in the order of the key. */
export interface TableDigest {
  readonly rows: number;
  readonly hash: string;
}

export async function digestOf(
  from: Walked,
  table: TableKey,
  sha256: (text: string) => string,
): Promise<TableDigest> {
  let rows = 0;
  let hash = '';
  for await (const batch of rowsOf(from, table)) {
    rows += batch.length;
    hash = sha256(hash + batch.map((row) => canonicalJson(row)).join('\n'));
  }
  return { rows, hash };
}
