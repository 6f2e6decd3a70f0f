import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrayBuffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobStore, openS3BlobStore } from '#cloud/io/blob/index.ts';
import type { BlobStore } from '#cloud/provisioning/index.ts';
import { type ObjectServer, objectServer } from '#test/support/object-server.ts';

const KEY = { keyId: 'AKIDEXAMPLE', secret: 'wJalr/XUtn+FEMI=%' };
const MOST = 1_000_000;

let server: ObjectServer;
let place: string;
beforeEach(async () => {
  server = await objectServer(KEY);
  place = mkdtempSync(join(tmpdir(), 'carillon-blob-'));
});
afterEach(() => {
  server.close();
  rmSync(place, { recursive: true });
});

const storage = (more = {}) => ({
  endpoint: server.endpoint,
  region: 'eu-north-1',
  prefix: 'site-a/{domain}/',
  bucket: 'carillon',
  ...KEY,
  ...more,
});
/** The store of one process, whose folder is its own. */
const store = (process: string, more = {}) => openS3BlobStore(storage(more), join(place, process), undefined);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const keyOf = (bytes: Buffer) =>
  `carillon/site-a/platform/blob/${hashOf(bytes).slice(0, 2)}/${hashOf(bytes)}`;

async function kept(blobs: BlobStore, bytes: Buffer): Promise<string> {
  const taken = await blobs.take(new Response(new Uint8Array(bytes)).body, MOST);
  if (!taken.ok) throw new Error(taken.error.reason);
  await taken.value.keep();
  return taken.value.sha256;
}

async function read(blobs: BlobStore, sha256: string, range?: { first: number; last: number }) {
  const stream = await blobs.open(sha256, range);
  return stream === undefined ? undefined : Buffer.from(await arrayBuffer(stream));
}

describe('bytes of prompt files in storage that speaks S3', () => {
  it('are read by another process, as a whole and in part, and leave nothing in the folder of the first', async () => {
    const bytes = randomBytes(200_000);
    const sha256 = await kept(store('one'), bytes);
    expect([...server.objects.keys()]).toEqual([keyOf(bytes)]);
    expect(readdirSync(join(place, 'one', 'coming'))).toEqual([]);
    const other = store('two');
    expect((await read(other, sha256))?.equals(bytes)).toBe(true);
    expect((await read(other, sha256, { first: 10, last: 99 }))?.equals(bytes.subarray(10, 100))).toBe(true);
    expect(await read(other, 'f'.repeat(64))).toBeUndefined();
    expect(server.refusals).toEqual(['NoSuchKey']);
  });

  it('are stored once, and removed for everybody', async () => {
    const bytes = randomBytes(100);
    await kept(store('one'), bytes);
    const sha256 = await kept(store('two'), bytes);
    expect(server.objects.size).toBe(1);
    await store('two').remove(sha256);
    expect(server.objects.size).toBe(0);
    expect(await read(store('one'), sha256)).toBeUndefined();
  });

  it('that an earlier version kept in the folder are copied, and read and removed until they are', async () => {
    const [first, second] = [randomBytes(100), randomBytes(200)];
    const old = openBlobStore(join(place, 'one'));
    await kept(old, first);
    await kept(old, second);
    const blobs = store('one');
    expect((await read(blobs, hashOf(first)))?.equals(first)).toBe(true);
    expect(await blobs.copyFolder()).toBe(2);
    expect([...server.objects.keys()].toSorted()).toEqual([keyOf(first), keyOf(second)].toSorted());
    expect(await blobs.copyFolder()).toBe(0);
    expect((await read(store('two'), hashOf(second)))?.equals(second)).toBe(true);
    await blobs.remove(hashOf(first));
    expect(existsSync(join(place, 'one', hashOf(first).slice(0, 2), hashOf(first)))).toBe(false);
    expect(await read(blobs, hashOf(first))).toBeUndefined();
  });

  it.each([
    ['a wrong secret', { secret: 'other' }, /SignatureDoesNotMatch/],
    ['a bucket that is not there', { bucket: 'nobody' }, /NoSuchBucket/],
    ['a storage that is away', { endpoint: 'http://127.0.0.1:9' }, /cannot be reached/],
  ])('are not taken, and not said to be missing, by %s', async (_, more, said) => {
    await expect(kept(store('one', more), randomBytes(10))).rejects.toThrow(said);
    await expect(read(store('one', more), 'f'.repeat(64))).rejects.toThrow(said);
  });
});
