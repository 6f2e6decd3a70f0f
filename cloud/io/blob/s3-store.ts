import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { objectKey, putAnswer, signedPut } from '#shared/object-storage/index.ts';
import { fail } from '#shared/result.ts';
import type { ObjectStorage } from '#shared/setting/index.ts';
import type { ObjectStore } from '../../provisioning/index.ts';

/** Chosen: no byte for half a minute means that the line is dead. */
const SILENCE_MS = 30_000;

/**
 * Objects in storage that speaks S3. A storage that cannot be reached, or refuses, moves nothing: the file stays where it is.
 */
export function openS3Store(storage: ObjectStorage, trustPem: string | undefined): ObjectStore {
  const dispatcher = new Agent({
    connect: { ...(trustPem !== undefined && { ca: [...rootCertificates, trustPem] }), timeout: SILENCE_MS },
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });
  return {
    async put({ domain, bucket, region, key, encryptionKey: kmsKey, size, sha256, bytes }) {
      const object = { bucket, region, key: objectKey(storage, domain, key), kmsKey, size, sha256 };
      try {
        const { url, headers } = await signedPut(storage, object, Date.now());
        const body = Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]);
        const answer = await request(url, { dispatcher, method: 'PUT', headers, body });
        const put = putAnswer(object, answer.statusCode, (await answer.body.text()).slice(0, 4_096));
        return put.ok || put.error.code === 'conflict' ? put : fail('storageFailed', put.error.reason);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        return fail('storageFailed', `The object storage cannot be reached: ${why}; try again.`);
      }
    },
  };
}
