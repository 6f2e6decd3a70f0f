import { statSync } from 'node:fs';

/** The file of a journal, its log and the index of the log: without one of them the next start reads fewer rows. */
const SUFFIXES = ['', '-wal', '-shm'];

/** Notes which files lie at the journal's path. Never opens them: a file that this process closes loses the locks of SQLite. */
export const placeOf = (file: string): readonly string[] => SUFFIXES.map((suffix) => inodeOf(file + suffix));

/** Finds a file of them removed, or another in its place. A path that cannot be looked at is no proof of either. */
export function hasLeft(file: string, place: readonly string[]): boolean {
  return placeOf(file).some((inode, at) => inode !== UNKNOWN && inode !== place[at]);
}

const NONE = 'none';
const UNKNOWN = 'unknown';

function inodeOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? NONE : `${found.dev}:${found.ino}`;
  } catch {
    return UNKNOWN;
  }
}
