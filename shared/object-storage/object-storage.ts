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

/** An object that is read, looked for or removed. */
export type ObjectPlace = Pick<StoredObject, 'bucket' | 'key' | 'region'>;

/** SHA-256 of no bytes: the body of a request without one is signed, too. */
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

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
  const { size, sha256, kmsKey } = object;
  const asked = {
    'If-None-Match': '*',
    'X-Amz-Content-Sha256': sha256,
    ...(kmsKey !== undefined && {
      'X-Amz-Server-Side-Encryption': 'aws:kms',
      'X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id': kmsKey,
    }),
  };
  const { url, headers } = await signed(storage, 'PUT', object, asked, atMs);
  // Its length is not among what is signed; without one the storage takes nothing.
  return { url, headers: { ...headers, 'content-length': String(size) } };
}

/** A request without a body for one object, signed likewise; `range` as the field of HTTP has it (RFC 9110 14.2). */
export const signedRequest = async (
  storage: ObjectStorage,
  method: 'GET' | 'HEAD' | 'DELETE',
  place: ObjectPlace,
  atMs: number,
  range?: string,
): Promise<SignedPut> => {
  const { url, headers } = await signed(storage, method, place, { 'X-Amz-Content-Sha256': NO_BYTES }, atMs);
  return { url, headers: range === undefined ? headers : { ...headers, range } };
};

async function signed(
  storage: ObjectStorage,
  method: string,
  { bucket, key, region = storage.region }: ObjectPlace,
  headers: Readonly<Record<string, string>>,
  atMs: number,
): Promise<SignedPut> {
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  const signer = new AwsV4Signer({
    url: `${storage.endpoint}/${path}`,
    method,
    service: 's3',
    region,
    accessKeyId: storage.keyId,
    secretAccessKey: storage.secret,
    datetime: new Date(atMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    headers: { ...headers },
  });
  const done = await signer.sign();
  return { url: done.url.toString(), headers: Object.fromEntries(done.headers) };
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
