import { isExpanding } from '#cloud/store/index.ts';

/** A table that the same file makes has no rows and no earlier writer: anything may be done to it. */
const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i;
const INDEX = /^CREATE INDEX (?:IF NOT EXISTS )?\w+ ON \w+/i;
const OWN_INDEX = /^CREATE UNIQUE INDEX (?:IF NOT EXISTS )?\w+ ON (\w+)/i;
const COLUMN = /^ALTER TABLE \w+ ADD COLUMN (?:IF NOT EXISTS )?\w+ (.+)$/is;

/** The statements of a reviewed file, without comments. */
const statements = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter((each) => each !== '');

/**
 * The statements of a migration `NNNN-expand-name` that an earlier version of the program would meet: it must be able to read and
 * write as before. Empty for files that are not marked.
 */
export function narrowingStatements(name: string, sql: string): string[] {
  if (!isExpanding(name)) return [];
  const all = statements(sql);
  const created = new Set(all.flatMap((each) => CREATED.exec(each)?.[1] ?? []));
  return all.filter((each) => {
    if (CREATED.test(each) || INDEX.test(each)) return false;
    const [, indexed = ''] = OWN_INDEX.exec(each) ?? [];
    if (created.has(indexed)) return false;
    const [, column] = COLUMN.exec(each) ?? [];
    if (column === undefined || /\b(UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b/i.test(column)) return true;
    // A row that an earlier version writes names no value for it.
    return /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column);
  });
}
