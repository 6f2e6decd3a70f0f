import { openSqlite, type Sqlite, type SqliteSetting } from '../database/open-sqlite.ts';
import { faultOf, faultOfWal, isDamage } from './check.ts';
import { finishSwap, salvage } from './salvage.ts';

/**
 * Opens the journal whole: one that is damaged is salvaged into a new one first. It is looked at before every start, for a disk
 * damages files that were closed cleanly, too.
 */
export function openWhole(setting: SqliteSetting, nowMs: number): Sqlite {
  const { file } = setting;
  finishSwap(file);
  const opened = openUnlessDamaged(setting, nowMs);
  if (typeof opened !== 'string') return opened;
  salvage(file, opened, nowMs);
  return openSqlite(setting);
}

/** Or what is wrong with it. Closed by then: a connection that closes later would take the log of the new file away. */
function openUnlessDamaged(setting: SqliteSetting, nowMs: number): Sqlite | string {
  const torn = faultOfWal(setting.file);
  if (torn !== undefined) return torn;
  let db: Sqlite | undefined;
  try {
    db = openSqlite(setting);
    const fault = faultOf(db, setting.file, nowMs);
    if (fault === undefined) return db;
    db.close();
    return fault;
  } catch (thrown) {
    db?.close();
    if (!isDamage(thrown)) throw thrown;
    return (thrown as Error).message;
  }
}
