import { constants, zstdCompressSync } from 'node:zlib';
import { type FileList, MARK, type PackedFile } from './packed/archive.ts';

/** Chosen: half of the time goes into the embedded voice, of which 11 MB become 8.5. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 19 } };

/** Bytes as they lie in the archive; the same for every CPU, so pressed once. */
const pressed = new WeakMap<Uint8Array, Uint8Array>();

function press(bytes: Uint8Array): Uint8Array {
  const known = pressed.get(bytes);
  if (known !== undefined) return known;
  const short = zstdCompressSync(bytes, COMPRESSION);
  const stored = short.length < bytes.length ? short : bytes;
  pressed.set(bytes, stored);
  return stored;
}

/** An archive to stand behind `before` bytes of executable; the same files give the same bytes. */
export function writeArchive(files: ReadonlyMap<string, Uint8Array>, before: number): Buffer {
  const list: Record<string, PackedFile> = {};
  const parts: Uint8Array[] = [];
  let offset = before;
  for (const [name, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const stored = press(bytes);
    list[name] = { offset, stored: stored.length, coding: stored === bytes ? 'plain' : 'zstd' };
    parts.push(stored);
    offset += stored.length;
  }
  const text = Buffer.from(JSON.stringify(list satisfies FileList));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([...parts, text, length, Buffer.from(MARK)]);
}
