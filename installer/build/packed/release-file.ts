import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Archive } from './archive.ts';

/**
 * Where the files of the release come from: a checkout has folders, the binary an archive. In the binary every module
 * believes to lie below this folder, which no disk has; whoever reads there is answered from the archive.
 */
export const PACKED_ROOT = '/$carillon/';

/** The file of the running program, even when it was replaced or removed since it began. */
const EXECUTABLE = '/proc/self/exe';

let archive: Archive | undefined;
const opened = (): Archive => {
  archive ??= new Archive(EXECUTABLE);
  return archive;
};

/** Name of a packed file, or undefined for a path of the real disk. */
export function packedName(path: unknown): string | undefined {
  const text = path instanceof URL && path.protocol === 'file:' ? fileURLToPath(path) : path;
  return typeof text === 'string' && text.startsWith(PACKED_ROOT)
    ? text.slice(PACKED_ROOT.length)
    : undefined;
}

/**
 * A file `assets/<name>` beside the program comes before the packed one, so that a library under the LGPL can be
 * replaced by whoever owns the host. Programs are not libraries: see `readProgram`.
 */
export function readRelease(name: string): Buffer<ArrayBuffer> {
  const own = join(dirname(process.execPath), 'assets', name);
  return existsSync(own) ? readFileSync(own) : opened().read(name);
}

/**
 * The text of a program, from the archive and from nowhere else. It was stored sign by sign (Latin-1), so that V8 keeps it
 * in one byte for each.
 */
export const readProgram = (name: string): string => opened().read(name).toString('latin1');

export function listRelease(folder: string): string[] {
  const own = join(dirname(process.execPath), 'assets', folder);
  const beside = existsSync(own) ? readdirSync(own) : [];
  return [...new Set([...opened().inFolder(folder), ...beside])].toSorted();
}
