import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { bearerCrypto } from '#appliance/io/site-listener/index.ts';
import { type AccessPorts, admit } from '#appliance/operation/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';

const NOW = Date.UTC(2030, 0, 1);
const NOW_S = NOW / 1000;
const DOMAIN = 'care.example';
const CLOUD = 'https://cloud.example';
const SITE = 'https://north.care.example';

const crypto = bearerCrypto();
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const;
type Alg = keyof typeof pairs;

let tenant: TenantModel;
let ports: AccessPorts;
beforeEach(() => {
  tenant = new TenantModel(DOMAIN);
  tenant.put('platform', 'platform', { id: 'platform', publicUrl: CLOUD });
  for (const alg of Object.keys(pairs) as Alg[]) register(alg);
  ports = { domain: DOMAIN, access: tenant.access, siteBaseUrl: SITE, crypto };
});

function register(alg: Alg, kid: string = alg, scope?: string): void {
  const publicKey = pairs[alg].publicKey.export({ format: 'jwk' }) as Record<string, string>;
  tenant.put('apikey', kid, { kid, alg, publicKey, ...(scope === undefined ? {} : { scope }) });
}

/** Makes `text` a token the replica knows. */
function opaque(
  text: string,
  more: { scope?: string; expiresAt?: number; role?: 'operator' | 'viewer' } = {},
) {
  const row = { id: `id-${text}`, hash: crypto.sha256Hex(text), role: more.role ?? ('operator' as const) };
  tenant.put('apitoken', row.id, { ...row, ...more, role: row.role });
  return text;
}

const signed = (
  alg: Alg,
  claims: JWTPayload = {},
  header: { kid?: string; alg?: string } = {},
  key?: KeyObject,
) =>
  new SignJWT({ sub: 'robot', iat: NOW_S, exp: NOW_S + 600, ...claims })
    .setProtectedHeader({ alg, kid: alg, ...header })
    .sign(key ?? pairs[alg].privateKey);

const enter = (token: string, domain = DOMAIN, nowMs = NOW) => admit(ports, `Bearer ${token}`, domain, nowMs);

async function refusal(token: string, domain?: string, nowMs?: number): Promise<readonly [string, string]> {
  const answer = await enter(token, domain, nowMs);
  if (answer.ok) throw new Error(`it was let in as ${answer.value.name}`);
  return [answer.error.code, answer.error.reason];
}

describe('a JWT of a registered key', () => {
  it.each(Object.keys(pairs) as Alg[])('opens the site: %s', async (alg) => {
    expect(await enter(await signed(alg))).toEqual({
      ok: true,
      value: { name: `key:${alg}`, role: 'admin', scopes: null },
    });
  });

  it('is refused with another key, another algorithm, or none', async () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    expect(await refusal(await signed('EdDSA', {}, {}, stranger))).toEqual([
      'unauthorized',
      'The token is refused: its signature does not match the registered key. Sign with the private key of that key.',
    ]);
    expect(await refusal(await signed('EdDSA', {}, { kid: 'ES256' }))).toEqual([
      'unauthorized',
      'The token is refused: its algorithm differs from that of the registered key. Sign with the registered algorithm.',
    ]);
    expect((await refusal(await signed('EdDSA', {}, { kid: 'nobody' })))[1]).toMatch(/no key with this kid/);
    const none = `${Buffer.from('{"alg":"none","kid":"EdDSA"}').toString('base64url')}.e30.`;
    expect((await refusal(none))[0]).toBe('unauthorized');
    // The public key as a shared secret: the oldest confusion of algorithms.
    const secret = Buffer.from(pairs.RS256.publicKey.export({ format: 'pem', type: 'spki' }));
    const confused = await new SignJWT({ sub: 'robot', iat: NOW_S, exp: NOW_S + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(secret);
    expect((await refusal(confused))[0]).toBe('unauthorized');
    for (const text of ['a.b.c', '..', `${'x'.repeat(9_000)}.b.c`])
      expect((await refusal(text))[1]).toMatch(/not a JWT with a kid/);
  });

  it('is refused without sub, iat or exp, and outside its time but for 60 s', async () => {
    for (const claim of ['sub', 'iat', 'exp'])
      expect((await refusal(await signed('EdDSA', { [claim]: undefined })))[1]).toBe(
        `The token is refused: its claim ${claim} is missing or wrong. Sign a new one.`,
      );
    expect((await refusal(await signed('EdDSA', { sub: '' })))[1]).toBe('The token has no sub.');
    const token = await signed('EdDSA');
    expect((await enter(token, DOMAIN, NOW + 659_000)).ok).toBe(true);
    expect(await refusal(token, DOMAIN, NOW + 660_000)).toEqual([
      'unauthorized',
      'The token is refused: it has expired. Sign a new one.',
    ]);
    expect((await enter(await signed('EdDSA', { iat: NOW_S + 60 }))).ok).toBe(true);
    expect((await refusal(await signed('EdDSA', { iat: NOW_S + 61 })))[1]).toMatch(/from the future/);
    expect((await enter(await signed('EdDSA', { exp: NOW_S + 86_460 }))).ok).toBe(true);
    expect((await refusal(await signed('EdDSA', { exp: NOW_S + 86_461 })))[1]).toMatch(/longer than 24 h/);
  });

  it('names this deployment, the cloud or the site, or none', async () => {
    for (const aud of [CLOUD, `${CLOUD}/`, SITE, ['https://other.example', SITE]])
      expect((await enter(await signed('EdDSA', { aud }))).ok).toBe(true);
    expect((await refusal(await signed('EdDSA', { aud: 'https://other.example' })))[1]).toBe(
      'The token is for another audience.',
    );
  });

  it('is refused when it was revoked, was made before the cut, or its key is deleted', async () => {
    const token = await signed('EdDSA', { jti: 'one' });
    expect((await enter(token)).ok).toBe(true);
    tenant.put('revocation', 'one', { jti: 'one', expiresAt: NOW + 1 });
    expect((await refusal(token))[1]).toBe('The token is refused: it was revoked. Sign a new one.');
    tenant.remove('revocation', 'one');
    tenant.put('tenant', DOMAIN, { domain: DOMAIN, notBefore: NOW + 1_000 });
    expect((await refusal(token))[1]).toBe('Tokens of that time are no longer accepted.');
    tenant.put('tenant', DOMAIN, { domain: DOMAIN });
    expect((await enter(token)).ok).toBe(true);
    tenant.remove('apikey', 'EdDSA');
    expect((await refusal(token))[0]).toBe('unauthorized');
  });

  it('needs the scope runtime, of its key and of its own', async () => {
    const forbidden = [
      'forbidden',
      'Access is refused: the token lacks the scope runtime. Use a token that has it.',
    ];
    expect((await enter(await signed('EdDSA', { scope: 'site runtime' }))).ok).toBe(true);
    expect(await refusal(await signed('EdDSA', { scope: 'read provisioning' }))).toEqual(forbidden);
    expect((await refusal(await signed('EdDSA', { scope: 'everything' })))[0]).toBe('unauthorized');
    register('EdDSA', 'EdDSA', 'provisioning');
    expect(await refusal(await signed('EdDSA', { scope: 'runtime' }))).toEqual(forbidden);
    register('EdDSA', 'EdDSA', 'provisioning runtime');
    expect((await enter(await signed('EdDSA'))).ok).toBe(true);
  });

  it('does not open another tenant', async () => {
    expect((await refusal(await signed('EdDSA'), 'other.example'))[0]).toBe('forbidden');
  });
});

describe('an opaque token', () => {
  it('opens the site while its row is there and its time has not come', async () => {
    const token = opaque('ct_one', { expiresAt: NOW + 1 });
    expect(await enter(token)).toMatchObject({
      ok: true,
      value: { name: 'token:id-ct_one', role: 'operator' },
    });
    expect((await refusal(token, DOMAIN, NOW + 1))[1]).toBe(
      'The token is refused: it has expired. Create a new one.',
    );
    tenant.remove('apitoken', 'id-ct_one');
    expect(await refusal(token)).toEqual([
      'unauthorized',
      'The token is refused: it is unknown or was revoked. Create a new one.',
    ]);
  });

  it('is forgotten by its former hash when its row has another', async () => {
    const token = opaque('ct_one');
    const row = { id: 'id-ct_one', hash: crypto.sha256Hex('ct_two'), role: 'operator' as const };
    tenant.put('apitoken', row.id, row);
    expect((await refusal(token))[0]).toBe('unauthorized');
    expect((await enter('ct_two')).ok).toBe(true);
    tenant.replace([]);
    expect((await refusal('ct_two'))[0]).toBe('unauthorized');
  });

  it('needs role and scope, and opens its own tenant only', async () => {
    expect((await refusal(opaque('ct_viewer', { role: 'viewer' })))[0]).toBe('forbidden');
    expect((await refusal(opaque('ct_reader', { scope: 'read' })))[0]).toBe('forbidden');
    expect((await enter(opaque('ct_runtime', { scope: 'runtime' }))).ok).toBe(true);
    expect((await refusal('ct_runtime', 'other.example'))[0]).toBe('forbidden');
    expect((await refusal('ct_stranger', 'other.example'))[0]).toBe('unauthorized');
  });

  it('must come as Bearer', async () => {
    opaque('ct_one');
    for (const header of [undefined, '', 'ct_one', 'Basic ct_one', 'Bearer ', 'Bearer ct_one ct_two'])
      expect(await admit(ports, header, DOMAIN, NOW)).toMatchObject({
        ok: false,
        error: {
          code: 'unauthorized',
          reason:
            'The request is not authenticated: it carries no token. Send the header Authorization: Bearer <token>.',
        },
      });
    expect((await admit(ports, 'bearer ct_one', DOMAIN, NOW)).ok).toBe(true);
  });
});
