import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fail, ok, type Result } from '#shared/result.ts';
import type { BlobStore, TakenBytes } from '../../provisioning/index.ts';
import { soundOf } from './sound-check.ts';

const MIB = 1024 * 1024;

/**
 * Bytes below a folder: `<first two digits>/<sha256>`. They come in under another name, are synced, and get their own by a
 * rename: a file that has a hash for its name is whole. The start removes the half files of an earlier run.
 */
export function openBlobStore(folder: string): BlobStore {
  const coming = openComing(folder);
  const placeOf = (sha256: string) => blobFile(folder, sha256);
  return {
    take: (from, mostBytes) =>
      takeBytes(coming, from, mostBytes, async ({ path, sha256 }) => {
        const place = placeOf(sha256);
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(path, place);
        await syncFolder(dirname(place));
      }),
    async open(sha256, range) {
      const place = placeOf(sha256);
      return /^[0-9a-f]{64}$/.test(sha256) && existsSync(place)
        ? (Readable.toWeb(
            createReadStream(place, range && { start: range.first, end: range.last }),
          ) as ReadableStream<Uint8Array>)
        : undefined;
    },
    remove: (sha256) => rm(placeOf(sha256), { force: true }),
  };
}

/** The file of bytes below the folder of blobs. */
export const blobFile = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256);

/** The folder of bytes on their way, emptied of those of an earlier run. */
export function openComing(folder: string): string {
  const coming = join(folder, 'coming');
  mkdirSync(coming, { recursive: true, mode: 0o700 });
  for (const half of readdirSync(coming)) rmSync(join(coming, half), { force: true });
  return coming;
}

/** Bytes that have come in, under a name of their own. */
export interface ComeBytes {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** Takes bytes in; `keep` brings them to where they stay. */
export async function takeBytes(
  coming: string,
  from: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  keep: (come: ComeBytes) => Promise<void>,
): Promise<Result<TakenBytes>> {
  const path = join(coming, randomUUID());
  const received = await receive(from, path, mostBytes);
  if (!received.ok) {
    await rm(path, { force: true });
    return received;
  }
  const { sha256, size } = received.value;
  return ok({
    sha256,
    size,
    sound: () => soundOf(path, size),
    keep: () => keep({ path, sha256, size }),
    drop: () => rm(path, { force: true }),
  });
}

async function receive(
  from: ReadableStream<Uint8Array> | null,
  path: string,
  mostBytes: number,
): Promise<Result<{ readonly sha256: string; readonly size: number }>> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of from ?? []) {
      size += chunk.length;
      if (size > mostBytes)
        return fail(
          'tooLarge',
          `The body is larger than ${mostBytes / MIB} MiB; send a shorter or compressed file.`,
        );
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return ok({ sha256: hash.digest('hex'), size });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
