import { CallbackRefusal } from './refusal.ts';

/** Signature types of a `restAuthentication` entry (RFC 7518 3.1, RFC 8037 3.1). */
export type Algorithm = 'RS256' | 'RS512' | 'ES256' | 'EdDSA' | 'HS256';

/**
 * A key that callbacks may be signed with. The algorithm belongs to the key and is never read from the token, so that
 * a public key cannot serve as the shared secret of a forged token.
 */
export type CallbackKey = {
  /** Epoch ms from which the key is no longer accepted: the end of a change of keys. */
  readonly acceptedUntilMs?: number;
} & (
  | { readonly algorithm: 'HS256'; readonly secret: string }
  | {
      readonly algorithm: Exclude<Algorithm, 'HS256'>;
      /** SPKI PEM: `-----BEGIN PUBLIC KEY-----`. */
      readonly publicKey: string;
    }
);

/** A key ready for use. */
export interface ReadyKey {
  readonly algorithm: Algorithm;
  readonly acceptedUntilMs: number;
  readonly verifies: (signature: Uint8Array, signed: Uint8Array) => Promise<boolean>;
}

/** Parameters of WebCrypto for importing and for verifying. */
interface Scheme {
  readonly imported: Parameters;
  readonly verified: Parameters;
}
interface Parameters {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
}
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const rsa = (hash: string): Scheme => ({
  imported: { name: 'RSASSA-PKCS1-v1_5', hash },
  verified: { name: 'RSASSA-PKCS1-v1_5' },
});

const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['RS256', rsa('SHA-256')],
  ['RS512', rsa('SHA-512')],
  [
    'ES256',
    {
      imported: { name: 'ECDSA', namedCurve: 'P-256' },
      verified: { name: 'ECDSA', hash: 'SHA-256' },
    },
  ],
  ['EdDSA', { imported: { name: 'Ed25519' }, verified: { name: 'Ed25519' } }],
]);

/** Shortest RSA modulus, bits (RFC 7518 3.3). */
const LEAST_RSA_BITS = 2048;

/** Reads a key once. A key that does not fit its algorithm is refused here, before the first callback. */
export async function readyKey(key: CallbackKey): Promise<ReadyKey> {
  const { algorithm, acceptedUntilMs = Number.POSITIVE_INFINITY } = key;
  if (key.algorithm === 'HS256')
    return { algorithm, acceptedUntilMs, verifies: await sharedSecret(key.secret) };
  const scheme = SCHEMES.get(algorithm);
  if (scheme === undefined)
    throw unsuitable(`The algorithm ${algorithm} is not known.`, 'Use RS256, RS512, ES256, EdDSA or HS256.');
  const imported = await publicKey(key.publicKey, algorithm, scheme);
  const { modulusLength = LEAST_RSA_BITS } = imported.algorithm as { modulusLength?: number };
  if (modulusLength < LEAST_RSA_BITS)
    throw unsuitable(`The RSA key has ${modulusLength} bits.`, `Use ${LEAST_RSA_BITS} bits or more.`);
  return {
    algorithm,
    acceptedUntilMs,
    verifies: (signature, signed) =>
      crypto.subtle.verify(scheme.verified, imported, bytes(signature), bytes(signed)),
  };
}

async function sharedSecret(secret: string): Promise<ReadyKey['verifies']> {
  if (typeof secret !== 'string' || secret === '')
    throw unsuitable('The HS256 key has no secret.', 'Give the secret of the restAuthentication entry.');
  if (/-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----/.test(secret))
    throw unsuitable(
      'The secret of the HS256 key is a public key, which everybody may know.',
      'Give the algorithm of the key pair (RS256, RS512, ES256 or EdDSA) with publicKey.',
    );
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['verify']);
  return (signature, signed) => crypto.subtle.verify('HMAC', key, bytes(signature), bytes(signed));
}

async function publicKey(pem: string, algorithm: string, { imported }: Scheme): Promise<ImportedKey> {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(String(pem)))
    throw unsuitable(
      `The ${algorithm} key is a private key.`,
      'Give its public key alone: openssl pkey -in private.pem -pubout.',
    );
  const encoded = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END PUBLIC KEY-----/.exec(String(pem))?.[1];
  if (encoded === undefined)
    throw unsuitable(
      `The ${algorithm} key is no public key in PEM.`,
      'Give the text that begins with -----BEGIN PUBLIC KEY-----.',
    );
  try {
    const der = Uint8Array.from(atob(encoded.replace(/\s/g, '')), (char) => char.charCodeAt(0));
    return await crypto.subtle.importKey('spki', der, imported, false, ['verify']);
  } catch {
    throw unsuitable(`The public key does not fit ${algorithm}.`, 'Give each key the algorithm of its pair.');
  }
}

const unsuitable = (reason: string, advice: string) => new CallbackRefusal('keyUnsuitable', reason, advice);

/** The same bytes, as WebCrypto's types want them. */
const bytes = (given: Uint8Array): Uint8Array<ArrayBuffer> => given as Uint8Array<ArrayBuffer>;
