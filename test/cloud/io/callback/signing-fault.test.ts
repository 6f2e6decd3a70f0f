import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSigner } from '#appliance/io/http/index.ts';
import { signingFault, signJwt } from '#cloud/io/callback/index.ts';

const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' = 'pkcs8') =>
  String(key.export({ format: 'pem', type }));
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const ec = (namedCurve: string) => pem(generateKeyPairSync('ec', { namedCurve }).privateKey);
const pair = rsa(2048);

const SECRETS = {
  'a shared secret': 'correct horse',
  'a public key': String(pair.publicKey.export({ format: 'pem', type: 'spki' })),
  'an RSA key': pem(pair.privateKey),
  'an RSA key of PKCS#1': pem(pair.privateKey, 'pkcs1'),
  'a short RSA key': pem(rsa(1024).privateKey),
  'a P-256 key': ec('P-256'),
  'a P-384 key': ec('P-384'),
  'an Ed25519 key': pem(generateKeyPairSync('ed25519').privateKey),
  'an Ed448 key': pem(generateKeyPairSync('ed448').privateKey),
  'half a key': pem(pair.privateKey).slice(0, 400),
} as const;
const TYPES = ['RS256', 'RS512', 'ES256', 'EdDSA', 'HS256'] as const;

describe('a credential of callbacks', () => {
  const cases = TYPES.flatMap((type) =>
    Object.entries(SECRETS).map(([name, secret]) => ({ type, name, secret })),
  );

  it.each(cases)(
    '$type by $name: the check, the cloud and the host judge alike',
    async ({ type, secret }) => {
      const host = await createSigner()({ type, secret }, { sub: 'a' });
      const cloud = await signJwt({ type, secret }, { sub: 'a' });
      const fault = signingFault({ type, secret });
      expect({ fault: fault === undefined, cloud: cloud.ok }).toEqual({ fault: host.ok, cloud: host.ok });
      expect(fault ?? '').not.toContain(secret);
    },
  );

  it('that is a shared secret under another type learns its type', () => {
    expect(signingFault({ type: 'RS256', secret: 'x' })).toBe(
      'must be a private key in PKCS#8 PEM to sign by RS256; for a shared secret set type HS256',
    );
  });
});
