/** A new pair of keys for ES256. */
export interface KeyPair {
  /** PKCS#8, PEM. */
  readonly privatePem: string;
  /** SPKI, PEM. */
  readonly publicPem: string;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const LINE = 64;

/** Makes a pair of keys in the browser: a private one that is not sent stays with the person alone. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', privateKey),
    crypto.subtle.exportKey('spki', publicKey),
  ]);
  return { privatePem: pemOf('PRIVATE KEY', pkcs8), publicPem: pemOf('PUBLIC KEY', spki) };
}

/** PEM (RFC 7468) of DER bytes. */
function pemOf(label: string, der: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(der)));
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, index) =>
    text.slice(index * LINE, (index + 1) * LINE),
  );
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
