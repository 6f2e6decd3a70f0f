import { createHash, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeyText, readSigningKey, signatureText } from '#installer/build/minisign.ts';

/** A key as `minisign -G -W` writes it, and the public part of it as a key of Node. */
function newKey(kdf = '\0\0') {
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
  const text = `untrusted comment: minisign secret key\n${secret.toString('base64')}\n`;
  return { text, id, publicKey, x: Buffer.from(x, 'base64url') };
}

const CONTENT = Buffer.from('a release');
const COMMENT = 'version=0.1.0 cpu=x64 channel=stable file=carillon-linux-x64';

describe('a signature', () => {
  const made = newKey();
  const key = readSigningKey(made.text);
  const [untrusted, first = '', trusted, second = '', end] = signatureText(CONTENT, COMMENT, key).split('\n');
  const signature = Buffer.from(first, 'base64');

  it('is four lines', () => {
    expect([untrusted, trusted, end]).toEqual([
      'untrusted comment: signature from carillon',
      `trusted comment: ${COMMENT}`,
      '',
    ]);
  });

  it('names its kind and its key', () => {
    expect(signature.toString('latin1', 0, 2)).toBe('ED');
    expect(signature.subarray(2, 10).equals(made.id)).toBe(true);
  });

  it('is one over the digest, and one over both it and the trusted comment', () => {
    const digest = createHash('blake2b512').update(CONTENT).digest();
    const whole = Buffer.concat([signature.subarray(10), Buffer.from(COMMENT)]);
    expect(verify(null, digest, made.publicKey, signature.subarray(10))).toBe(true);
    expect(verify(null, whole, made.publicKey, Buffer.from(second, 'base64'))).toBe(true);
  });
});

describe('a key', () => {
  it('gives its public part, in the file that verifiers read', () => {
    const made = newKey();
    const [comment, line = ''] = publicKeyText(readSigningKey(made.text)).split('\n');
    const bytes = Buffer.from(line, 'base64');
    const given = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(10).toString('base64url') },
      format: 'jwk',
    });
    expect(bytes.subarray(0, 10).equals(Buffer.concat([Buffer.from('Ed'), made.id]))).toBe(true);
    expect(given.equals(made.publicKey)).toBe(true);
    expect(comment).toBe(
      `untrusted comment: minisign public key ${Buffer.from(made.id).reverse().toString('hex').toUpperCase()}`,
    );
  });

  it.each([
    ['with a password', newKey('Sc').text, 'has a password'],
    ['of another program', '-----BEGIN PRIVATE KEY-----\nAAAA\n', 'not a secret key of minisign'],
    ['that is empty', '', 'not a secret key of minisign'],
  ])('%s is refused with what to do', (_, text, says) => {
    expect(() => readSigningKey(text)).toThrow(says);
  });
});
