import { existsSync, renameSync } from 'node:fs';
import { SqliteError } from 'better-sqlite3';
import { openSqlite, type Sqlite, type SqliteSetting } from './open-sqlite.ts';

/**
 * Opens the file, and when it is damaged moves it out of the way and begins an empty one.
 *
 * Chosen: a damaged journal must not keep a host from taking alarms. The old file stays for a person to look at. All
 * pages are checked after an unclean end only (a clean one leaves no WAL): a check reads the whole file.
 */
export function openOrSetAside(setting: SqliteSetting, nowMs: number): { db: Sqlite; setAside?: string } {
  const uncleanEnd = existsSync(`${setting.file}-wal`);
  try {
    const db = openSqlite(setting);
    if (!uncleanEnd || db.pragma('quick_check(1)', { simple: true }) === 'ok') return { db };
    db.close();
  } catch (thrown) {
    if (!(thrown instanceof SqliteError) || !damageCodes.test(thrown.code)) throw thrown;
  }
  const setAside = `${setting.file}.damaged-${nowMs}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(setting.file + suffix)) renameSync(setting.file + suffix, setAside + suffix);
  }
  return { db: openSqlite(setting), setAside };
}

const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;
