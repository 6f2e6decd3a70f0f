import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from './database/open-sqlite.ts';

/** Databases of the folder; the one that only locks it holds nothing. */
const DATABASE = /^(?!lock\.db$).+\.db$/;

/**
 * Copies every database of `folder` whole into `into`, also while it is in use (VACUUM INTO). A copy of that name is
 * replaced. Returns the names.
 */
export function copyDatabases(folder: string, into: string): readonly string[] {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const names = databasesIn(folder);
  for (const name of names) {
    const copy = join(into, name);
    rmSync(copy, { force: true });
    const db = openSqlite({ file: join(folder, name), readonly: true });
    try {
      db.prepare('VACUUM INTO ?').run(copy);
    } finally {
      db.close();
    }
  }
  return names;
}

/** Rows by table by database: figures that say nothing of any person. */
export function countRows(folder: string): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const all: Record<string, Record<string, number>> = {};
  for (const name of databasesIn(folder)) {
    const db = openSqlite({ file: join(folder, name), readonly: true });
    try {
      const tables = db
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )
        .pluck()
        .all() as string[];
      all[name] = Object.fromEntries(
        tables.map((table) => [
          table,
          Number(
            db
              .prepare(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
              .pluck()
              .get(),
          ),
        ]),
      );
    } finally {
      db.close();
    }
  }
  return all;
}

const databasesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => DATABASE.test(name))
        .sort()
    : [];
