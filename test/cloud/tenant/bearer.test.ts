import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import { createTokenPort } from '#cloud/io/token/index.ts';
import type { KeyAlgorithm } from '#cloud/store/index.ts';
import { type Call, tenantByDomain } from '#cloud/store/index.ts';
import { createTenancy, type Principal, type Tenancy } from '#cloud/tenant/index.ts';
import type { Result } from '#shared/result.ts';
import { openTestDatabase, type TestDatabase } from '../store/database.ts';
import { platformSign } from './signer.ts';

const NOW = Date.UTC(2030, 0, 1);
const NOW_S = NOW / 1000;
const PUBLIC_URL = 'https://cloud.carillon.test';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

describe('the owner of a bearer token', () => {
  let database: TestDatabase;
  let tenancy: Tenancy;
  const pairs = new Map<KeyAlgorithm, Pair>();
  let owner: Principal;

  const call = async (domain: string): Promise<Call> => ({
    tenant: (await tenantByDomain(database.store, domain))?.id ?? '',
    domain,
    actor: { name: 'person:test', address: '', requestId: 'r', at: NOW },
  });
  const register = async (domain: string, alg: KeyAlgorithm, kid: string, pair: Pair, scope?: string) =>
    await tenancy.apiKey.register(await call(domain), owner, {
      alg,
      kid,
      publicKey: await exportSPKI(pair.publicKey),
      ...(scope === undefined ? {} : { scope }),
    });
  const sign = (pair: Pair, alg: string, kid: string | undefined, claims: JWTPayload = {}) =>
    new SignJWT({ sub: 'robot', iat: NOW_S, exp: NOW_S + 600, ...claims })
      .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
      .sign(pair.privateKey);
  const pairOf = (alg: KeyAlgorithm): Pair => {
    const pair = pairs.get(alg);
    if (pair === undefined) throw new Error(`no pair for ${alg}`);
    return pair;
  };
  const outcome = (result: Result<Principal>) => (result.ok ? result.value.name : result.error.reason);

  beforeAll(async () => {
    database = await openTestDatabase('sqlite');
    tenancy = createTenancy({
      store: database.store,
      ...digest,
      token: createTokenPort(),
      sign: platformSign,
      publicUrl: `${PUBLIC_URL}/`,
      bootstrapTokenHash: digest.sha256('boot'),
    });
    const boot = await tenancy.signIn('boot', undefined, NOW);
    if (!boot.ok) throw new Error(boot.error.reason);
    owner = boot.value;
    for (const domain of ['a.test', 'b.test']) await tenancy.tenant.create(await call(''), { domain });
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      pairs.set(alg, await generateKeyPair(alg, { extractable: true }));
      await register('a.test', alg, `key-${alg}`, pairOf(alg));
    }
  });
  afterAll(() => database.close());

  test.each(['RS256', 'ES256', 'EdDSA'] as const)('%s by its registered key', async (alg) => {
    const token = await sign(pairOf(alg), alg, `key-${alg}`);
    expect(await tenancy.signIn(token, 'a.test', NOW)).toMatchObject({
      ok: true,
      value: {
        name: `key:key-${alg}`,
        platformOwner: false,
        tenant: { domain: 'a.test' },
        role: 'admin',
        scopes: null,
      },
    });
  });

  test('`Ed25519` is the same algorithm by its newer name (RFC 9864)', async () => {
    const token = await sign(pairOf('EdDSA'), 'Ed25519', 'key-EdDSA');
    expect(outcome(await tenancy.signIn(token, 'a.test', NOW))).toBe('key:key-EdDSA');
  });

  test('the key of another tenant is recognised as what it is', async () => {
    const token = await sign(pairOf('ES256'), 'ES256', 'key-ES256');
    expect(await tenancy.signIn(token, 'b.test', NOW)).toMatchObject({
      ok: true,
      value: { tenant: { domain: 'a.test' } },
    });
  });

  test('two tenants may use the same kid', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    await register('b.test', 'ES256', 'key-ES256', other);
    const mine = await tenancy.signIn(await sign(pairOf('ES256'), 'ES256', 'key-ES256'), 'a.test', NOW);
    const theirs = await tenancy.signIn(await sign(other, 'ES256', 'key-ES256'), 'b.test', NOW);
    const crossed = await tenancy.signIn(await sign(other, 'ES256', 'key-ES256'), 'a.test', NOW);
    expect([mine, theirs, crossed].map((result) => result.ok && result.value.tenant?.domain)).toEqual([
      'a.test',
      'b.test',
      'b.test',
    ]);
  });

  const claims: readonly (readonly [string, JWTPayload, RegExp])[] = [
    ['expired', { exp: NOW_S - 61 }, /expired/],
    ['a life beyond 24 h', { exp: NOW_S + 86_400 + 61 }, /24 h/],
    ['from the future', { iat: NOW_S + 61 }, /future/],
    ['for another audience', { aud: 'https://elsewhere.test' }, /audience/],
    ['for several others', { aud: ['https://x.test', 'https://y.test'] }, /audience/],
    ['an unknown scope', { scope: 'everything' }, /scope/],
    ['without sub', { sub: undefined as never }, /sub/],
    ['with an empty sub', { sub: '' }, /sub/],
    ['without exp', { exp: undefined as never }, /exp/],
    ['without iat', { iat: undefined as never }, /iat/],
    ['not yet valid', { nbf: NOW_S + 61 }, /nbf/],
  ];
  test.each(claims)('%s: refused', async (_name, wrong, reason) => {
    const result = await tenancy.signIn(
      await sign(pairOf('ES256'), 'ES256', 'key-ES256', wrong),
      'a.test',
      NOW,
    );
    expect(result).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(outcome(result)).toMatch(reason);
  });

  const fine: readonly (readonly [string, JWTPayload])[] = [
    ['this deployment, with or without slash', { aud: PUBLIC_URL }],
    ['this deployment among others', { aud: ['https://x.test', `${PUBLIC_URL}/`] }],
    ['expired within the tolerance', { exp: NOW_S - 59 }],
    ['a life of 24 h', { exp: NOW_S + 86_400 }],
  ];
  test.each(fine)('%s: accepted', async (_name, right) => {
    const token = await sign(pairOf('ES256'), 'ES256', 'key-ES256', right);
    expect(outcome(await tenancy.signIn(token, 'a.test', NOW))).toBe('key:key-ES256');
  });

  test('a token narrows its key, and never widens it', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    await register('a.test', 'EdDSA', 'narrow', pair, 'provisioning read');
    const scopesWith = async (scope: string | undefined) => {
      const result = await tenancy.signIn(
        await sign(pair, 'EdDSA', 'narrow', scope === undefined ? {} : { scope }),
        'a.test',
        NOW,
      );
      return result.ok && result.value.scopes;
    };
    expect(await scopesWith(undefined)).toEqual(['provisioning', 'read']);
    expect(await scopesWith('read runtime')).toEqual(['read']);
    expect(await scopesWith('runtime')).toEqual([]);
  });

  describe('algorithm confusion', () => {
    test('HS256 signed with the public key as secret', async () => {
      for (const alg of ['RS256', 'ES256'] as const) {
        const secret = new TextEncoder().encode(await exportSPKI(pairOf(alg).publicKey));
        const token = await new SignJWT({ sub: 'x', iat: NOW_S, exp: NOW_S + 60 })
          .setProtectedHeader({ alg: 'HS256', kid: `key-${alg}` })
          .sign(secret);
        expect(outcome(await tenancy.signIn(token, 'a.test', NOW))).toMatch(/algorithm/);
      }
    });

    test('another algorithm of the same family', async () => {
      const { privateKey } = pairOf('RS256');
      const jwk = await exportJWK(privateKey);
      const { importJWK } = await import('jose');
      const token = await new SignJWT({ sub: 'x', iat: NOW_S, exp: NOW_S + 60 })
        .setProtectedHeader({ alg: 'PS256', kid: 'key-RS256' })
        .sign(await importJWK(jwk, 'PS256'));
      expect(outcome(await tenancy.signIn(token, 'a.test', NOW))).toMatch(/algorithm/);
    });

    test('none, a stripped signature, and a key brought along', async () => {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const payload = part({ sub: 'x', iat: NOW_S, exp: NOW_S + 60 });
      const stranger = await generateKeyPair('ES256', { extractable: true });
      const brought = await new SignJWT({ sub: 'x', iat: NOW_S, exp: NOW_S + 60 })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-ES256', jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey);
      const good = await sign(pairOf('ES256'), 'ES256', 'key-ES256');
      for (const token of [
        `${part({ alg: 'none', kid: 'key-ES256' })}.${payload}.`,
        `${good.split('.').slice(0, 2).join('.')}.`,
        `${good.slice(0, -4)}AAAA`,
        brought,
        await sign(stranger, 'ES256', 'key-ES256'),
        await sign(stranger, 'ES256', 'nobody'),
        await sign(pairOf('ES256'), 'ES256', undefined),
      ])
        expect(await tenancy.signIn(token, 'a.test', NOW)).toMatchObject({
          ok: false,
          error: { code: 'unauthorized' },
        });
    });
  });

  describe('registering a key', () => {
    test('a JWK keeps its public members only, and gets its thumbprint as kid', async () => {
      const { publicKey } = await generateKeyPair('EdDSA', { extractable: true });
      const jwk = { ...(await exportJWK(publicKey)), use: 'sig', x5u: 'https://evil.test' };
      const made = await tenancy.apiKey.register(await call('a.test'), owner, {
        alg: 'EdDSA',
        publicKey: JSON.parse(JSON.stringify(jwk)) as Record<string, string>,
      });
      expect(made).toMatchObject({
        ok: true,
        value: { kid: expect.stringMatching(/^[\w-]{43}$/) as string },
      });
      const { items } = await tenancy.apiKey.list((await call('a.test')).tenant, '', 100);
      const shown = items.find((key) => made.ok && key.kid === made.value.kid);
      expect(Object.keys(shown?.publicKey as object).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
        'crv',
        'kty',
        'x',
      ]);
    });

    const wrong: readonly (readonly [
      string,
      () => Promise<{ alg: KeyAlgorithm; publicKey: string | Record<string, string> }>,
    ])[] = [
      [
        'a private key',
        async () => {
          const { privateKey } = await generateKeyPair('ES256', { extractable: true });
          return { alg: 'ES256', publicKey: (await exportJWK(privateKey)) as Record<string, string> };
        },
      ],
      [
        'a private PEM',
        async () => ({
          alg: 'ES256',
          publicKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
        }),
      ],
      ['a shared secret', async () => ({ alg: 'ES256', publicKey: { kty: 'oct', k: 'AAAA' } })],
      [
        'a key of another algorithm',
        async () => ({ alg: 'EdDSA', publicKey: await exportSPKI(pairOf('ES256').publicKey) }),
      ],
      [
        'RSA of 1024 bits',
        async () => {
          const { generateKeyPairSync } = await import('node:crypto');
          const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
          return { alg: 'RS256', publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
        },
      ],
      ['text', async () => ({ alg: 'RS256', publicKey: 'hello' })],
      ['half a key', async () => ({ alg: 'ES256', publicKey: { kty: 'EC', crv: 'P-256', x: 'AAAA' } })],
    ];
    test.each(wrong)('%s is refused', async (_name, request) => {
      const result = await tenancy.apiKey.register(await call('a.test'), owner, await request());
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid', path: '/publicKey' } });
    });

    test('a kid is unique in its tenant, and free again after deletion, which acts at once', async () => {
      const first = await generateKeyPair('ES256', { extractable: true });
      const second = await generateKeyPair('ES256', { extractable: true });
      await register('a.test', 'ES256', 'again', first);
      expect(await register('a.test', 'ES256', 'again', second)).toMatchObject({
        ok: false,
        error: { code: 'conflict' },
      });
      const token = await sign(first, 'ES256', 'again');
      expect((await tenancy.signIn(token, 'a.test', NOW)).ok).toBe(true);
      await tenancy.apiKey.remove(await call('a.test'), owner, 'again');
      expect((await tenancy.signIn(token, 'a.test', NOW)).ok).toBe(false);
      await register('a.test', 'ES256', 'again', second);
      expect((await tenancy.signIn(token, 'a.test', NOW)).ok).toBe(false);
      expect((await tenancy.signIn(await sign(second, 'ES256', 'again'), 'a.test', NOW)).ok).toBe(true);
    });
  });
});
