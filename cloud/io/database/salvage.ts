import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readWal } from '#shared/sqlite-file/index.ts';

/** A check of all pages takes some 2 ms/MB from memory; a larger file is checked by what reads it. */
const CHECKED_AT_START_BYTES = 64 * 1024 * 1024;
/** Chosen: so many looks for rows between damaged pages of one table, then its rest counts as lost. */
const MOST_LOOKS = 20_000;

const USUAL_PAGE_BYTES = 4096;
/** Commits behind a damaged frame of the log: the first may be one that a power cut has torn, and no caller got an answer for it. */
const TORN = 1;

/** A damaged database of which every row was read: it goes on with them. */
export interface Salvaged {
  readonly fault: string;
  /** Where the damaged file lies now. */
  readonly damaged: string;
  readonly rows: number;
}

type Sqlite = Database.Database;

/**
 * Looks at the file before anything else opens it. A damaged one is read row by row into a new one. Where every row was read, the new
 * file takes its place and the damaged one is kept; a crash on the way goes on at the next start:
 *
 *     cloud.db ── fault ──▶ .salvaging ── every row, synced ──▶ .salvaged ──▶ cloud.db
 *         │                     └ rows are lost ──▶ .readable, and the start is refused with what is missing
 *         └────────────────────────────────────────────────────▶ cloud.db.damaged-<ms>
 *
 * Chosen: a control plane that lacks rows does not start by itself. It would take devices from sites that work; hosts go on without it.
 *
 * @returns undefined for a sound file, and where there is none.
 */
export function salvageSqlite(file: string, nowMs: number): Salvaged | undefined {
  const damaged = `${file}.damaged-${nowMs}`;
  if (existsSync(`${file}.salvaged`)) swap(file, damaged);
  if (!existsSync(file)) return undefined;
  mustHaveWholeLog(file);
  const fault = faultOf(file);
  if (fault === undefined) return undefined;
  mustBeAlone(file);
  const copy = `${file}.salvaging`;
  for (const each of beside(copy)) rmSync(each, { force: true });
  const { rows, lost } = copied(file, copy, fault);
  if (lost.length > 0) {
    renameSync(copy, `${file}.readable`);
    throw new Error(
      `${file} is damaged (${fault}), and not all rows can be read: ${lost.join(', ')}. Everything else is in ${file}.readable. Keep the damaged file, put the last backup or the readable file in its place, run carillon db mark-restored, and start again; hosts go on serving meanwhile`,
    );
  }
  renameSync(copy, `${file}.salvaged`);
  swap(file, damaged);
  return { fault, damaged, rows };
}

const beside = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`];

/** The log goes with its database: SQLite would play it onto the new one. */
function swap(file: string, damaged: string): void {
  for (const end of ['', '-wal'])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${damaged}${end}`);
  rmSync(`${file}-shm`, { force: true });
  renameSync(`${file}.salvaged`, file);
}

const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);

/** Refuses a damaged log before SQLite opens it, which would end it at the first damaged frame and remove the rest in silence. */
function mustHaveWholeLog(file: string): void {
  const log = `${file}-wal`;
  const behind = existsSync(log)
    ? (readWal(readFileSync(log), USUAL_PAGE_BYTES)?.commitsBehindDamage ?? 0)
    : 0;
  if (behind > TORN)
    throw new Error(
      `${log} is damaged: ${behind} commits stand behind a part that cannot be read. Keep ${file} and its log, put the last backup in their place or move the log away to go on without these commits, run carillon db mark-restored, and start again; hosts go on serving meanwhile`,
    );
}

function faultOf(file: string): string | undefined {
  let db: Sqlite | undefined;
  try {
    db = new Database(file);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (statSync(file).size > CHECKED_AT_START_BYTES) return undefined;
    const said = String(db.pragma('integrity_check(1)', { simple: true }));
    return said === 'ok' ? undefined : said.replace(/\s+/g, ' ');
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return thrown.message;
  } finally {
    db?.close();
  }
}

/** A file that another program has open is not replaced under it. */
function mustBeAlone(file: string): void {
  let db: Sqlite | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY'))
      throw new Error(`${file} is damaged, and another program has it open; end that one, and start again`);
    if (!isDamage(thrown)) throw thrown;
  } finally {
    db?.close();
  }
}

/** Fails with what to do where not even the schema can be read. */
function copied(file: string, copy: string, fault: string): { rows: number; lost: string[] } {
  let old: Sqlite | undefined;
  const fresh = new Database(copy);
  try {
    let schema: { type: string; name: string; sql: string }[];
    try {
      old = new Database(file, { readonly: true });
      old.pragma('cell_size_check = ON');
      schema = old
        .prepare<[], { type: string; name: string; sql: string }>(
          "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
        )
        .all();
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      throw new Error(
        `${file} is damaged (${fault}): keep the file, put the last backup in its place, run carillon db mark-restored, and start again; hosts go on serving meanwhile`,
      );
    }
    fresh.pragma('synchronous = FULL');
    fresh.pragma('foreign_keys = OFF');
    const lost: string[] = [];
    let rows = 0;
    const from = old;
    fresh.transaction(() => {
      for (const { sql } of schema.filter(({ type }) => type === 'table')) fresh.exec(sql);
      for (const { name } of schema.filter(({ type }) => type === 'table')) {
        const taken = copyTable(from, fresh, name);
        rows += taken.rows;
        if (taken.missing !== '') lost.push(`${taken.missing} of ${name}`);
      }
      for (const { sql } of schema.filter(({ type }) => type !== 'table')) fresh.exec(sql);
      fresh.pragma(`user_version = ${Number(from.pragma('user_version', { simple: true }))}`);
    })();
    return { rows, lost };
  } finally {
    old?.close();
    fresh.close();
  }
}

/** `missing`: the rows that are lost, in words; empty: none. */
function copyTable(old: Sqlite, fresh: Sqlite, table: string): { rows: number; missing: string } {
  const columns = (old.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
  const put = fresh.prepare(
    `INSERT OR IGNORE INTO "${table}" (rowid, ${columns.map((name) => `"${name}"`).join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
  );
  const select = (order: 'ASC' | 'DESC') =>
    old
      .prepare<[bigint, bigint], unknown[]>(
        `SELECT rowid, * FROM "${table}" NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid ${order}`,
      )
      .raw()
      .safeIntegers();
  const [up, down] = [select('ASC'), select('DESC')];
  let [rows, looks, isWhole] = [0, 0, true];
  /** Copies until the end or the first damaged page; gives the last row id, undefined when it came to the end. */
  const run = (statement: typeof up, from: bigint, to: bigint): { last?: bigint } | undefined => {
    looks++;
    let last: bigint | undefined;
    try {
      for (const row of statement.iterate(from, to)) {
        rows += put.run(...row).changes;
        last = row[0] as bigint;
      }
      return undefined;
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      isWhole = false;
      return last === undefined ? {} : { last };
    }
  };
  /** From both ends, halved where damage is. */
  const range = (from: bigint, to: bigint): void => {
    if (from > to || looks > MOST_LOOKS) return;
    const first = run(up, from, to);
    if (first === undefined) return;
    const low = first.last === undefined ? from : first.last + 1n;
    const second = run(down, low, to);
    const high = second?.last === undefined ? to : second.last - 1n;
    if (second === undefined || low >= high) return;
    const middle = (low + high) / 2n;
    range(low, middle);
    range(middle + 1n, high);
  };
  range(0n, newestOf(old, table));
  const named = namedIn(old, table);
  if (named !== undefined && named > rows) return { rows, missing: `${named - rows} rows` };
  return { rows, missing: isWhole || named !== undefined ? '' : 'an unknown number of rows' };
}

/** The greatest row id, or one that is greater than all that this program has written. */
function newestOf(old: Sqlite, table: string): bigint {
  try {
    const newest = old.prepare(`SELECT max(rowid) FROM "${table}"`).pluck().safeIntegers().get();
    return (newest as bigint | null) ?? 0n;
  } catch {
    return 1n << 40n;
  }
}

/** How many rows the index of the primary key names; undefined: it is damaged too, or there is none. */
function namedIn(old: Sqlite, table: string): number | undefined {
  try {
    const indexes = old.pragma(`index_list("${table}")`) as { name: string; unique: number }[];
    const key = indexes.find(({ unique }) => unique === 1);
    if (key === undefined) return undefined;
    const [column] = old.pragma(`index_info("${key.name}")`) as { name: string }[];
    const rows = old.prepare(`SELECT "${column?.name}" FROM "${table}" INDEXED BY "${key.name}"`).pluck();
    let named = 0;
    for (const _ of rows.iterate()) named++;
    return named;
  } catch {
    return undefined;
  }
}
