import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSigner, replyKey } from '#appliance/io/http/index.ts';

const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');

const claims = { iss: 'care.example', aud: 'https://app.example', jti: 'one', iat: 1, exp: 4_000_000_000 };

describe('tokens', () => {
  it.each([
    ['RS256', rsa],
    ['RS512', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as const)('%s are verified by another implementation', async (type, pair) => {
    const sign = createSigner();
    for (let n = 0; n < 2; n++) {
      const token = await sign({ type, secret: pem(pair.privateKey) }, claims);
      if (!token.ok) throw new Error(token.error.reason);
      const { payload, protectedHeader } = await jwtVerify(token.value, pair.publicKey, {
        algorithms: [type],
        audience: 'https://app.example',
      });
      expect(payload).toEqual(claims);
      expect(protectedHeader).toEqual({ alg: type, typ: 'JWT' });
    }
  });

  it('ES256 are of 64 bytes whatever numbers they are made of: of 256 halves one begins with a zero byte', async () => {
    const sign = createSigner();
    const key = { key: ec.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const secret = pem(ec.privateKey);
    let short = 0;
    for (let jti = 0; jti < 3_000; jti++) {
      const token = await sign({ type: 'ES256', secret }, { jti });
      const [head, payload, last = ''] = token.ok ? token.value.split('.') : [];
      const signature = Buffer.from(last, 'base64url');
      expect(signature.length).toBe(64);
      expect(verify('sha256', Buffer.from(`${head}.${payload}`), key, signature)).toBe(true);
      if (signature[0] === 0 || signature[32] === 0) short++;
    }
    expect(short).toBeGreaterThan(0);
  });

  it('HS256 are verified with the shared secret, and without a type a token is RS256', async () => {
    const sign = createSigner();
    const shared = await sign({ type: 'HS256', secret: 'a secret of more than 32 characters.' }, claims);
    const secret = new TextEncoder().encode('a secret of more than 32 characters.');
    expect(shared.ok && (await jwtVerify(shared.value, secret)).payload).toEqual(claims);
    const plain = await sign({ secret: pem(rsa.privateKey) }, claims);
    expect(plain.ok && (await jwtVerify(plain.value, rsa.publicKey)).protectedHeader.alg).toBe('RS256');
  });

  it.each([
    ['RS256', 'not a key', /PKCS#8/],
    ['RS256', '', /no secret/],
    ['RS256', pem(ec.privateKey), /RSA key of 2048/],
    ['RS256', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey), /2048/],
    ['ES256', pem(rsa.privateKey), /P-256/],
    ['ES256', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey), /P-256/],
    ['EdDSA', pem(ec.privateKey), /Ed25519/],
    ['EdDSA', pem(generateKeyPairSync('ed448').privateKey), /Ed25519/],
    ['none', pem(ec.privateKey), /not known/],
    ['toString', pem(ec.privateKey), /not known/],
  ])('%s with a key that does not fit is a value that hides the key', async (type, secret, reason) => {
    const result = await createSigner()({ type, secret }, claims);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'keyInvalid', reason: expect.stringMatching(reason) },
    });
    if (secret !== '') expect(JSON.stringify(result)).not.toContain(secret.slice(0, 40));
  });
});

describe('site key', () => {
  it('signs and verifies, and is Ed25519', () => {
    const key = replyKey(pem(ed.privateKey));
    const input = Buffer.from('text');
    expect(key.verify(input, key.sign(input))).toBe(true);
    expect(key.verify(Buffer.from('other'), key.sign(input))).toBe(false);
    expect(key.verify(input, Buffer.alloc(3))).toBe(false);
    expect(() => replyKey(pem(ec.privateKey))).toThrow(/Ed25519/);
  });
});
