import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { exitCode, Stop } from '../exit-code.ts';
import { type ReleaseKey, releaseKeys } from '../release/index.ts';

/** The keys of this program; one who owns the host can lay a file of his own beside the program. */
export const ownKeys = (): readonly ReleaseKey[] =>
  releaseKeys(readFileSync(new URL('./release-keys.pub', import.meta.url), 'utf8'));

/** BLAKE2b-512, read piece by piece: a release has more than a hundred megabytes. */
export async function digestOf(file: string): Promise<Buffer> {
  const hash = createHash('blake2b512');
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
/** The shell part of a .run file is a few kilobytes. */
const HEAD_BYTES = 65_536;

/**
 * The program in a verified file: the file itself, or what a `.run` file carries behind its last line of shell. A
 * script is a program, too: whoever signs decides.
 */
export async function programIn(file: string, unpackTo: string): Promise<string> {
  const handle = await open(file, 'r');
  let head: Buffer;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    head = buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
  if (head.subarray(0, 4).equals(ELF)) return file;
  const payload = head.indexOf(GZIP);
  if (payload < 0) return file;
  await pipeline(
    createReadStream(file, { start: payload }),
    createGunzip(),
    createWriteStream(unpackTo, { mode: 0o700 }),
  ).catch((cause: unknown) => {
    throw new Stop(exitCode.damagedFile, `${file} cannot be unpacked: ${(cause as Error).message}`);
  });
  return unpackTo;
}

export const sizeMb = (file: string): number => Math.ceil(statSync(file).size / 1_048_576);
