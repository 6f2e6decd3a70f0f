import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const removed =
  (...suffixes: readonly string[]) =>
  (file: string): void => {
    for (const suffix of suffixes) rmSync(file + suffix);
  };

/** The bytes that stand in the place of a database that was replaced. */
export const BACKUP = 'a backup of last year';

export function replace(file: string): void {
  writeFileSync(`${file}.new`, BACKUP);
  renameSync(`${file}.new`, file);
}

/** Ways in which the file of a running program leaves its path. */
export const FILE_REMOVALS: readonly (readonly [string, (file: string) => void])[] = [
  ['is removed', removed('')],
  ['is removed with its log', removed('', '-wal', '-shm')],
  ['loses its log', removed('-wal')],
  ['loses the index of its log', removed('-shm')],
  ['is moved away', (file) => renameSync(file, `${file}.bak`)],
  ['is replaced by another', replace],
];

/** Copies the files as they lie there now to `folder`, which is what a start after kill -9 finds. Gives the path of the copy. */
export function foundAfterKill(file: string, folder: string): string {
  const copy = join(folder, file.slice(file.lastIndexOf('/') + 1));
  for (const suffix of ['', '-wal'])
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  return copy;
}
