import * as disk from 'node:fs/promises';
import { packedFile, type ReadOptions } from './fs.ts';
import { listRelease, packedName } from './release-file.ts';

/** As `fs.ts`, for those who await. */
export * from 'node:fs/promises';

export async function readFile(
  path: Parameters<typeof disk.readFile>[0],
  options?: ReadOptions,
): Promise<Buffer | string> {
  const name = packedName(path);
  return name === undefined ? disk.readFile(path, options as BufferEncoding) : packedFile(name, options);
}

export async function readdir(path: Parameters<typeof disk.readdir>[0], ...rest: never[]): Promise<unknown> {
  const name = packedName(path);
  return name === undefined ? disk.readdir(path, ...rest) : listRelease(name);
}
