import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { BoundedMap } from '#shared/bounded-map.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** The fields of a `restAuthentication` entry that make the signature; `type` absent = RS256. */
export interface SigningEntry {
  readonly type?: string | undefined;
  /** PKCS#8 PEM, or the shared secret of HS256. */
  readonly secret?: string | undefined;
}

export type SignJwt = (
  entry: SigningEntry,
  claims: Readonly<Record<string, unknown>>,
) => Promise<Result<string, Failure<'keyInvalid'>>>;

type Signature = (input: string) => Promise<Buffer>;

/** A key that was parsed, and the first part of every token that it signs. */
interface Signer {
  readonly head: string;
  readonly sign: Signature;
}

/** Keys are parsed once; so many are remembered before the oldest is forgotten. */
const rememberedKeys = 10_000;

/**
 * Signs JWTs (RFC 7515, 7519) with RS256, RS512, ES256, EdDSA or HS256. A key that does not fit its type is the value
 * `keyInvalid`, whose reason never shows the key.
 *
 * Chosen: node:crypto directly, since only signing is wanted and keys stay parsed. RSA works in the thread pool, as
 * one signature takes about a millisecond; the others are done at once.
 */
export function createSigner(): SignJwt {
  const remembered = new BoundedMap<string, Result<Signer, Failure<'keyInvalid'>>>(rememberedKeys);

  const signerFor = (type: string, secret: string): Result<Signer, Failure<'keyInvalid'>> => {
    const name = `${type}\n${secret}`;
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const signature = prepare(type, secret);
    const made = signature.ok
      ? ok({ head: base64url({ alg: type, typ: 'JWT' }), sign: signature.value })
      : signature;
    remembered.set(name, made);
    return made;
  };

  return async (entry, claims) => {
    const signer = signerFor(entry.type ?? 'RS256', entry.secret ?? '');
    if (!signer.ok) return signer;
    const input = `${signer.value.head}.${base64url(claims)}`;
    return ok(`${input}.${(await signer.value.sign(input)).toString('base64url')}`);
  };
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function prepare(type: string, secret: string): Result<Signature, Failure<'keyInvalid'>> {
  if (secret === '') return fail('keyInvalid', `the ${type} entry has no secret`);
  if (type === 'HS256') {
    return ok(async (input) => createHmac('sha256', secret).update(input).digest());
  }
  const scheme = schemes.get(type);
  if (scheme === undefined) return fail('keyInvalid', `signature type ${type} is not known`);
  let key: KeyObject;
  try {
    key = createPrivateKey(secret);
  } catch {
    return fail('keyInvalid', `the secret of the ${type} entry is no private key in PKCS#8 PEM`);
  }
  if (!scheme.fits(key)) return fail('keyInvalid', `the key of the ${type} entry is not ${scheme.wanted}`);
  return ok(scheme.sign(key));
}

interface Scheme {
  readonly wanted: string;
  readonly fits: (key: KeyObject) => boolean;
  readonly sign: (key: KeyObject) => Signature;
}

/** RFC 7518 3.1, RFC 8037 3.1; an RSA key has at least 2048 bits (RFC 7518 3.3). */
const rsa = (hash: string): Scheme => ({
  wanted: 'an RSA key of 2048 bits or more',
  fits: (key) => key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
  sign: (key) => (input) =>
    new Promise((resolve, reject) => {
      sign(hash, Buffer.from(input), key, (error, signature) => {
        if (error) reject(error);
        else resolve(signature);
      });
    }),
});

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['RS256', rsa('sha256')],
  ['RS512', rsa('sha512')],
  [
    'ES256',
    {
      wanted: 'an EC key on P-256',
      fits: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
      sign: (key) => async (input) => joined(sign('sha256', Buffer.from(input), key)),
    },
  ],
  [
    'EdDSA',
    {
      wanted: 'an Ed25519 key',
      fits: (key) => key.asymmetricKeyType === 'ed25519',
      sign: (key) => async (input) => sign(null, Buffer.from(input), key),
    },
  ],
]);

/** Bytes of each half of an ES256 signature (RFC 7518 3.4). */
const HALF = 32;

/**
 * The halves of an ECDSA signature, each of 32 bytes, from the DER that holds them as two numbers (RFC 3279 2.2.3).
 *
 * Chosen: node:crypto would do it, but a key beside an option costs it as much again as the signature, for errors that it
 * throws and catches to find out what it was given.
 */
function joined(der: Uint8Array): Buffer {
  const signature = Buffer.alloc(2 * HALF);
  // SEQUENCE, its length, and then INTEGER, length and number twice; all of it is shorter than 128 bytes.
  let at = 2;
  for (const end of [HALF, 2 * HALF]) {
    const length = der[at + 1] ?? 0;
    at += 2;
    // A number is as short as it can be, and has a zero before it where its first bit would say that it is negative.
    const number = der.subarray(at + Math.max(0, length - HALF), at + length);
    signature.set(number, end - number.length);
    at += length;
  }
  return signature;
}
