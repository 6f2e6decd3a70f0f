import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openS3Store } from '#cloud/io/blob/index.ts';
import { objectStorage } from '#shared/setting/parse.ts';
import { type ObjectServer, objectServer } from '#test/support/object-server.ts';

const KEY = { keyId: 'AKIDEXAMPLE', secret: 'wJalr/XUtn+FEMI=%' };

let server: ObjectServer;
beforeEach(async () => {
  server = await objectServer(KEY);
});
afterEach(() => server.close());

const store = (changed: Partial<typeof KEY> = {}, endpoint = server.endpoint) =>
  openS3Store({ endpoint, region: 'us-east-1', ...KEY, ...changed }, undefined);
const object = (bytes: Buffer, more = {}) => ({
  domain: 'care.example',
  bucket: 'archive',
  region: 'eu-north-1',
  key: '2030/gréeting (1)+@.wav',
  encryptionKey: undefined,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>,
  ...more,
});

describe('object storage that speaks S3', () => {
  it('takes an object under the key that was asked for, signed for its region, with its key', async () => {
    const bytes = randomBytes(300_000);
    expect(await store().put(object(bytes, { encryptionKey: 'arn:aws:kms:k1' }))).toEqual({
      ok: true,
      value: null,
    });
    expect(server.refusals).toEqual([]);
    const held = server.objects.get('archive/2030/gréeting (1)+@.wav');
    expect(held).toMatchObject({ region: 'eu-north-1', kmsKey: 'arn:aws:kms:k1' });
    expect(held?.bytes.equals(bytes)).toBe(true);
  });

  it('puts the prefix of the setting in front of every key', async () => {
    const setting = `${server.endpoint.replace('//', '//AKIDEXAMPLE:wJalr%2FXUtn%2BFEMI=%25@')}/?prefix=from/{domain}/`;
    const storage = objectStorage(setting);
    if (!storage.ok) throw new Error(storage.error.reason);
    expect(await openS3Store(storage.value, undefined).put(object(randomBytes(10)))).toMatchObject({
      ok: true,
    });
    expect([...server.objects.keys()]).toEqual(['archive/from/care.example/2030/gréeting (1)+@.wav']);
  });

  it('replaces nothing', async () => {
    const [first, other] = [randomBytes(10), randomBytes(10)];
    await store().put(object(first));
    expect(await store().put(object(other))).toMatchObject({ error: { code: 'conflict' } });
    expect([...server.objects.values()].map(({ bytes }) => bytes.equals(first))).toEqual([true]);
  });

  it.each([
    ['a wrong secret', { secret: 'other' }, {}, 'SignatureDoesNotMatch'],
    ['a wrong key id', { keyId: 'other' }, {}, 'InvalidAccessKeyId'],
    ['other bytes than were said', {}, { sha256: 'a'.repeat(64) }, 'XAmzContentSHA256Mismatch'],
    ['a bucket that is not there', {}, { bucket: 'nobody' }, 'NoSuchBucket'],
  ])('that refuses %s is reported with its own word', async (_, changed, more, code) => {
    const put = await store(changed).put(object(randomBytes(10), more));
    expect(put).toMatchObject({ error: { code: 'storageFailed', reason: expect.stringContaining(code) } });
    expect(server.objects.size).toBe(0);
  });

  it('that is not there is reported', async () => {
    const put = await store({}, 'http://127.0.0.1:9').put(object(randomBytes(10)));
    expect(put).toMatchObject({ error: { code: 'storageFailed', reason: expect.stringMatching(/reached/) } });
  });
});
