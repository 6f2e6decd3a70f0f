import { createCipheriv, createHmac, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { ConfigKey } from '#shared/contract/feed/index.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** A new key, as `ConfigKey.k`. */
const makeConfigKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/**
 * Encrypts a secret for the pages of a tenant, see `sealed-secret.ts` of the contract.
 *
 * Chosen: the vector is made of key, place and secret, so that the same row is the same bytes for every host and pages
 * are made, kept and carried once. It says of two revisions of one row whether the secret is the same, and no more.
 */
function sealSecret(k: string, place: string, secret: string): { iv: string; text: string } {
  const key = Buffer.from(k, 'base64url');
  const ivKey = createHmac('sha256', key).update('carillon iv').digest();
  const iv = createHmac('sha256', ivKey).update(`${place}\n${secret}`).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { iv: iv.toString('base64url'), text: text.toString('base64url') };
}

/** The key as a compact JWE for a host (ECDH-ES with A256GCM); undefined = that is no X25519 key one could seal for. */
async function wrapConfigKey(
  key: ConfigKey,
  sealKey: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const recipient = publicKey(sealKey);
  if (recipient === undefined) return undefined;
  const text = Buffer.from(JSON.stringify(key));
  return await new CompactEncrypt(text)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: String(key.version) })
    .encrypt(recipient)
    // A point of low order passes as a key and gives no secret.
    .catch(() => undefined);
}

function publicKey({ kty, crv, x }: Readonly<Record<string, string>>): KeyObject | undefined {
  if (kty !== 'OKP' || crv !== 'X25519' || x === undefined) return undefined;
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Everything done with the keys by which sites open secrets. */
export const configKeys = { make: makeConfigKey, seal: sealSecret, wrap: wrapConfigKey } as const;
