import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileHead } from './archive.ts';

/** Folders below the data folder with files that no database has; those of bytes on their way are none. */
const FOLDERS = ['blob', 'object', join('key', 'object')];
const ARRIVING = /(^|\/)coming(\/|$)|\.coming$/;

/** Files beside the database, by their path below the data folder. */
export async function filesBeside(data: string): Promise<FileHead[]> {
  const found: FileHead[] = [];
  for (const folder of FOLDERS)
    for (const name of await namesIn(join(data, folder))) {
      const path = join(folder, name);
      if (ARRIVING.test(path)) continue;
      const { size } = await stat(join(data, path));
      found.push({ path, size });
    }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** Whether a path out of an archive stays in the folders above: an archive from a stranger must not write anywhere. */
export const isFileBeside = (path: string): boolean =>
  FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
