import * as fs from 'node:fs';
import { finishSwap } from '#shared/sqlite-file/index.ts';
import { migrate, openSqlite, type Sqlite } from '../database/open-sqlite.ts';
import { faultOfPages, isDamage, isSmall, treeRows } from '../salvage/index.ts';
import { recordMigrations } from './record-schema.ts';

export interface OpenedRecords {
  readonly db: Sqlite;
  /** The file that was damaged, and the rows that could be read of it. */
  readonly damaged?: { readonly file: string; readonly fault: string; readonly rows: number };
}

/** Opens or creates the file; a damaged one is put aside, and a new one begins with the rows that can be read. */
export function openRecords(file: string, nowMs: number): OpenedRecords {
  finishSwap(file, `${file}.damaged-${nowMs}`, fs);
  let found = '';
  const isNew = !fs.existsSync(file);
  let db: Sqlite | undefined;
  try {
    db = openSqlite({ file, synchronous: 'NORMAL' });
    const fault = !isNew && isSmall(file) ? faultOfPages(db) : undefined;
    if (fault !== undefined) found = fault;
    else {
      migrate(db, recordMigrations);
      if (isNew) countFrom(db, nowMs);
      return { db };
    }
  } catch (thrown) {
    if (!isDamage(thrown)) {
      db?.close();
      throw thrown;
    }
    found = (thrown as Error).message;
  }
  db?.close();
  return salvageRecords(file, found, nowMs);
}

/** No program may have the file open for writing. */
export function salvageRecords(file: string, fault: string, nowMs: number): OpenedRecords {
  const aside = `${file}.damaged-${nowMs}`;
  for (const suffix of ['', '-wal', '-shm'])
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, aside + suffix);
  const db = openSqlite({ file, synchronous: 'NORMAL' });
  migrate(db, recordMigrations);
  const rows = filledFrom(db, aside);
  countFrom(db, nowMs);
  return { db, damaged: { file: aside, fault, rows } };
}

function filledFrom(db: Sqlite, damaged: string): number {
  let rows = 0;
  let old: Sqlite | undefined;
  try {
    old = openSqlite({ file: damaged, readonly: true });
    const insert = db.prepare(`INSERT OR IGNORE INTO record VALUES (${Array(14).fill('?').join(', ')})`);
    db.transaction(() => {
      if (old === undefined) return;
      treeRows(old, 'record', (_, values) => {
        try {
          rows += insert.run(...values).changes;
        } catch {
          // A value that no column takes is damage, too.
        }
      });
    })();
  } catch {
    // A file that cannot be opened has no rows to give.
  } finally {
    old?.close();
  }
  return rows;
}

/** Numbers go on above whatever an earlier file can have given out. */
function countFrom(db: Sqlite, nowMs: number): void {
  const highest = Number(db.prepare('SELECT max(seq) FROM record').pluck().get() ?? 0);
  db.prepare("DELETE FROM sqlite_sequence WHERE name = 'record'").run();
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('record', ?)").run(Math.max(highest, nowMs));
}
