import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export const encoded = (bytes: Buffer): string => bytes.toString('base64url');

/** AES-256-GCM bound to a place: vector, and text with its tag. */
export function encrypt(key: Buffer, plain: Buffer, place: string): [Buffer, Buffer] {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place, 'utf8'));
  return [iv, Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])];
}

/** Throws when key, text or place are others than were used. */
export function decrypt(key: Buffer, iv: Buffer, sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place, 'utf8'));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
}

/** The tenant that a place begins with. */
export const tenantOf = (place: string): string => place.split('|', 1)[0] ?? '';

/** A data key wrapped by a key-encryption key, bound to its tenant. */
export function wrapDataKey(kek: Buffer, key: Buffer, tenant: string): string {
  const [iv, text] = encrypt(kek, key, `${tenant}|dek`);
  return encoded(Buffer.concat([iv, text]));
}

/** The data key of a sealed text, and whether it is its tenant's; in the first databases each value had one of its own. */
export function unwrapDataKey(
  kek: Buffer,
  wrapped: string,
  place: string,
): { readonly key: Buffer; readonly isTenants: boolean } {
  const bytes = Buffer.from(wrapped, 'base64url');
  const unwrap = (boundTo: string) =>
    decrypt(kek, bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES), `${boundTo}|dek`);
  try {
    return { key: unwrap(tenantOf(place)), isTenants: true };
  } catch {
    return { key: unwrap(place), isTenants: false };
  }
}
