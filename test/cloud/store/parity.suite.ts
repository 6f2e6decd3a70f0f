import { sql } from 'drizzle-orm';
import { getTableConfig as pgConfig } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName, Handle } from '#cloud/store/index.ts';
import type { TestDatabase } from './database.ts';
import { openTestDatabase } from './database.ts';

interface Shape {
  readonly columns: Record<string, { type: string; notNull: boolean }>;
  readonly primaryKey: string[];
  readonly indexes: Record<string, { columns: string[]; unique: boolean }>;
}

const sqlite = {
  rows: async (db: Handle, query: string) => (await db.all(sql.raw(query))) as Record<string, unknown>[],
};
const pg = {
  rows: async (db: Handle, query: string) =>
    (await (db as unknown as { execute: (q: unknown) => Promise<{ rows: unknown }> }).execute(sql.raw(query)))
      .rows as Record<string, unknown>[],
};

/** The tables that the migrations made, read from the database's own catalogue. */
async function createdShape(dialect: DialectName, db: Handle, table: string): Promise<Shape> {
  return dialect === 'sqlite' ? await sqliteShape(db, table) : await pgShape(db, table);
}

/** A part of an index that is no column: the dialects write it each in its way. */
const EXPRESSION = '(expression)';

async function sqliteShape(db: Handle, table: string): Promise<Shape> {
  const columns = await sqlite.rows(
    db,
    `SELECT name, type, "notnull" AS nn, pk FROM pragma_table_info('${table}')`,
  );
  const lists = await sqlite.rows(
    db,
    `SELECT name, "unique" AS u FROM pragma_index_list('${table}') WHERE origin = 'c'`,
  );
  const indexes: Shape['indexes'] = {};
  for (const list of lists) {
    const parts = await sqlite.rows(
      db,
      `SELECT name FROM pragma_index_info('${String(list.name)}') ORDER BY seqno`,
    );
    indexes[String(list.name)] = {
      columns: parts.map((part) => (part.name === null ? EXPRESSION : String(part.name))),
      unique: list.u === 1,
    };
  }
  return {
    columns: Object.fromEntries(
      columns.map((c) => [String(c.name), { type: String(c.type).toLowerCase(), notNull: c.nn === 1 }]),
    ),
    primaryKey: columns
      .filter((c) => Number(c.pk) > 0)
      .toSorted((a, b) => Number(a.pk) - Number(b.pk))
      .map((c) => String(c.name)),
    indexes,
  };
}

async function pgShape(db: Handle, table: string): Promise<Shape> {
  const columns = await pg.rows(
    db,
    `SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = '${table}'`,
  );
  const keys = await pg.rows(
    db,
    `SELECT i.relname AS name, ix.indisunique AS u, ix.indisprimary AS p,
       array_to_string(ARRAY(SELECT pg_get_indexdef(ix.indexrelid, k, true) FROM generate_subscripts(ix.indkey, 1) AS s(n),
         LATERAL (SELECT s.n + 1 AS k) AS pos ORDER BY s.n), '|') AS cols
     FROM pg_index ix JOIN pg_class i ON i.oid = ix.indexrelid JOIN pg_class t ON t.oid = ix.indrelid
     WHERE t.relname = '${table}'`,
  );
  const columnsOf = (key: Record<string, unknown>) =>
    String(key.cols)
      .split('|')
      .map((name) => (name.includes('(') ? EXPRESSION : name.replaceAll('"', '')));
  return {
    columns: Object.fromEntries(
      columns.map((c) => [
        String(c.column_name),
        { type: String(c.data_type), notNull: c.is_nullable === 'NO' },
      ]),
    ),
    primaryKey: keys.filter((key) => key.p === true).flatMap(columnsOf),
    indexes: Object.fromEntries(
      keys
        .filter((key) => key.p !== true)
        .map((key) => [String(key.name), { columns: columnsOf(key), unique: key.u === true }]),
    ),
  };
}

/** The table definitions, read through the dialect's own introspection. */
function declaredShape(dialect: DialectName, table: unknown): Shape & { name: string } {
  const config = (dialect === 'sqlite'
    ? sqliteConfig(table as never)
    : pgConfig(table as never)) as unknown as {
    name: string;
    columns: { name: string; notNull: boolean; primary: boolean; getSQLType: () => string }[];
    primaryKeys: { columns: { name: string }[] }[];
    indexes: { config: { name: string; unique: boolean; columns: { name?: string }[] } }[];
  };
  const single = config.columns.filter((column) => column.primary).map((column) => column.name);
  return {
    name: config.name,
    columns: Object.fromEntries(
      config.columns.map((column) => [column.name, { type: column.getSQLType(), notNull: column.notNull }]),
    ),
    primaryKey: config.primaryKeys[0]?.columns.map((column) => column.name) ?? single,
    indexes: Object.fromEntries(
      config.indexes.map(({ config: index }) => [
        index.name,
        { columns: index.columns.map((column) => column.name ?? EXPRESSION), unique: index.unique },
      ]),
    ),
  };
}

/** The reviewed SQL and the table definitions say the same: column, type, nullability, key, index. */
export function paritySuite(dialect: DialectName): void {
  describe(`parity on ${dialect}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
    });
    afterAll(() => database.close());

    test('each declared table is the created one', async () => {
      for (const table of Object.values(database.store.tables)) {
        const { name, ...declared } = declaredShape(dialect, table);
        expect({ name, ...(await createdShape(dialect, database.store.db, name)) }).toEqual({
          name,
          ...declared,
        });
      }
    });

    test('no table was created that is not declared', async () => {
      const created =
        dialect === 'sqlite'
          ? await sqlite.rows(database.store.db, "SELECT name FROM sqlite_master WHERE type = 'table'")
          : await pg.rows(
              database.store.db,
              // A partition is a part of its table, and its parent says what it has.
              `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
                AND relkind IN ('r', 'p') AND NOT relispartition`,
            );
      const declared = Object.values(database.store.tables).map(
        (table) => declaredShape(dialect, table).name,
      );
      expect(created.map((row) => String(row.name)).toSorted()).toEqual(
        [...declared, 'schema_migration'].toSorted(),
      );
    });
  });
}
