import { createPublicKey, verify } from 'node:crypto';

/** ES256 signature (base64url, r and s) over the UTF-8 text by the key (SPKI PEM). */
export const isSignedBy = (key: string, text: string, signature: string): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );

/** Ed25519 signature (base64url) over the text by a site's public JWK. False for anything that is none. */
export function isSiteSignature(
  jwk: Readonly<Record<string, string>>,
  text: string,
  signature: string,
): boolean {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
