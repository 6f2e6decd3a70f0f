import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes to `file` until its disk has no room left. */
export function fillDisk(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (const size of [1 << 16, 1 << 12, 1 << 9])
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  } finally {
    closeSync(handle);
  }
}
