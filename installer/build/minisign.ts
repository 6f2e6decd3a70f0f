import { createHash, createPrivateKey, sign } from 'node:crypto';

/**
 * A secret key of minisign without a password (`minisign -G -W`): number 8 bytes, Ed25519 seed 32, public key 32.
 * Layout: https://jedisct1.github.io/minisign/, "Key formats".
 */
export interface SigningKey {
  readonly id: Buffer;
  readonly seed: Buffer;
  readonly publicKey: Buffer;
}

const NO_PASSWORD = '\0\0';

/** Reads the two lines of a secret key file. Throws a sentence for everything else. */
export function readSigningKey(text: string): SigningKey {
  const bytes = Buffer.from(text.split('\n')[1] ?? '', 'base64');
  if (bytes.length !== 158 || bytes.toString('latin1', 0, 2) !== 'Ed')
    throw new Error('not a secret key of minisign: make one by `minisign -G -W`');
  if (bytes.toString('latin1', 2, 4) !== NO_PASSWORD)
    throw new Error('the secret key has a password: take it off by `minisign -C -W`, or sign by hand');
  return { id: bytes.subarray(54, 62), seed: bytes.subarray(62, 94), publicKey: bytes.subarray(94, 126) };
}

/** The public key file; its second line goes into programs that verify. */
export function publicKeyText({ id, publicKey }: SigningKey): string {
  const name = Buffer.from(id).reverse().toString('hex').toUpperCase();
  const key = Buffer.concat([Buffer.from('Ed'), id, publicKey]).toString('base64');
  return `untrusted comment: minisign public key ${name}\n${key}\n`;
}

/**
 * The text of `<file>.minisig`: Ed25519 over BLAKE2b-512 of the file ("ED"), and over that signature with the trusted
 * comment. `minisign -Vm <file> -p <public key>` verifies it.
 */
export function signatureText(content: Uint8Array, trustedComment: string, key: SigningKey): string {
  const privateKey = createPrivateKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      d: key.seed.toString('base64url'),
      x: key.publicKey.toString('base64url'),
    },
    format: 'jwk',
  });
  const signature = sign(null, createHash('blake2b512').update(content).digest(), privateKey);
  const whole = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), privateKey);
  return [
    'untrusted comment: signature from carillon',
    Buffer.concat([Buffer.from('ED'), key.id, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    `${whole.toString('base64')}\n`,
  ].join('\n');
}
