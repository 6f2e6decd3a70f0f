import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import type { PackedName } from '#shared/documentation/index.ts';
import type { SiteFiles } from './finish.ts';

/** The site travels in every package. */
const MOST_BYTES = 8_000_000;
/** The whole site is one window: each page has the same navigation. */
const COMPRESSION = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: 25,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  },
};

export interface Packed {
  readonly files: number;
  readonly bytes: number;
  readonly packedBytes: number;
}

/** Writes `files.json` and `files.zst`; files of one kind stand together, because they pack better that way. */
export function packSite(files: SiteFiles, folder: string): Packed {
  const kind = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
  const sorted = [...files].toSorted(([a], [b]) =>
    kind(a) === kind(b) ? (a < b ? -1 : 1) : kind(a) < kind(b) ? -1 : 1,
  );
  const list: PackedName[] = sorted.map(([name, bytes]) => [name, bytes.length]);
  const all = Buffer.concat(sorted.map(([, bytes]) => bytes));
  const packed = zstdCompressSync(all, COMPRESSION);
  if (packed.length > MOST_BYTES)
    throw new Error(
      `the documentation packs to ${packed.length} bytes, and ${MOST_BYTES} may travel: make it smaller`,
    );
  mkdirSync(folder, { recursive: true });
  put(join(folder, 'files.zst'), packed);
  put(join(folder, 'files.json'), JSON.stringify(list));
  return { files: sorted.length, bytes: all.length, packedBytes: packed.length };
}

/** A program that runs never meets half of a file. */
function put(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
