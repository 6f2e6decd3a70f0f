import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { readRelease } from './release-file.ts';

/** Name in the archive; the bundler puts the one for the target's CPU there. */
export const ADDON = 'better-sqlite3.node';
/** Under which threads find the file that the first of them wrote. */
const PLACE = 'carillon.addon';

let addon: unknown;

/**
 * Stands for `better-sqlite3/lib/binding.js`. An addon must be a file on a file system that is not `noexec`, as /run and
 * often /tmp are: folders are tried in turn. The file is written by us alone, loaded, and removed at once; it lives on
 * while the process holds it open, and its threads load it from there.
 */
export function getBinding(): unknown {
  addon ??=
    fromFirstThread() ??
    fromFolders([
      process.env.CACHE_DIRECTORY,
      process.env.RUNTIME_DIRECTORY,
      tmpdir(),
      '/var/tmp',
      '/dev/shm',
    ]);
  return addon;
}

function fromFirstThread(): unknown {
  const place = getEnvironmentData(PLACE);
  return typeof place === 'string' ? load(place) : undefined;
}

function fromFolders(folders: readonly (string | undefined)[]): unknown {
  const bytes = readRelease(ADDON);
  const failures: string[] = [];
  for (const folder of folders) {
    if (folder === undefined) continue;
    const file = join(folder, `carillon-${randomBytes(8).toString('hex')}.node`);
    try {
      return loadedFrom(file, bytes);
    } catch (cause) {
      failures.push(`${folder}: ${(cause as Error).message}`);
    }
  }
  throw new Error(
    `the database library found no folder to be loaded from; give TMPDIR one that is writable and not mounted noexec (${failures.join('; ')})`,
  );
}

function loadedFrom(file: string, bytes: Buffer): unknown {
  const writing = openSync(file, 'wx', 0o700);
  try {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(writing, bytes, done);
    } finally {
      closeSync(writing);
    }
    const held = openSync(file, 'r');
    try {
      const place = `/proc/self/fd/${held}`;
      const exports = load(place);
      setEnvironmentData(PLACE, place);
      return exports;
    } catch (cause) {
      closeSync(held);
      throw cause;
    }
  } finally {
    rmSync(file, { force: true });
  }
}

function load(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}
