import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Less is left to who needs it. */
const LEAST_BYTES = 4 * 2 ** 30;

/**
 * Environment of every test: temporary folders in memory, where the system has a place for that and the environment names no other.
 * Each commit of a journal waits for its disk, which took a quarter of the time of `npm test`. Empty elsewhere.
 */
export function memoryFolder(): { readonly TMPDIR?: string } {
  if (!goesToMemory({ named: process.env.TMPDIR, freeBytes: freeBytes(MEMORY) })) return {};
  const folder = mkdtempSync(join(MEMORY, 'carillon-test-'));
  // Servers that a test starts as another user have folders below it.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

export interface TemporaryRoom {
  /** `TMPDIR` of the environment: a person has chosen. */
  readonly named: string | undefined;
  /** Bytes that a file system in memory can still take; undefined: there is none that we may write to. */
  readonly freeBytes: number | undefined;
}

/** Whether temporary folders go to memory. */
export const goesToMemory = ({ named, freeBytes: free }: TemporaryRoom): boolean =>
  named === undefined && free !== undefined && free >= LEAST_BYTES;

/** @returns undefined where this folder is not there, or is not ours to write to */
export function freeBytes(folder: string): number | undefined {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
