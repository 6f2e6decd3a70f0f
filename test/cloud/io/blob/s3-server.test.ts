import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrayBuffer } from 'node:stream/consumers';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobStore, openS3BlobStore, openS3Store } from '#cloud/io/blob/index.ts';
import { objectStorage } from '#shared/setting/parse.ts';

/*
 * A server of S3 that other people wrote: it judges signatures by its own reading of the rules, and names objects by its own reading of
 * addresses. It knows no `If-None-Match` of a PUT, which `s3-store.test.ts` tells with the server of the tests.
 */

/** The only key that it knows. */
const KEY = { keyId: 'S3RVER', secret: 'S3RVER' };
const MOST = 1_000_000;
const HASH = 'f'.repeat(64);

let folder: string;
let server: S3rver;
let endpoint: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-s3-'));
  const configureBuckets = [{ name: 'carillon' }, { name: 'archive' }];
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 'server') };
  server = new S3rver({ ...options, configureBuckets });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Storage by the text of `CARILLON_S3`. */
function storage({ keyId, secret, bucket = 'carillon' } = { ...KEY, bucket: 'carillon' }) {
  const { host } = new URL(endpoint);
  const read = objectStorage(
    `http://${keyId}:${encodeURIComponent(secret)}@${host}/?region=eu-north-1&bucket=${bucket}&prefix=from/{domain}/`,
  );
  if (!read.ok) throw new Error(read.error.reason);
  return { ...read.value, bucket };
}

describe('prompts in the S3 server of another author', () => {
  const store = (process: string, given = storage()) =>
    openS3BlobStore(given, join(folder, process), undefined);

  async function kept(blobs: ReturnType<typeof store>, bytes: Buffer): Promise<string> {
    const taken = await blobs.take(new Response(new Uint8Array(bytes)).body, MOST);
    if (!taken.ok) throw new Error(taken.error.reason);
    await taken.value.keep();
    return taken.value.sha256;
  }
  async function read(
    blobs: ReturnType<typeof store>,
    sha256: string,
    range?: { first: number; last: number },
  ) {
    const stream = await blobs.open(sha256, range);
    return stream === undefined ? undefined : Buffer.from(await arrayBuffer(stream));
  }

  it('are written by one process, read by another as a whole and in part, and removed', async () => {
    const bytes = randomBytes(300_000);
    const sha256 = await kept(store('one'), bytes);
    const other = store('two');
    expect((await read(other, sha256))?.equals(bytes)).toBe(true);
    expect((await read(other, sha256, { first: 10, last: 99 }))?.equals(bytes.subarray(10, 100))).toBe(true);
    await other.remove(sha256);
    expect(await read(store('one'), sha256)).toBeUndefined();
  });

  it('are copied once from the folder', async () => {
    const bytes = randomBytes(1_000);
    const taken = await openBlobStore(join(folder, 'old')).take(
      new Response(new Uint8Array(bytes)).body,
      MOST,
    );
    if (!taken.ok) throw new Error(taken.error.reason);
    await taken.value.keep();
    const blobs = store('old');
    expect([await blobs.copyFolder(), await blobs.copyFolder()]).toEqual([1, 0]);
    expect((await read(store('two'), hashOf(bytes)))?.equals(bytes)).toBe(true);
  });

  it.each([
    ['a wrong secret', { ...KEY, secret: 'other', bucket: 'carillon' }, /SignatureDoesNotMatch/],
    ['a wrong key id', { ...KEY, keyId: 'other', bucket: 'carillon' }, /InvalidAccessKeyId/],
    ['a bucket that is not there', { ...KEY, bucket: 'missing' }, /NoSuchBucket/],
  ])('are not taken, and not said to be missing, with %s', async (_, given, said) => {
    await expect(kept(store('one', storage(given)), randomBytes(10))).rejects.toThrow(said);
    await expect(read(store('one', storage(given)), HASH)).rejects.toThrow(/answered 40[34]/);
  });
});

describe('recordings in the S3 server of another author', () => {
  const object = (bytes: Buffer) => ({
    domain: 'care.example',
    bucket: 'archive',
    region: 'eu-north-1',
    key: '2030/gréeting (1)+@.wav',
    encryptionKey: undefined,
    size: bytes.length,
    sha256: hashOf(bytes),
    bytes: new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>,
  });

  it('lie under the key that was asked for, whole', async () => {
    const bytes = randomBytes(200_000);
    expect(await openS3Store(storage(), undefined).put(object(bytes))).toEqual({ ok: true, value: null });
    const held = await server.store.getObject('archive', 'from/care.example/2030/gréeting (1)+@.wav');
    expect(Buffer.from(await arrayBuffer(held.content)).equals(bytes)).toBe(true);
  });

  it('are refused with the word of the server for a wrong secret', async () => {
    const put = await openS3Store({ ...storage(), secret: 'other' }, undefined).put(object(randomBytes(10)));
    expect(put).toMatchObject({
      error: { code: 'storageFailed', reason: expect.stringContaining('SignatureDoesNotMatch') },
    });
  });
});
