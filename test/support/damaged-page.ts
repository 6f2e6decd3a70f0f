import { readFileSync, writeFileSync } from 'node:fs';
import { openImage, type ScannedRow, scanPage } from '#shared/sqlite-file/index.ts';

const PAGE = 4096;

/** Overwrites these pages of a database that no program has open. */
export function damagePages(file: string, pages: Iterable<number>): void {
  const bytes = readFileSync(file);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  writeFileSync(file, bytes);
}

/** Every row of a whole database by the pages that it stands on, those of its rest included. */
export function rowsByPage(file: string): readonly (ScannedRow & { readonly pages: readonly number[] })[] {
  const bytes = readFileSync(file);
  let read = new Set<number>();
  const image = openImage({
    size: bytes.length,
    read: (offset, length) => {
      read.add(Math.floor(offset / PAGE) + 1);
      return bytes.subarray(offset, offset + length);
    },
    wal: new Uint8Array(),
  });
  return Array.from({ length: image.pageCount }, (_, at) => at + 1).flatMap((page) => {
    read = new Set();
    const rows = image.free.has(page) ? [] : (scanPage(image, page)?.rows ?? []);
    const pages = [...read];
    return rows.map((row) => ({ ...row, pages }));
  });
}
