import { readWal } from './wal.ts';

/** A database as its two files hold it together. */
export interface DatabaseImage {
  readonly pageCount: number;
  /** Bytes of a page that hold data; some files keep a few at the end for extensions. */
  readonly usable: number;
  /** Page `number`, from 1; undefined: there is none. */
  readonly page: (number: number) => Uint8Array | undefined;
  /** Pages that the file holds back for later: what stands there was deleted. Empty where that list is damaged. */
  readonly free: ReadonlySet<number>;
}

export interface FileBytes {
  /** The size of the database without its write-ahead log. */
  readonly size: number;
  /** Fewer bytes than asked where the file ends. */
  readonly read: (offset: number, length: number) => Uint8Array;
  /** The whole write-ahead log; empty: there is none. */
  readonly wal: Uint8Array;
}

export const HEAD_BYTES = 100;
const USUAL_PAGE_BYTES = 4096;
const MAGIC = 'SQLite format 3\0';

/** Looks at a database page by page, also where SQLite refuses to open it. Damage anywhere costs what stands there only. */
export function openImage(file: FileBytes): DatabaseImage {
  const head = file.read(0, HEAD_BYTES);
  const stated = pageBytesOf(head);
  const wal = readWal(file.wal, stated ?? USUAL_PAGE_BYTES);
  const pageBytes = wal?.pageBytes ?? stated ?? USUAL_PAGE_BYTES;
  const page = (number: number): Uint8Array | undefined => {
    const newer = wal?.pages.get(number);
    if (newer !== undefined) return newer;
    const found = file.read((number - 1) * pageBytes, pageBytes);
    return found.length === pageBytes ? found : undefined;
  };
  // The log may have grown the file, and a page behind the stated end may still be a good one.
  const last = Math.max(Math.floor(file.size / pageBytes), ...(wal === undefined ? [] : wal.pages.keys()));
  const first = page(1) ?? head;
  const reserved = hasMagic(first) ? (first[20] ?? 0) : 0;
  const usable = pageBytes - (reserved <= pageBytes - 480 ? reserved : 0);
  return { pageCount: last, usable, page, free: freePages(page, first, usable, last) };
}

/** Undefined: the head is damaged. */
function pageBytesOf(head: Uint8Array): number | undefined {
  if (!hasMagic(head)) return undefined;
  const stated = ((head[16] ?? 0) << 8) | (head[17] ?? 0);
  const bytes = stated === 1 ? 65_536 : stated;
  return bytes >= 512 && (bytes & (bytes - 1)) === 0 ? bytes : undefined;
}

const hasMagic = (head: Uint8Array): boolean =>
  head.length >= HEAD_BYTES && [...MAGIC].every((letter, at) => head[at] === letter.charCodeAt(0));

/** Follows the list of free pages. Its trunks name its leaves; the first name that cannot be one makes the whole list doubtful. */
function freePages(
  page: DatabaseImage['page'],
  first: Uint8Array,
  usable: number,
  last: number,
): ReadonlySet<number> {
  const free = new Set<number>();
  if (!hasMagic(first)) return free;
  const none: ReadonlySet<number> = new Set();
  for (let trunk = wordAt(first, 32); trunk !== 0; ) {
    const bytes = page(trunk);
    if (bytes === undefined || free.has(trunk)) return none;
    free.add(trunk);
    const leaves = wordAt(bytes, 4);
    if (leaves > usable / 4 - 2) return none;
    for (let at = 0; at < leaves; at++) {
      const leaf = wordAt(bytes, 8 + 4 * at);
      if (leaf < 2 || leaf > last || free.has(leaf)) return none;
      free.add(leaf);
    }
    trunk = wordAt(bytes, 0);
  }
  return free.size === wordAt(first, 36) ? free : none;
}

/** Four bytes, the highest first. */
export const wordAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)) >>>
  0;
