import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** The key by which push services know this installation (RFC 8292). */
export interface SenderKey {
  /** The public point, uncompressed, base64url: browsers subscribe for it. */
  readonly publicKey: string;
  /** The header Authorization of a message to the push service of this origin. */
  readonly authorization: (origin: string, nowMs: number) => Promise<string>;
}

const UNCOMPRESSED = 4;
/** Push services refuse a token that ends later than in a day (RFC 8292 2); their clocks may be off. */
const TOKEN_S = 12 * 3_600;

/** A new key, as the database keeps it: a private JWK on P-256. */
export const makeSenderKey = (): string =>
  JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));

/** `contact`: an address of the operator, https or mailto, for a push service with questions; undefined: no address. */
export function openSenderKey(text: string, contact: string | undefined): SenderKey {
  const key = createPrivateKey({ key: JSON.parse(text) as Record<string, string>, format: 'jwk' });
  const publicKey = pointOf(createPublicKey(key));
  return {
    publicKey,
    authorization: async (origin, nowMs) => {
      const claims = new SignJWT(contact === undefined ? {} : { sub: contact })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(origin)
        .setExpirationTime(Math.floor(nowMs / 1_000) + TOKEN_S);
      return `vapid t=${await claims.sign(key)}, k=${publicKey}`;
    },
  };
}

function pointOf(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = [Uint8Array.of(UNCOMPRESSED), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return Buffer.concat(point).toString('base64url');
}
