import { type SQL, sql } from 'drizzle-orm';
import type { Connection, DialectName, Handle } from '#cloud/store/index.ts';

interface ForeignKey {
  readonly child: string;
  readonly parent: string;
}

const FOREIGN_KEYS = {
  sqlite: `SELECT m.name AS child, f."table" AS parent
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  pg: `SELECT c.relname AS child, p.relname AS parent FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND NOT c.relispartition AND k.connamespace = current_schema()::regnamespace`,
} as const;

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
  // A partition is a part of its table.
  pg: `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
} as const;

/** Asks the database's own catalogue, in its own words. */
export async function asked<R>({ dialect, reader }: Connection, query: string): Promise<R[]> {
  if (dialect === 'sqlite') return (await reader.all(sql.raw(query))) as R[];
  const pg = reader as unknown as { execute: (query: unknown) => Promise<{ rows: R[] }> };
  return (await pg.execute(sql.raw(query))).rows;
}

/** Runs one built statement on the handle of a transaction, in the words of its driver. */
export async function executed(
  { dialect, db }: { readonly dialect: DialectName; readonly db: Handle },
  statement: SQL,
): Promise<void> {
  if (dialect === 'sqlite') await db.run(statement);
  else await (db as unknown as { execute: (query: SQL) => Promise<unknown> }).execute(statement);
}

/** Names of all tables, each behind those it refers to. Throws for a circle, which no migration may make. */
export async function tablesInOrder(connection: Connection): Promise<string[]> {
  const names = (await asked<{ name: string }>(connection, TABLES[connection.dialect])).map(
    ({ name }) => name,
  );
  const keys = await asked<ForeignKey>(connection, FOREIGN_KEYS[connection.dialect]);
  const ordered: string[] = [];
  while (ordered.length < names.length) {
    const next = names.filter(
      (name) =>
        !ordered.includes(name) &&
        keys.every(({ child, parent }) => child !== name || parent === name || ordered.includes(parent)),
    );
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered;
}

/** The faults that the database finds in itself: one sentence for each thing that is broken. */
export async function faultsOf(connection: Connection): Promise<string[]> {
  // PostgreSQL keeps its foreign keys itself; whether its pages are whole is asked of pg_amcheck.
  if (connection.dialect === 'pg') return [];
  const whole = await asked<{ integrity_check: string }>(connection, 'PRAGMA integrity_check');
  const orphans = await asked<{ table: string; rowid: number; parent: string }>(
    connection,
    'PRAGMA foreign_key_check',
  );
  return [
    ...whole.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...orphans.map(({ table, rowid, parent }) => `${table} row ${rowid} refers to no row of ${parent}`),
  ];
}
