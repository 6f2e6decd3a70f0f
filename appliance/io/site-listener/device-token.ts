import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { VerifyKey } from '#shared/contract/site/index.ts';

/** A compact JWS whose signature was checked. */
export interface VerifiedToken {
  readonly typ: unknown;
  readonly payload: unknown;
}

/** For keys on Ed25519 both names of the algorithm are in use (RFC 8037 3.1, RFC 9864 2.2). */
const ALGORITHMS: readonly unknown[] = ['EdDSA', 'Ed25519'];
const MOST_SIGNS = 8_192;

/**
 * Checks device tokens with no network: by the platform's keys of now and by the key of the site. The key is found by
 * `kid` among them and never taken from the token. At once, because SIP asks while it answers: 0.1 ms.
 */
export function deviceTokenReader(
  keys: () => readonly VerifyKey[],
  site: SiteSigner,
): (token: string) => VerifiedToken | undefined {
  let read: readonly VerifyKey[] | undefined;
  let known = new Map<unknown, KeyObject>();
  const keyOf = (kid: unknown): KeyObject | undefined => {
    const now = keys();
    if (now !== read) {
      read = now;
      known = new Map(now.map((key) => [key.kid, createPublicKey({ key: { ...key }, format: 'jwk' })]));
    }
    return kid === site.kid ? site.publicKey : known.get(kid);
  };
  return (token) => {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    if (token.length > MOST_SIGNS || more.length > 0) return undefined;
    const { alg, kid, typ, crit } = objectOf(header);
    const key = keyOf(kid);
    if (key === undefined || !ALGORITHMS.includes(alg) || crit !== undefined) return undefined;
    const right = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
    return right ? { typ, payload: objectOf(payload) } : undefined;
  };
}

/** The key that the hosts of a site share, as a signer of tokens. */
export interface SiteSigner {
  /** Thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** Compact JWS (RFC 7515 7.1). */
  readonly sign: (typ: string, payload: unknown) => string;
}

/** `pem`: Ed25519 private key in PKCS#8. */
export function siteSigner(pem: string): SiteSigner {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key);
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  return {
    kid,
    publicKey,
    sign: (typ, payload) => {
      const text = `${encoded({ alg: 'EdDSA', typ, kid })}.${encoded(payload)}`;
      return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
    },
  };
}

/** Before its enrolment a machine signs with a key that no other machine knows. */
export function temporarySiteKey(): string {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The JSON object behind base64url; nothing in it when it is none. */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
