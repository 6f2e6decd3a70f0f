import { createCipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { OutgoingFile } from './object-storage.ts';

/** First bytes of an encrypted object; 12 bytes nonce, the bytes by AES-256-GCM and 16 bytes tag follow, as in the cloud. */
const MAGIC = Buffer.from('CARGCM1\n');

/**
 * The local object store with encryption: a bucket is a folder, and a named key encrypts with AES-256-GCM (decisions 5). A key is
 * made at its first use, in a folder of its own, so that a copy of the buckets holds no key. The file given is no more afterwards.
 */
export function openLocalStorage(bucketOf: (bucket: string) => string, keyFolder: string) {
  return async ({
    path,
    bucket,
    key,
    encryptionKey,
  }: OutgoingFile & { readonly encryptionKey: string }): Promise<
    Result<null, Failure<'conflict' | 'storeFailed'>>
  > => {
    const target = join(bucketOf(bucket), key);
    const coming = `${target}.coming`;
    try {
      if (existsSync(target))
        return fail('conflict', `There is an object ${key} in ${bucket} already; name another key.`);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const secret = await keyNamed(keyFolder, encryptionKey);
      const out = createWriteStream(coming, { mode: 0o600, flush: true });
      await pipeline(createReadStream(path), sealedBy(secret), out);
      await rename(coming, target);
      return ok(null);
    } catch (cause) {
      await rm(coming, { force: true });
      return fail('storeFailed', `The object ${key} cannot be written: ${String(cause)}; check the disk.`);
    } finally {
      await rm(path, { force: true });
    }
  };
}

function sealedBy(key: Buffer) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    yield Buffer.concat([MAGIC, nonce]);
    for await (const chunk of source) yield cipher.update(chunk);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  };
}

async function keyNamed(folder: string, name: string): Promise<Buffer> {
  const path = join(folder, `${Buffer.from(name).toString('base64url')}.key`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o400, flush: true });
  } catch (cause) {
    // Two that come first at the same time use the same key: the second finds the file there.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
  const key = await readFile(path);
  if (key.length !== 32) throw new Error(`the key ${name} is damaged: ${path} has ${key.length} bytes`);
  return key;
}
