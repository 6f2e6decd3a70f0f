import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type FilePlace, notRestored } from '#shared/sqlite-file/index.ts';
import { FILE_REMOVED } from './storage-fault.ts';

/** A database that was removed or replaced under the running program; no row is missing. */
export interface RestoredFile {
  readonly file: string;
  /** A file beside the database that a person moves away; the alarm lasts until then. */
  readonly note: string;
  /** Where the file lies that stood in its place. */
  readonly replaced?: string;
}

/**
 * Copies the open database of `writer` to its place. `closed` closes every connection to it; an error before that leaves them open, with
 * the rows, and is one of the storage.
 */
export function restoreRemoved(
  place: FilePlace,
  writer: Database.Database,
  closed: () => void,
  nowMs: number,
): RestoredFile {
  const { file, fresh } = place;
  const note = `${file}.removed-${nowMs}`;
  const replaced = `${file}.replaced-${nowMs}`;
  try {
    place.clearFresh();
    writer.exec(`VACUUM INTO '${fresh.replaceAll("'", "''")}'`);
    writeFileSync(note, `${file} was removed or replaced while the program ran, and restored.\n`);
  } catch (thrown) {
    rmSync(note, { force: true });
    throw Object.assign(notRestored(file, thrown), { code: FILE_REMOVED });
  }
  closed();
  place.putInPlace(replaced);
  return { file, note, ...(existsSync(replaced) && { replaced }) };
}
