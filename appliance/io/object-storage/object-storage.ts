import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { putAnswer, type StoredObject, signedPut } from '#shared/object-storage/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ObjectStorage } from '#shared/setting/index.ts';

/** Chosen: hours of WAV over a thin line take long; no byte for a minute means that the line is dead. */
const SILENCE_MS = 60_000;
/** Chosen: before the second and the third try. */
const WAITS_MS = [1_000, 10_000];

/** A file that becomes an object; it no longer exists afterwards, whatever the result. */
export interface OutgoingFile {
  readonly path: string;
  readonly bucket: string;
  readonly key: string;
  readonly encryptionKey: string | undefined;
}

/** Puts files into storage that speaks S3. `conflict`: there is such an object; `storeFailed`: three tries, or a refusal. */
export function openObjectStorage(
  storage: ObjectStorage,
  trustPem: string | undefined,
  waitsMs: readonly number[] = WAITS_MS,
) {
  const dispatcher = new Agent({
    connect: { ...(trustPem !== undefined && { ca: [...rootCertificates, trustPem] }) },
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });

  async function put(path: string, object: StoredObject): ReturnType<typeof once> {
    for (const waitMs of waitsMs) {
      const answer = await once(path, object);
      if (answer.ok || answer.error.code !== 'unreachable') return answer;
      await setTimeout(waitMs);
    }
    return await once(path, object);
  }

  async function once(path: string, object: StoredObject): Promise<ReturnType<typeof putAnswer>> {
    try {
      const { url, headers } = await signedPut(storage, object, Date.now());
      const answer = await request(url, { dispatcher, method: 'PUT', headers, body: createReadStream(path) });
      return putAnswer(object, answer.statusCode, (await answer.body.text()).slice(0, 4_096));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return fail('unreachable', `The object storage cannot be reached: ${why}; try again.`);
    }
  }

  return async ({
    path,
    bucket,
    key,
    encryptionKey: kmsKey,
  }: OutgoingFile): Promise<Result<null, Failure<'conflict' | 'storeFailed'>>> => {
    try {
      const { size } = await stat(path);
      const done = await put(path, { bucket, key, kmsKey, size, sha256: await hashOf(path) });
      if (done.ok) return ok(null);
      return fail(done.error.code === 'conflict' ? 'conflict' : 'storeFailed', done.error.reason);
    } catch (cause) {
      return fail('storeFailed', `The copy cannot be read: ${String(cause)}`);
    } finally {
      await rm(path, { force: true });
    }
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
