import * as fs from 'node:fs';
import Database from 'better-sqlite3';
import { FilePlace, finishSwap as finishSwapOf, removedFault } from '#shared/sqlite-file/index.ts';
import { journalMigrations } from '../database/journal-schema.ts';
import { migrate, type Sqlite } from '../database/open-sqlite.ts';
import { fillFrom } from './fill.ts';
import { keepReport, nothingOf, readReport, reportOf } from './report.ts';

/**
 * Puts what can be read of a damaged journal into a new one in its place; the damaged file stays beside it for a person to look
 * at. No process may have the file open for writing.
 *
 *     journal.db (damaged) ── read ──▶ .salvage ── whole and synced ──▶ .salvaged
 *     journal.db, -wal, -shm ──▶ journal.db.damaged-<ms>*      .salvaged ──▶ journal.db
 *
 * After a crash before `.salvaged` is there the next start begins again, after a later one it goes on with the renaming
 * (`finishSwap`). Chosen: what cannot be salvaged, for a full disk as a rule, must not keep a host from taking alarms: an empty
 * journal begins, and the report says why.
 */
export function salvage(file: string, fault: string, nowMs: number): void {
  const place = new FilePlace(file, fs);
  const { fresh } = place;
  const head = { file: damagedName(file, nowMs), fault, atMs: nowMs };
  place.clearFresh();
  try {
    filled(fresh, (db) => keepReport(db, reportOf(db, begun(db, file, nowMs), head)));
  } catch (thrown) {
    place.clearFresh();
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    filled(fresh, (db) => {
      migrate(db, journalMigrations);
      countOnAbove(db, nowMs);
      keepReport(db, nothingOf(head, reason));
    });
  }
  place.putInPlace(head.file);
}

/**
 * Restores the file of a journal that was removed or replaced while `db` has it open: the open file has every row until the
 * last connection closes. Closes `db` once the rows are out; an error before leaves it open, with the rows. Another file that stands in the
 * place is set aside.
 */
export function restoreFile(db: Sqlite, place: FilePlace, nowMs: number): void {
  const head = {
    file: damagedName(place.file, nowMs),
    fault: removedFault(place.file),
    atMs: nowMs,
  };
  place.clearFresh();
  db.prepare('VACUUM INTO ?').run(place.fresh);
  filled(place.fresh, (copy) => keepReport(copy, { ...reportOf(copy, WHOLE, head), removed: true }));
  db.close();
  place.putInPlace(head.file);
}

const WHOLE = { lost: { session: 0, event: 0, outbox: 0 }, unreadable: 0 };

/** Ends a swap that a crash has cut. Nothing happens where there was none. */
export function finishSwap(file: string): void {
  const whole = `${file}.salvaged`;
  if (fs.existsSync(whole)) finishSwapOf(file, targetOf(whole) ?? damagedName(file, 0), fs);
}

function targetOf(whole: string): string | undefined {
  const db = new Database(whole, { readonly: true, fileMustExist: true });
  try {
    return readReport(db)?.file;
  } finally {
    db.close();
  }
}

function begun(db: Sqlite, file: string, nowMs: number) {
  const found = fillFrom(db, file);
  countOnAbove(db, nowMs);
  return found;
}

/** Without a log of its own: until it is renamed no program relies on it. */
function filled(file: string, work: (db: Sqlite) => void): void {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    db.transaction(() => work(db))();
  } finally {
    db.close();
  }
}

/** Counters go on above whatever the damaged file can have given out: what was lost may have been the highest. */
function countOnAbove(db: Sqlite, nowMs: number): void {
  const highest = Number(db.prepare('SELECT max(seq) FROM outbox').pluck().get() ?? 0);
  db.prepare("DELETE FROM sqlite_sequence WHERE name = 'outbox'").run();
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)").run(
    Math.max(highest + AHEAD, nowMs),
  );
  const boot = Number(db.prepare("SELECT value FROM meta WHERE key = 'boot'").pluck().get() ?? 0);
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('boot', ?)").run(
    Math.max(boot + 1, Math.floor(nowMs / 1000)),
  );
}

/** A clock that was never set must not let a number be given twice. */
const AHEAD = 1_000_000;

function damagedName(file: string, nowMs: number): string {
  let at = nowMs;
  while (fs.existsSync(`${file}.damaged-${at}`)) at++;
  return `${file}.damaged-${at}`;
}
