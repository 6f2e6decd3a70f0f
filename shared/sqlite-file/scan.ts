import { type DatabaseImage, HEAD_BYTES, wordAt } from './image.ts';
import { countAt, type FileValue, readRecord, varintAt } from './record.ts';

/** A row as a page holds it. */
export interface ScannedRow {
  readonly page: number;
  /** Undefined: of a table WITHOUT ROWID, or an entry of an index. */
  readonly rowId: number | undefined;
  readonly values: readonly FileValue[];
}

export interface PageScan {
  readonly rows: readonly ScannedRow[];
  /** Entries of the page that are no rows any more. */
  readonly unreadable: number;
}

/** Kinds of page that hold rows, by their first byte (https://sqlite.org/fileformat2.html#b_tree_pages). */
const INDEX_INTERIOR = 0x02;
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;

/** A row that is larger is none: it costs memory to find that out. */
const LARGEST_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Every row that a page holds, whichever table it belongs to and whether or not anything still leads to the page. Undefined:
 * the page holds no rows, by what its first byte says.
 */
export function scanPage(image: DatabaseImage, number: number): PageScan | undefined {
  const bytes = image.page(number);
  if (bytes === undefined) return undefined;
  const begin = number === 1 ? HEAD_BYTES : 0;
  const kind = bytes[begin];
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_INTERIOR) return undefined;
  const head = begin + (kind === INDEX_INTERIOR ? 12 : 8);
  const count = halfAt(bytes, begin + 3);
  const room = Math.floor((image.usable - head) / 2);
  const rows: ScannedRow[] = [];
  const seen = new Set<number>();
  let unreadable = Math.max(0, count - room);
  for (let cell = 0; cell < Math.min(count, room); cell++) {
    const at = halfAt(bytes, head + 2 * cell);
    const row = seen.has(at) || at < head ? undefined : rowAt(image, bytes, number, kind, at);
    seen.add(at);
    if (row === undefined) unreadable++;
    else rows.push(row);
  }
  return { rows, unreadable };
}

function rowAt(
  image: DatabaseImage,
  bytes: Uint8Array,
  page: number,
  kind: number,
  at: number,
): ScannedRow | undefined {
  const isTable = kind === TABLE_LEAF;
  const size = countAt(bytes, kind === INDEX_INTERIOR ? at + 4 : at);
  if (size === undefined) return undefined;
  const rowId = isTable ? varintAt(bytes, size.next) : undefined;
  if (isTable && (rowId === undefined || !Number.isSafeInteger(Number(rowId.value)))) return undefined;
  const payload = payloadAt(image, bytes, rowId?.next ?? size.next, size.value, isTable);
  const values = payload && readRecord(payload);
  return values && { page, rowId: rowId && Number(rowId.value), values };
}

/** Gathers a row whose rest stands on pages of its own; a chain that ends too early, or too late, is damaged. */
function payloadAt(
  image: DatabaseImage,
  bytes: Uint8Array,
  at: number,
  size: number,
  isTable: boolean,
): Uint8Array | undefined {
  const { usable, pageCount } = image;
  if (size > LARGEST_ROW_BYTES || size > pageCount * usable) return undefined;
  const here = localBytes(size, usable, isTable);
  if (at + here + (here < size ? 4 : 0) > usable) return undefined;
  if (here === size) return bytes.subarray(at, at + size);
  const payload = new Uint8Array(size);
  payload.set(bytes.subarray(at, at + here));
  let next = wordAt(bytes, at + here);
  for (let filled = here; filled < size; ) {
    const more = next === 0 ? undefined : image.page(next);
    if (more === undefined) return undefined;
    const part = more.subarray(4, Math.min(usable, 4 + size - filled));
    payload.set(part, filled);
    filled += part.length;
    next = wordAt(more, 0);
  }
  return next === 0 ? payload : undefined;
}

/** How much of a row of `size` bytes stands on its own page. */
function localBytes(size: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  return wanted <= most ? wanted : least;
}

const halfAt = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
