import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exitCode, Stop } from '../exit-code.ts';
import { type ReleaseKey, releaseKeys } from '../release/index.ts';
import { run } from './host/host-program.ts';

/** The keys of this program; one who owns the host can lay a file of his own beside the program. */
export const ownKeys = (): readonly ReleaseKey[] =>
  releaseKeys(readFileSync(new URL('./release-keys.pub', import.meta.url), 'utf8'));

/** BLAKE2b-512, read piece by piece: a release has more than a hundred megabytes. */
export async function digestOf(file: string): Promise<Buffer> {
  const hash = createHash('blake2b512');
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}

/** The shell part of a `.run` file ends with this line, and a Debian package begins behind it, ar(5). */
const RUN_FILE = Buffer.from('install "$@"\n!<arch>\n');
/** The shell part is a few kilobytes. */
const HEAD_BYTES = 65_536;

/**
 * The program in a verified file: the file itself, or what a `.run` file takes out of itself. A script is a program, too:
 * whoever signs decides.
 */
export async function programIn(file: string, unpackTo: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (!buffer.subarray(0, bytesRead).includes(RUN_FILE)) return file;
  } finally {
    await handle.close();
  }
  const { code, err } = await run(['sh', file, '--unpack', unpackTo]);
  if (code !== 0) throw new Stop(exitCode.damagedFile, `${file} cannot be unpacked: ${err.trim()}`);
  return unpackTo;
}

export const sizeMb = (file: string): number => Math.ceil(statSync(file).size / 1_048_576);
