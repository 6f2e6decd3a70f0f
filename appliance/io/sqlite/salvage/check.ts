import { statSync } from 'node:fs';
import { SqliteError } from 'better-sqlite3';
import { readWal } from '#shared/sqlite-file/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';
import { walOf } from './file-image.ts';

/**
 * A check of all pages takes about 2 ms/MB from memory: a start waits 0.15 s for it at most, or for the disk to read as much. A year
 * of a usual site (20 alarms a day) is 53 MB. A larger file is checked by a thread of its own, once the start is over.
 */
const CHECKED_AT_START_BYTES = 64 * 1024 * 1024;

/**
 * Commits behind a damaged frame of the log; the first may be one that a power cut has torn, and no caller got an answer for
 * it.
 */
const TORN = 1;

/** Whether an error means a damaged database. */
export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);

/** To be asked before SQLite opens the file, which then ends the log where it is damaged. Undefined: the log is whole. */
export function faultOfWal(file: string): string | undefined {
  const behind = readWal(walOf(file), 4096)?.commitsBehindDamage ?? 0;
  return behind > TORN ? `${behind} commits stand behind a damaged frame of ${file}-wal` : undefined;
}

/** The fault of an open journal; undefined: none that a start may wait for. */
export function faultOf(db: Sqlite, file: string, nowMs: number): string | undefined {
  try {
    if (isSmall(file)) return faultOfPages(db);
    for (const sql of OWED) db.prepare<[{ nowMs: number }]>(sql).all({ nowMs });
    return undefined;
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return (thrown as Error).message;
  }
}

export const isSmall = (file: string): boolean => statSync(file).size <= CHECKED_AT_START_BYTES;

/** All pages, and that each index names each row. */
export function faultOfPages(db: Sqlite): string | undefined {
  const said = String(db.pragma('integrity_check(1)', { simple: true }));
  return said === 'ok' ? undefined : said;
}

/** The rows that a start takes up: they must be whole however large the file is. */
const OWED = [
  `SELECT sum(length(body)) FROM outbox WHERE state IN ('new', 'inflight') AND dest <> 'cloud' AND :nowMs > 0`,
  `SELECT sum(length(body)) FROM outbox WHERE state = 'new' AND dest = 'cloud' AND lane IN ('alarm', 'svc') AND :nowMs > 0`,
  'SELECT sum(length(body)) FROM session WHERE closed = 0 AND :nowMs > 0',
  'SELECT sum(length(body)) FROM session WHERE dedupe_key IS NOT NULL AND dedupe_until > :nowMs',
  'SELECT count(value) FROM meta WHERE :nowMs > 0',
  'SELECT sum(length(body)) FROM heartbeat WHERE :nowMs > 0',
  'SELECT sum(length(body)) FROM binding WHERE :nowMs > 0',
];
