import Database from 'better-sqlite3';
import { scanPage } from '#shared/sqlite-file/index.ts';
import { journalMigrations } from '../database/journal-schema.ts';
import { migrate, type Sqlite } from '../database/open-sqlite.ts';
import { withImage } from './file-image.ts';
import { type FoundRow, type JournalTable, journalRow, TABLES_WITH_ROWID } from './journal-row.ts';
import { keyedRows, treeRows } from './tree-rows.ts';

/** The rows that a fresh journal got out of a damaged one. */
export interface Filled {
  /** Rows of a page that are no rows any more, and rows whose values make no sense. */
  readonly unreadable: number;
  /** Ids that an index still names and whose rows are lost, by table. */
  readonly lost: Readonly<Record<'session' | 'event' | 'outbox', number>>;
}

type Stored = Parameters<typeof journalRow>[1];

/** Tables of SQLite itself have fewer columns than any of ours with row ids. */
const LEAST_COLUMNS = 6;
const NAMED = ['session', 'event', 'outbox'] as const;

/**
 * Fills `fresh` with every row of the damaged file: first those that its trees lead to, then those that stand on a page to which
 * nothing leads any more, for some were written behind a damaged frame of the log. A delivered row stays so, whichever page
 * says it; the newer state of a session stays.
 */
export function fillFrom(fresh: Sqlite, damaged: string): Filled {
  migrate(fresh, journalMigrations);
  const keep = keeper(fresh);
  let unreadable = 0;
  const take = (rowId: number | undefined, values: Stored): boolean => {
    const row = journalRow(rowId, values);
    if (row !== undefined) keep(row);
    return row !== undefined;
  };
  const lost = { session: 0, event: 0, outbox: 0 };
  const old = openedAnyway(damaged);
  for (const table of TABLES_WITH_ROWID) {
    if (old !== undefined) treeRows(old, table, (rowId, values) => void take(rowId, values));
  }
  for (const table of ['meta', 'heartbeat', 'binding']) {
    if (old !== undefined) keyedRows(old, table, (values) => void take(undefined, values));
  }
  withImage(damaged, (image) => {
    const each = (look: (rowId: number | undefined, values: Stored) => void): number => {
      let broken = 0;
      for (let number = 1; number <= image.pageCount; number++) {
        const page = image.free.has(number) ? undefined : scanPage(image, number);
        if (page === undefined) continue;
        broken += page.unreadable;
        for (const { rowId, values } of page.rows) look(rowId, values);
      }
      return broken;
    };
    let senseless = 0;
    const broken = each((rowId, values) => {
      // An entry of an index is none of our rows, and none that is lost.
      if (!take(rowId, values) && rowId !== undefined && values.length >= LEAST_COLUMNS) senseless++;
    });
    unreadable = broken + senseless;
  });
  if (old !== undefined) {
    for (const table of NAMED) lost[table] = namedAndLost(old, fresh, table);
    old.close();
  }
  // Their receivers have waited already.
  fresh.prepare("UPDATE outbox SET late = 1 WHERE state IN ('new', 'inflight') AND dest <> 'cloud'").run();
  return { unreadable, lost };
}

/** Undefined: SQLite does not open it. */
function openedAnyway(file: string): Sqlite | undefined {
  let db: Sqlite | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    db.pragma('cell_size_check = ON');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch {
    db?.close();
    return undefined;
  }
}

/** Puts a row into the fresh journal, once. */
function keeper(fresh: Sqlite): (row: FoundRow) => void {
  const statements = new Map<string, Database.Statement>();
  const prepared = (sql: string): Database.Statement => {
    const known = statements.get(sql) ?? fresh.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const known = (table: JournalTable, columns: readonly string[], values: readonly unknown[]): boolean =>
    prepared(`SELECT 1 FROM ${table} WHERE ${columns.map((column) => `${column} IS ?`).join(' AND ')}`).get(
      ...values,
    ) !== undefined;
  const put = (table: JournalTable, columns: readonly string[], values: readonly unknown[]): boolean =>
    prepared(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT DO NOTHING`,
    ).run(...values).changes > 0;
  const delivered = fresh.prepare(
    "UPDATE outbox SET state = 'done', settled = ? WHERE id = ? AND state <> 'done'",
  );
  const older = fresh.prepare('DELETE FROM session WHERE id = ? AND rank < ?');
  return ({ table, rowId, columns, values }) => {
    const isKeyed = rowId === undefined || table === 'outbox';
    if (put(table, isKeyed ? columns : ['rowid', ...columns], isKeyed ? values : [rowId, ...values])) return;
    if (rowId === undefined) return;
    const key = KEYS[table] ?? columns;
    const contentOf = (column: string) => values[columns.indexOf(column)];
    if (known(table, key, key.map(contentOf))) {
      if (table === 'outbox' && contentOf('state') === 'done')
        delivered.run(contentOf('settled'), contentOf('id'));
      if (table === 'session' && older.run(contentOf('id'), contentOf('rank') ?? 0).changes > 0)
        put(table, columns, values);
      return;
    }
    // Its number is another row's: one of the two numbers is damaged. The number counts for less than the row.
    if (table !== 'outbox') {
      put(table, columns, values);
      return;
    }
    // Numbers of the outbox are given once: the same content under the same number is the same row.
    const content = ['seq', 'order_key', 'type', 'created_wall', 'body'];
    if (known(table, content, content.map(contentOf))) return;
    put(table, columns.slice(1), values.slice(1));
  };
}

/** The columns that identify a row; a table that is not in the list uses all of them. */
const KEYS: Readonly<Partial<Record<JournalTable, readonly string[]>>> = {
  session: ['id'],
  event: ['id'],
  outbox: ['id'],
  peer_row: ['origin', 'kind', 'id'],
};

/** Ids that an index of the damaged file still names, without looking at the rows: from both ends, as far as it can be read. */
function namedAndLost(old: Sqlite, fresh: Sqlite, table: (typeof NAMED)[number]): number {
  const here = fresh.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).pluck();
  const missing = new Set<string>();
  for (const order of ['ASC', 'DESC']) {
    try {
      for (const id of old.prepare(`SELECT id FROM ${table} ORDER BY id ${order}`).pluck().iterate())
        if (typeof id === 'string' && here.get(id) === undefined) missing.add(id);
      break;
    } catch {
      // The index is damaged too.
    }
  }
  return missing.size;
}
