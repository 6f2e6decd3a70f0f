import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The public half, as hosts know the platform's key. */
export const platformKey = publicKey;

/** The signature that `cloud/io/key` makes with the platform's key. */
export const platformSign = (typ: string, payload: unknown): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: 'platform-1' })
    .sign(privateKey);
