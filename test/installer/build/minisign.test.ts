import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeyText, readSigningKey, signatureText } from '#installer/build/minisign.ts';
import { secretKey } from './secret-key.ts';

const CONTENT = Buffer.from('a release');
const COMMENT = 'version=0.1.0 cpu=x64 channel=stable file=carillon-linux-x64';

describe('a signature', () => {
  const made = secretKey();
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
    const made = secretKey();
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
    ['with a password', secretKey('Sc').text, 'has a password'],
    ['of another program', '-----BEGIN PRIVATE KEY-----\nAAAA\n', 'not a secret key of minisign'],
    ['that is empty', '', 'not a secret key of minisign'],
  ])('%s is refused with what to do', (_, text, says) => {
    expect(() => readSigningKey(text)).toThrow(says);
  });
});
