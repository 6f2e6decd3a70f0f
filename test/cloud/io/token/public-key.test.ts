import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPublicKey } from '#cloud/io/token/public-key.ts';
import type { KeyAlgorithm } from '#cloud/store/index.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const ed = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

const register = async (alg: KeyAlgorithm, jwk: Record<string, unknown>) => {
  const read = await readPublicKey(alg, jwk as never);
  return read.ok ? 'taken' : read.error.reason;
};

describe('a public key that is registered', () => {
  it.each([
    ['RS256', { ...rsa, alg: 'RS256', use: 'sig', key_ops: ['verify'] }],
    ['ES256', { ...ec, use: 'sig', key_ops: ['verify'] }],
    ['EdDSA', { ...ed, alg: 'Ed25519' }],
    ['EdDSA', { ...ed, alg: 'EdDSA' }],
    ['RS256', rsa],
  ] as const)('is taken for %s when it says nothing else', async (alg, jwk) => {
    expect(await register(alg, jwk)).toBe('taken');
  });

  // Wycheproof: UsingRS256, rejectWrongUse.
  it.each([
    ['RS256', { ...rsa, alg: 'PS512' }, 'alg PS512'],
    ['RS256', { ...rsa, alg: 'RSA-OAEP' }, 'alg RSA-OAEP'],
    ['RS256', { ...rsa, use: 'enc' }, 'use enc'],
    ['ES256', { ...ec, use: 'enc' }, 'use enc'],
    ['ES256', { ...ec, alg: 'ES384' }, 'alg ES384'],
    ['EdDSA', { ...ed, key_ops: ['deriveKey'] }, 'key_ops without verify'],
  ] as const)('is refused for %s when it is for something else: %o', async (alg, jwk, member) => {
    expect(await register(alg, jwk)).toContain(`is a key for another purpose (${member})`);
  });

  // Wycheproof: rejectsKeyWithRocaVulnerability.
  it('is refused when its private part can be computed from it', async () => {
    expect(await register('RS256', { ...rsa, n: computable() })).toContain('CVE-2017-15361');
  });
});

/** A modulus of 2048 bits that has the mark of such keys: it is a power of 65537 modulo every small prime to 167. */
function computable(): string {
  let product = 1n;
  for (let prime = 3n; prime <= 167n; prime += 2n)
    if ([3n, 5n, 7n, 11n, 13n].every((each) => prime === each || prime % each !== 0n)) product *= prime;
  let residue = 1n;
  for (let power = 0; power < 1_234; power++) residue = (residue * 65_537n) % product;
  const modulus = (1n << 2_047n) - ((1n << 2_047n) % product) + product + residue;
  return Buffer.from(modulus.toString(16), 'hex').toString('base64url');
}
