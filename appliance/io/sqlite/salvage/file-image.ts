import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type DatabaseImage, openImage } from '#shared/sqlite-file/index.ts';

/** The pages of a database and of its write-ahead log, as they lie on the disk. */
export function withImage<T>(file: string, work: (image: DatabaseImage) => T): T {
  const handle = openSync(file, 'r');
  try {
    const read = (offset: number, length: number): Uint8Array => {
      const bytes = new Uint8Array(length);
      try {
        return bytes.subarray(0, readSync(handle, bytes, 0, length, offset));
      } catch {
        // A sector that the disk cannot read is damage like any other.
        return bytes.subarray(0, 0);
      }
    };
    return work(openImage({ size: fstatSync(handle).size, read, wal: walOf(file) }));
  } finally {
    closeSync(handle);
  }
}

/** Empty: there is none. */
export const walOf = (file: string): Uint8Array =>
  existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : new Uint8Array();
