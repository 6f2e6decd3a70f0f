import { existsSync, renameSync } from 'node:fs';
import { faultOfPages, isDamage, openSqlite, type Sqlite } from '../sqlite/index.ts';

/** A file that was damaged, and where it lies now. */
export interface DamagedFile {
  readonly file: string;
  readonly fault: string;
  /** The file was whole, but removed or replaced under the running program; no row is missing. */
  readonly removed?: true;
  /** There was no file at the start, and there was one before. */
  readonly missing?: true;
}

/**
 * Finds the fault of a database while no program writes it; undefined: none. Throws where it cannot be opened for another
 * reason.
 */
function faultOfFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  let db: Sqlite | undefined;
  try {
    db = openSqlite({ file });
    return faultOfPages(db);
  } catch (thrown) {
    if (isDamage(thrown)) return (thrown as Error).message;
    throw thrown;
  } finally {
    db?.close();
  }
}

/** Moves a damaged database out of the way; the file stays for a person to look at. Undefined: it is whole, or not there. */
export function setAsideIfDamaged(file: string, nowMs: number): DamagedFile | undefined {
  const fault = faultOfFile(file);
  if (fault === undefined) return undefined;
  const aside = `${file}.damaged-${nowMs}`;
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  return { file: aside, fault };
}
