import { createPrivateKey, type KeyObject } from 'node:crypto';

/** A credential of callbacks as far as its signature goes. */
interface SigningEntry {
  readonly type: string;
  readonly secret: string;
}

/** Keys that an algorithm signs by: RFC 7518 3.1 and 3.3, RFC 8037 3.1. Hosts ask the same of a key. */
const WANTED: Readonly<
  Record<string, { readonly text: string; readonly fits: (key: KeyObject) => boolean }>
> = {
  RS256: { text: 'an RSA key of 2048 bits or more', fits: isRsa },
  RS512: { text: 'an RSA key of 2048 bits or more', fits: isRsa },
  ES256: {
    text: 'an EC key on P-256',
    fits: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  },
  EdDSA: { text: 'an Ed25519 key', fits: (key) => key.asymmetricKeyType === 'ed25519' },
};

function isRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
}

/**
 * The reason why an entry cannot sign, with the remedy; the text never shows the secret.
 *
 * @returns undefined for an entry that can sign.
 */
export function signingFault({ type, secret }: SigningEntry): string | undefined {
  if (type === 'HS256') return undefined;
  const wanted = WANTED[type];
  if (wanted === undefined) return `must sign by an algorithm that is known; ${type} is not`;
  let key: KeyObject;
  try {
    key = createPrivateKey(secret);
  } catch {
    return `must be a private key in PKCS#8 PEM to sign by ${type}; for a shared secret set type HS256`;
  }
  if (wanted.fits(key)) return undefined;
  return `must be ${wanted.text} to sign by ${type}; set the type that fits the key, or give another key`;
}
