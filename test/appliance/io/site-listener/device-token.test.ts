import { describe, expect, test } from 'vitest';
import {
  deviceTokenReader,
  siteSigner,
  temporarySiteKey,
  verifyPassword,
} from '#appliance/io/site-listener/index.ts';
import { hashPassword } from '#cloud/io/password/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';

const publicOf = (pem: string): VerifyKey => {
  const { kid, publicKey } = siteSigner(pem);
  const { x } = publicKey.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x: x ?? '', kid };
};

describe('tokens', () => {
  const [sitePem, platformPem, strangerPem] = [temporarySiteKey(), temporarySiteKey(), temporarySiteKey()];
  const site = siteSigner(sitePem);
  const read = deviceTokenReader(() => [publicOf(platformPem)], site);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['the site', sitePem],
    ['the platform', platformPem],
  ])('are read from %s', (_name, pem) => {
    expect(read(siteSigner(pem).sign('typ', { a: 'å' }))).toEqual({ typ: 'typ', payload: { a: 'å' } });
  });

  const good = site.sign('typ', { a: 1 });
  const [header = '', payload = '', signature = ''] = good.split('.');
  test.each([
    ['of a stranger', siteSigner(strangerPem).sign('typ', {})],
    ['with another payload', `${header}.${part({ a: 2 })}.${signature}`],
    ['with another header', `${part({ alg: 'EdDSA', typ: 'other', kid: site.kid })}.${payload}.${signature}`],
    ['without a signature', `${header}.${payload}.`],
    ['with algorithm none', `${part({ alg: 'none', typ: 'typ', kid: site.kid })}.${payload}.`],
    [
      'with an extension that must be understood',
      `${part({ alg: 'EdDSA', kid: site.kid, crit: ['x'] })}.${payload}.${signature}`,
    ],
    ['of four parts', `${good}.x`],
    ['of one part', 'token'],
    ['that is empty', ''],
    ['that is far too long', `${header}.${'x'.repeat(10_000)}.${signature}`],
    ['that is no base64', '!!!.???.***'],
  ])('%s are not', (_name, token) => {
    expect(read(token)).toBeUndefined();
  });
});

describe('passwords', () => {
  test('that the cloud hashed are verified at the site', async () => {
    const stored = await hashPassword('blåbär 7');
    expect(await verifyPassword('blåbär 7', stored)).toBe(true);
    expect(await verifyPassword('bla\u030abär 7', stored)).toBe(true);
    expect(await verifyPassword('wrong', stored)).toBe(false);
  });

  test.each([
    ['nothing', undefined],
    ['another algorithm', '$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    [
      'a cost that would stop the host',
      '$argon2id$v=19$m=9999999,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ],
    ['no text of this kind', 'secret'],
  ])('%s stored lets no device in', async (_name, stored) => {
    expect(await verifyPassword('secret', stored)).toBe(false);
  });
});
