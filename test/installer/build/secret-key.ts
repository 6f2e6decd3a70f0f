import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

export interface SecretKey {
  /** The file. */
  readonly text: string;
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

/** A key as `minisign -G -W` writes it, and the public part of it as a key of Node. */
export function secretKey(kdf = '\0\0'): SecretKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const id = randomBytes(8);
  const secret = Buffer.concat([
    Buffer.from(`Ed${kdf}B2`, 'latin1'),
    Buffer.alloc(48),
    id,
    Buffer.from(d, 'base64url'),
    Buffer.from(x, 'base64url'),
    Buffer.alloc(32),
  ]);
  return { text: `untrusted comment: minisign secret key\n${secret.toString('base64')}\n`, id, publicKey };
}
