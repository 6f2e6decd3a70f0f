import * as disk from 'node:fs';
import { listRelease, packedName, readRelease } from './release-file.ts';

/**
 * `node:fs` of our own modules in the binary: what they read beside themselves comes from the archive, all else from the
 * disk. Answered are the functions below, and nothing else of `node:fs`.
 */
export * from 'node:fs';

export type ReadOptions = BufferEncoding | { readonly encoding?: BufferEncoding | null } | null | undefined;

/** As Node gives it: bytes without an encoding, else text. */
export function packedFile(name: string, options: ReadOptions): Buffer | string {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  const bytes = readRelease(name);
  return typeof encoding === 'string' ? bytes.toString(encoding) : bytes;
}

export function readFileSync(path: disk.PathOrFileDescriptor, options?: ReadOptions): Buffer | string {
  const name = packedName(path);
  return name === undefined ? disk.readFileSync(path, options as BufferEncoding) : packedFile(name, options);
}

export function readdirSync(path: disk.PathLike, ...rest: never[]): unknown {
  const name = packedName(path);
  return name === undefined ? disk.readdirSync(path, ...rest) : listRelease(name);
}

export function existsSync(path: disk.PathLike): boolean {
  const name = packedName(path);
  if (name === undefined) return disk.existsSync(path);
  return listRelease(name.slice(0, Math.max(0, name.lastIndexOf('/')))).includes(
    name.slice(name.lastIndexOf('/') + 1),
  );
}
