import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

/** A key as a verifier is given it. */
export interface VectorKey {
  readonly algorithm: string;
  /** SPKI PEM; the secret for HS256. */
  readonly key: string;
  /** Epoch seconds. */
  readonly acceptedUntil?: number;
}

/** One request, and what a verifier has to make of it. */
export interface Vector {
  readonly name: string;
  readonly keys: readonly VectorKey[];
  readonly authorization: string;
  readonly body: string;
  /** `ok` or the code of the refusal. */
  readonly expected: string;
  /** The request comes so many times; all but the first have to be refused as `replayed`. */
  readonly times?: number;
}

export interface VectorSet {
  readonly about: string;
  /** Epoch seconds at which the verifier stands. */
  readonly now: number;
  readonly clockSkewS: number;
  readonly audience: string;
  readonly domain: string;
  readonly vectors: readonly Vector[];
}

const NOW = 1_800_000_000;
const AUDIENCE = 'https://app.example';
const DOMAIN = 'care.example';
const BODY = '{"sessionId":"s-1","alarm":"fall","name":"Åsa \\u00d6","priority":9}';
const ABOUT =
  'Signed callbacks and what a verifier has to make of them. Public keys alone: the private ones were thrown away. Written by sdk/build/write-vectors.ts.';

interface Pair {
  readonly algorithm: string;
  readonly pem: string;
  readonly make: (input: string) => Buffer;
}

/**
 * A set with keys of its own, made now. Without `withSecrets` it holds nothing that could sign, so that it may be
 * published; with them HS256 is there too.
 */
export function vectorSet(withSecrets: boolean): VectorSet {
  const pairs = ['RS256', 'RS512', 'ES256', 'EdDSA'].map(pairOf);
  const [rs256, rs512, es256, eddsa] = pairs as [Pair, Pair, Pair, Pair];
  const next = pairOf('ES256');
  const good = (pair: Pair): Vector => ({
    name: `${pair.algorithm} by its key`,
    keys: [public_(pair)],
    authorization: bearer(pair),
    body: BODY,
    expected: 'ok',
  });
  const bad = (name: string, expected: string, change: Partial<Vector>): Vector => ({
    ...good(es256),
    name,
    expected,
    ...change,
  });
  const claims = (change: object) => ({ authorization: bearer(es256, change) });
  const both = { keys: [public_(es256), public_(next)] };
  return {
    about: ABOUT,
    now: NOW,
    clockSkewS: 60,
    audience: AUDIENCE,
    domain: DOMAIN,
    vectors: [
      ...pairs.map(good),
      { ...good(es256), ...both, name: 'the old key while two are accepted' },
      { ...good(next), ...both, name: 'the new key while two are accepted' },
      bad('the old key after its time', 'algorithmNotAllowed', {
        keys: [{ ...public_(es256), acceptedUntil: NOW - 1 }],
      }),
      bad('keys of several algorithms', 'ok', { keys: [rs256, eddsa, es256, rs512].map(public_) }),
      bad('a clock 30 s ahead', 'ok', claims({ iat: NOW + 30, exp: NOW + 330 })),
      bad('a token 30 s after its end', 'ok', claims({ iat: NOW - 330, exp: NOW - 30 })),
      bad('an empty body', 'ok', { body: '', authorization: bearer(es256, { bodySha256: sha256('') }) }),
      bad('no token', 'tokenMissing', { authorization: '' }),
      bad('another scheme', 'tokenMissing', { authorization: 'Basic YTpi' }),
      bad('two parts', 'tokenMalformed', { authorization: 'Bearer e30.e30' }),
      bad('a header that is no JSON', 'tokenMalformed', { authorization: 'Bearer e3.e30.AA' }),
      bad('crit', 'tokenMalformed', { authorization: bearer(es256, {}, { crit: ['b64'], b64: false }) }),
      bad('alg none', 'algorithmNotAllowed', { authorization: unsigned() }),
      bad('HS256 with the public key as secret', 'algorithmNotAllowed', {
        authorization: bearer(secretPair(es256.pem)),
      }),
      bad('the algorithm of another key', 'algorithmNotAllowed', { authorization: bearer(rs256) }),
      bad('a key of a stranger', 'signatureInvalid', { authorization: bearer(next) }),
      bad('ES256 with zeros (r and s 0)', 'signatureInvalid', {
        authorization: `${bearer(es256).replace(/\.[^.]*$/, '')}.${Buffer.alloc(64).toString('base64url')}`,
      }),
      bad('ES256 in DER', 'signatureInvalid', { authorization: derSigned(es256) }),
      bad('a claim changed after signing', 'signatureInvalid', { authorization: forged(es256) }),
      bad('a body serialised anew', 'bodyChanged', { body: JSON.stringify(JSON.parse(BODY), null, 1) }),
      bad('a hash in upper case', 'bodyChanged', claims({ bodySha256: sha256(BODY).toUpperCase() })),
      bad('no hash of the body', 'claimMissing', claims({ bodySha256: undefined })),
      bad('times that are texts', 'claimMissing', claims({ exp: String(NOW + 300) })),
      bad('iat in the future', 'issuedInFuture', claims({ iat: NOW + 600, exp: NOW + 900 })),
      bad('an expired token', 'expired', claims({ iat: NOW - 900, exp: NOW - 600 })),
      bad('another audience', 'audienceWrong', claims({ aud: 'https://other.example' })),
      bad('another tenant', 'issuerWrong', claims({ iss: 'other.example' })),
      bad('a replay', 'ok', { times: 3 }),
      ...(withSecrets ? withShared() : []),
    ],
  };
}

function withShared(): Vector[] {
  const pair = secretPair(randomUUID());
  const key = { algorithm: 'HS256', key: pair.pem };
  const vector = { keys: [key], authorization: bearer(pair), body: BODY };
  return [
    { ...vector, name: 'HS256 by its secret', expected: 'ok' },
    {
      ...vector,
      name: 'HS256 by another secret',
      keys: [{ ...key, key: randomUUID() }],
      expected: 'signatureInvalid',
    },
    {
      ...vector,
      name: 'a public key given as the secret of HS256',
      keys: [{ ...key, key: pairOf('ES256').pem }],
      expected: 'keyUnsuitable',
    },
  ];
}

const public_ = ({ algorithm, pem }: Pair): VectorKey => ({ algorithm, key: pem });

function pairOf(algorithm: string): Pair {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return { algorithm, pem, make: (input) => signed(algorithm, privateKey, input, 'ieee-p1363') };
}

const secretPair = (secret: string): Pair => ({
  algorithm: 'HS256',
  pem: secret,
  make: (input) => createHmac('sha256', secret).update(input).digest(),
});

const HASH: Readonly<Record<string, string>> = { RS256: 'sha256', RS512: 'sha512', ES256: 'sha256' };

const signed = (algorithm: string, key: KeyObject, input: string, dsaEncoding: 'ieee-p1363' | 'der') =>
  sign(HASH[algorithm] ?? null, Buffer.from(input), { key, dsaEncoding });

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const claimsWith = (change: object) => ({
  sub: 'carillon',
  scope: 'alarm',
  iss: DOMAIN,
  aud: AUDIENCE,
  iat: NOW,
  exp: NOW + 300,
  jti: randomUUID(),
  bodySha256: sha256(BODY),
  ...change,
});

function bearer({ algorithm, make }: Pair, change: object = {}, header: object = {}): string {
  const input = `${base64url({ alg: algorithm, typ: 'JWT', ...header })}.${base64url(claimsWith(change))}`;
  return `Bearer ${input}.${make(input).toString('base64url')}`;
}

const unsigned = (): string =>
  `Bearer ${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claimsWith({}))}.`;

/** The claims of another token under the signature of this one. */
function forged(pair: Pair): string {
  const [header, , signature] = bearer(pair).split('.');
  return [header, base64url(claimsWith({ sub: 'another' })), signature].join('.');
}

/** The encoding of X9.62 where JWS wants r and s side by side (RFC 7518 3.4). */
function derSigned(pair: Pair): string {
  const [header = '', claims, signature = ''] = bearer(pair).split('.');
  const integer = (half: Buffer): Buffer => {
    const positive = Buffer.concat([Buffer.from([0]), half]);
    return Buffer.concat([Buffer.from([2, positive.length]), positive]);
  };
  const raw = Buffer.from(signature, 'base64url');
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  const der = Buffer.concat([Buffer.from([0x30, body.length]), body]);
  return [header, claims, der.toString('base64url')].join('.');
}
