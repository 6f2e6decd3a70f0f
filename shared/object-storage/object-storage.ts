import { AwsV4Signer } from 'aws4fetch';
import { type Failure, fail, ok, type Result } from '../result.ts';
import type { ObjectStorage } from '../setting/index.ts';

/** An object and its place; its bytes are known before they are sent. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  /** The hash of all bytes, lower-case hex. */
  readonly sha256: string;
  /** Where the bucket is; absent: as the storage says. */
  readonly region?: string | undefined;
  /** Key of the storage's key service that encrypts the object. */
  readonly kmsKey?: string | undefined;
}

export interface SignedPut {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Key under which an object of a tenant stands: as it was asked for, behind the prefix of the storage. */
export const objectKey = (
  { prefix = '' }: Pick<ObjectStorage, 'prefix'>,
  domain: string,
  asked: string,
): string => `${prefix.replaceAll('{domain}', domain)}${asked}`;

/**
 * A PUT of an object, signed with signature version 4, its hash among what is signed. It asks that no object be replaced.
 *
 * @param atMs epoch ms; the storage puts up with some minutes of difference
 */
export async function signedPut(
  storage: ObjectStorage,
  object: StoredObject,
  atMs: number,
): Promise<SignedPut> {
  const { bucket, key, size, sha256, region = storage.region, kmsKey } = object;
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  const signer = new AwsV4Signer({
    url: `${storage.endpoint}/${path}`,
    method: 'PUT',
    service: 's3',
    region,
    accessKeyId: storage.keyId,
    secretAccessKey: storage.secret,
    datetime: new Date(atMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    headers: {
      'If-None-Match': '*',
      'X-Amz-Content-Sha256': sha256,
      ...(kmsKey !== undefined && {
        'X-Amz-Server-Side-Encryption': 'aws:kms',
        'X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id': kmsKey,
      }),
    },
  });
  const { url, headers } = await signer.sign();
  // Its length is not among what is signed; without one the storage takes nothing.
  return { url: url.toString(), headers: { ...Object.fromEntries(headers), 'content-length': String(size) } };
}

/** `unreachable`: it may be tried again. The storage says why in XML; its code is passed on. */
export function putAnswer(
  { bucket, key }: StoredObject,
  status: number,
  text: string,
): Result<null, Failure<'conflict' | 'refused' | 'unreachable'>> {
  if (status >= 200 && status < 300) return ok(null);
  if (status === 412)
    return fail('conflict', `There is an object ${key} in ${bucket} already; name another key.`);
  const why = /<Code>([^<]{1,64})<\/Code>/.exec(text)?.[1];
  const said = `The object storage answered ${status}${why === undefined ? '' : ` ${why}`} to ${key} in ${bucket}`;
  return status === 408 || status === 429 || status >= 500
    ? fail('unreachable', `${said}; try again.`)
    : fail('refused', `${said}; see to the bucket, its region and the rights of our key.`);
}
