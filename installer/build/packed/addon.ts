import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { readRelease } from './release-file.ts';

/** Names in the archive; the bundler puts those for the target's CPU there. */
export const ADDONS = { sqlite: 'better-sqlite3.node', koffi: 'koffi.node' } as const;
export type Addon = (typeof ADDONS)[keyof typeof ADDONS];
/** Under which threads find the file that the first of them wrote. */
const placeOf = (addon: Addon): string => `carillon.addon.${addon}`;

const loaded = new Map<Addon, unknown>();

/** Stands for `better-sqlite3/lib/binding.js`. */
export const getBinding = (): unknown => loadAddon(ADDONS.sqlite);

/**
 * An addon must be a file on a file system that is not `noexec`, as /run and often /tmp are: folders are tried in turn. The
 * file is written by us alone, loaded, and removed at once; it lives on while the process holds it open, and the threads
 * that this one starts load it from there.
 */
export function loadAddon(addon: Addon): unknown {
  const known = loaded.get(addon);
  if (known !== undefined) return known;
  const exports =
    fromFirstThread(addon) ??
    fromFolders(addon, [
      process.env.CACHE_DIRECTORY,
      process.env.RUNTIME_DIRECTORY,
      tmpdir(),
      '/var/tmp',
      '/dev/shm',
    ]);
  loaded.set(addon, exports);
  return exports;
}

function fromFirstThread(addon: Addon): unknown {
  const place = getEnvironmentData(placeOf(addon));
  return typeof place === 'string' ? load(place) : undefined;
}

function fromFolders(addon: Addon, folders: readonly (string | undefined)[]): unknown {
  const bytes = readRelease(addon);
  const failures: string[] = [];
  for (const folder of folders) {
    if (folder === undefined) continue;
    const file = join(folder, `carillon-${randomBytes(8).toString('hex')}.node`);
    try {
      return loadedFrom(addon, file, bytes);
    } catch (cause) {
      failures.push(`${folder}: ${(cause as Error).message}`);
    }
  }
  throw new Error(
    `${addon} found no folder to be loaded from; give TMPDIR one that is writable and not mounted noexec (${failures.join('; ')})`,
  );
}

function loadedFrom(addon: Addon, file: string, bytes: Buffer): unknown {
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
      setEnvironmentData(placeOf(addon), place);
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
