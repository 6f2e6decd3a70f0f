import { getTableColumns, sql } from 'drizzle-orm';
import { tablesOf } from '../schema/tables.ts';
import type { StorePort } from '../sql/connection.ts';
import { dialectOf } from '../sql/dialect.ts';
import { type Row, rowsOf, type TableKey, tablesByName, type Walked } from './table-walk.ts';

/** Rows of one table by the names of the database, values as JSON carries them. */
export interface NamedRows {
  readonly table: string;
  readonly rows: readonly Row[];
}

/**
 * Work over one state of the whole database, while other connections go on writing. There is no limit of time.
 *
 * Chosen: a read transaction; SQLite keeps what was replaced since in its log (WAL), which grows until the walk ends.
 */
export const withSnapshot = <T>(port: StorePort, work: (at: Walked) => Promise<T>): Promise<T> =>
  inWalk(port, 'beginRead', work);

/** Work that writes in one transaction without a limit of time; an exception undoes it. */
export const withWalk = <T>(port: StorePort, work: (at: Walked) => Promise<T>): Promise<T> =>
  inWalk(port, 'begin', work);

async function inWalk<T>(
  { connection }: StorePort,
  begin: 'begin' | 'beginRead',
  work: (at: Walked) => Promise<T>,
): Promise<T> {
  const dialect = dialectOf[connection.dialect];
  const lease = await connection.lease();
  try {
    await lease.exec(dialect[begin]);
    await lease.exec(dialect.mayIdle);
    const done = await work({ db: lease.db, tables: tablesOf[connection.dialect], dialect });
    await lease.exec('COMMIT');
    return done;
  } catch (error) {
    await lease.exec('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    await lease.release(false);
  }
}

/** The first of these tables that has a row; undefined = all are empty. */
export async function filledTable(at: Walked, tables: readonly string[]): Promise<string | undefined> {
  const keys = tablesByName(at);
  for (const table of tables) {
    const key = keys.get(table);
    if (key === undefined) continue;
    const t = at.tables[key] as Walked['tables']['device'];
    if ((await at.db.select().from(t).limit(1)).length > 0) return table;
  }
  return undefined;
}

/** Every row of every table that `order` names, in batches. */
export async function* namedRows(from: Walked, order: readonly string[]): AsyncGenerator<NamedRows> {
  const keys = tablesByName(from);
  for (const table of order) {
    const key = keys.get(table);
    if (key === undefined) continue;
    const columns = Object.entries(getTableColumns(from.tables[key])).map(
      ([name, column]) => [name, column.name] as const,
    );
    for await (const rows of rowsOf(from, key))
      yield {
        table,
        rows: rows.map((row) => Object.fromEntries(columns.map(([name, column]) => [column, row[name]]))),
      };
  }
}

/** The statement that inserts rows by the names of the database; the schema may be an earlier one. Throws for a foreign column. */
export function insertNamed(into: Walked, { table, rows }: NamedRows) {
  const key = keyOfTable(into, table);
  const columns = new Map(Object.values(getTableColumns(into.tables[key])).map((each) => [each.name, each]));
  const names = Object.keys(rows[0] ?? {});
  const list = names.map((name) => {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`${table} has no column ${name} in this version`);
    return { name, column };
  });
  const values = rows.map(
    (row) =>
      sql`(${sql.join(
        list.map(({ name, column }) => sql`${sql.param(row[name] ?? null, column)}`),
        sql`, `,
      )})`,
  );
  const columnList = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
  return sql`INSERT INTO ${sql.identifier(table)} (${columnList}) VALUES ${sql.join(values, sql`, `)}`;
}

function keyOfTable(at: Walked, table: string): TableKey {
  const key = tablesByName(at).get(table);
  if (key === undefined) throw new Error(`this version has no table ${table}`);
  return key;
}
