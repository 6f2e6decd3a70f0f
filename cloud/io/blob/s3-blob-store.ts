import { createReadStream, existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, request } from 'undici';
import { objectKey, putAnswer, signedPut, signedRequest } from '#shared/object-storage/index.ts';
import type { ObjectStorage } from '#shared/setting/index.ts';
import type { BlobStore } from '../../provisioning/index.ts';
import { blobFile, openComing, takeBytes } from './blob-store.ts';
import { ObjectStorageFault } from './object-storage-fault.ts';

/** Chosen: no byte for half a minute means that the line is dead. */
const SILENCE_MS = 30_000;

/** The `{domain}` of the prefix for what belongs to no tenant; no domain is called so, since it has no dot. */
const PLATFORM = 'platform';

const HASH = /^[0-9a-f]{64}$/;

export interface S3BlobStore extends BlobStore {
  /** Copies what lies in the folder into the storage; gives how many were not there. */
  readonly copyFolder: () => Promise<number>;
}

/**
 * Bytes in a bucket of storage that speaks S3, so that every process of an installation has them. They come in through the
 * folder, which a process may lose at any time. Throws one sentence when the storage cannot be reached, or refuses.
 */
export function openS3BlobStore(
  storage: ObjectStorage & { readonly bucket: string },
  folder: string,
  trustPem: string | undefined,
): S3BlobStore {
  const coming = openComing(folder);
  const { bucket } = storage;
  const dispatcher = new Agent({
    connect: { ...(trustPem !== undefined && { ca: [...rootCertificates, trustPem] }), timeout: SILENCE_MS },
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });
  const placeOf = (sha256: string) => ({
    bucket,
    key: objectKey(storage, PLATFORM, `blob/${sha256.slice(0, 2)}/${sha256}`),
  });

  async function ask(method: 'GET' | 'HEAD' | 'DELETE', sha256: string, range?: string) {
    const { url, headers } = await signedRequest(storage, method, placeOf(sha256), Date.now(), range);
    return await answered(request(url, { dispatcher, method, headers }), sha256, method);
  }

  /** Bytes of the same hash are the same bytes: what is there already is well. */
  async function put(path: string, sha256: string, size: number): Promise<void> {
    const object = { ...placeOf(sha256), size, sha256 };
    const { url, headers } = await signedPut(storage, object, Date.now());
    const body = createReadStream(path);
    const sent = request(url, { dispatcher, method: 'PUT', headers, body });
    const { statusCode, body: said } = await sent.catch((cause: unknown) => unreachable(cause));
    const answer = putAnswer(object, statusCode, (await said.text()).slice(0, 4_096));
    if (!answer.ok && answer.error.code !== 'conflict')
      throw new ObjectStorageFault(answer.error.reason.replace(/^The/, 'the'));
  }

  return {
    take: (from, mostBytes) =>
      takeBytes(coming, from, mostBytes, async ({ path, sha256, size }) => {
        await put(path, sha256, size);
        await rm(path, { force: true });
      }),
    async open(sha256, range) {
      if (!HASH.test(sha256)) return undefined;
      const field = range === undefined ? undefined : `bytes=${range.first}-${range.last}`;
      const found = await ask('GET', sha256, field);
      if (found !== undefined) return Readable.toWeb(found) as ReadableStream<Uint8Array>;
      const path = blobFile(folder, sha256);
      if (!existsSync(path)) return undefined;
      const part = range && { start: range.first, end: range.last };
      return Readable.toWeb(createReadStream(path, part)) as ReadableStream<Uint8Array>;
    },
    async remove(sha256) {
      await ask('DELETE', sha256);
      await rm(blobFile(folder, sha256), { force: true });
    },
    async copyFolder() {
      let copied = 0;
      for (const sha256 of await hashesIn(folder)) {
        if ((await ask('HEAD', sha256)) !== undefined) continue;
        const path = blobFile(folder, sha256);
        await put(path, sha256, (await stat(path)).size);
        copied += 1;
      }
      return copied;
    },
  };
}

const hashesIn = async (folder: string): Promise<string[]> => {
  const groups = (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const names = await Promise.all(groups.map((group) => readdir(join(folder, group))));
  return names.flat().filter((name) => HASH.test(name));
};

/** The body of a 2xx; undefined = there is no such object. */
async function answered(
  sent: Promise<Dispatcher.ResponseData>,
  sha256: string,
  method: string,
): Promise<Readable | undefined> {
  const { statusCode, body } = await sent.catch((cause: unknown) => unreachable(cause));
  if (statusCode >= 200 && statusCode < 300) {
    if (method === 'GET') return body;
    await body.dump();
    return body;
  }
  const code = /<Code>([^<]{1,64})<\/Code>/.exec((await text(body)).slice(0, 4_096))?.[1] ?? '';
  if (statusCode === 404 && code !== 'NoSuchBucket') return undefined;
  throw new ObjectStorageFault(
    `the object storage answered ${statusCode} ${code} to ${method} of ${sha256}. Check the bucket and the rights of the key.`,
  );
}

function unreachable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new ObjectStorageFault(`the object storage cannot be reached (${why}). Try again.`);
}
