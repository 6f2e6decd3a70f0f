import { createCipheriv, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, ok } from '#shared/result.ts';
import type { ObjectStore } from '../../provisioning/index.ts';

/** The layout of an encrypted object: magic, 12 bytes nonce, the bytes by AES-256-GCM, 16 bytes tag. */
const MAGIC = Buffer.from('CARGCM1\n');

/**
 * The embedded object store: a bucket is a folder. A named key encrypts with AES-256-GCM; keys are made at their first use and
 * stand in a folder of their own, so that who copies the buckets has not the keys.
 */
export function openObjectStore(folder: string, keyFolder: string): ObjectStore {
  return {
    async put({ domain, bucket, key, encryptionKey, bytes }) {
      const path = join(folder, domain, bucket, key);
      if (existsSync(path))
        return fail('conflict', `There is an object ${key} in ${bucket} already; name another key.`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const coming = `${path}.coming`;
      const source = Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]);
      try {
        const target = createWriteStream(coming, { mode: 0o600, flush: true });
        if (encryptionKey === undefined) await pipeline(source, target);
        else await pipeline(source, sealedBy(await keyNamed(keyFolder, encryptionKey)), target);
        await rename(coming, path);
      } catch (cause) {
        await rm(coming, { force: true });
        return fail('defect', `The object ${key} could not be written: ${String(cause)}`);
      }
      return ok(null);
    },
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
  // Two that come first at the same time use the same key: the second finds the file there.
  await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o400, flush: true }).catch(() => undefined);
  return await readFile(path);
}
