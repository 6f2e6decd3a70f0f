import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

/**
 * The files that travel behind the executable's own bytes. Every thread can read them: the program's file is open to
 * all of them, while `node:sea` answers the main thread only.
 *
 *   executable │ file │ file │ … │ list as JSON │ length of the list, 8 bytes, little endian │ mark, 8 bytes
 *
 * Offsets count from the first byte of the whole.
 */
export const MARK = 'CARILLON';
export const TRAILER_BYTES = 16;

export interface PackedFile {
  readonly offset: number;
  readonly stored: number;
  /** Zstandard, or as it was where that is no shorter. */
  readonly coding: 'zstd' | 'plain';
}
export type FileList = Readonly<Record<string, PackedFile>>;

/** The archive behind an executable; nothing is kept in memory but the list. */
export class Archive {
  readonly #file: string;
  readonly #list: FileList;

  /** Throws when the file carries no archive. */
  constructor(file: string) {
    this.#file = file;
    this.#list = this.#open((fd) => {
      const end = fstatSync(fd).size;
      const trailer = bytesAt(fd, end - TRAILER_BYTES, TRAILER_BYTES);
      if (trailer.toString('latin1', 8) !== MARK)
        throw new Error(`${file} carries no archive: it was cut or altered, get it again`);
      const length = Number(trailer.readBigUInt64LE(0));
      return JSON.parse(bytesAt(fd, end - TRAILER_BYTES - length, length).toString()) as FileList;
    });
  }

  /** Throws for a name that is not in the list. */
  read(name: string): Buffer<ArrayBuffer> {
    const entry = Object.hasOwn(this.#list, name) ? this.#list[name] : undefined;
    if (entry === undefined) throw Object.assign(new Error(`${name} is not packed`), { code: 'ENOENT' });
    const bytes = this.#open((fd) => bytesAt(fd, entry.offset, entry.stored));
    return entry.coding === 'zstd' ? (zstdDecompressSync(bytes) as Buffer<ArrayBuffer>) : bytes;
  }

  /** Names directly in a folder, in order. */
  inFolder(folder: string): string[] {
    const start = `${folder.replace(/\/$/, '')}/`;
    const below = Object.keys(this.#list).filter((name) => name.startsWith(start));
    return [...new Set(below.map((name) => name.slice(start.length).split('/', 1)[0] ?? ''))].toSorted();
  }

  #open<Value>(use: (fd: number) => Value): Value {
    const fd = openSync(this.#file, 'r');
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }
}

function bytesAt(fd: number, position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const got = readSync(fd, bytes, done, length - done, position + done);
    if (got === 0) throw new Error('the executable ends before its archive does');
    done += got;
  }
  return bytes;
}
