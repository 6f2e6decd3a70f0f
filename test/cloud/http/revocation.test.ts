import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, tenantByDomain } from '#cloud/store/index.ts';
import { type Answer, ask, makeTenant, openApi, type TestApi } from './api.ts';

const REVOKE = '/provisioning/apikey/a.test/revocation';

describe('signed tokens that are refused although their key stands', () => {
  let api: TestApi;
  let token: string;
  let sign: (claims?: JWTPayload) => Promise<string>;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    const pair = await generateKeyPair('ES256', { extractable: true });
    for (const domain of ['a.test', 'b.test'])
      await ask(api, 'POST', `/provisioning/apikey/${domain}`, {
        body: { alg: 'ES256', kid: 'k', publicKey: await exportSPKI(pair.publicKey) },
      });
    sign = (claims = {}) => {
      const iat = Math.floor(api.clock.now / 1000);
      return new SignJWT({ sub: 'robot', iat, exp: iat + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(pair.privateKey);
    };
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const reads = (bearer: string, domain = 'a.test'): Promise<Answer> =>
    ask(api, 'GET', `/provisioning/device/${domain}`, { token: bearer });
  const revoke = (body: object) => ask(api, 'POST', REVOKE, { token, body });

  test('by jti: at once, for that token, in that tenant', async () => {
    const [bad, good] = await Promise.all([sign({ jti: 'bad' }), sign({ jti: 'good' })]);
    expect((await reads(bad)).status).toBe(200);
    expect((await revoke({ jti: 'bad' })).body).toEqual({ success: true });
    expect(await reads(bad)).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' }, reason: expect.stringContaining('revoked') as string },
    });
    expect((await reads(good)).status).toBe(200);
    expect((await reads(await sign())).status).toBe(200);
    expect((await reads(bad, 'b.test')).status).toBe(200);
  });

  test('by the moment it was issued: everything before it, nothing after', async () => {
    const before = await sign();
    const cut = api.clock.now + 1_000;
    expect((await revoke({ notBefore: cut })).status).toBe(200);
    expect(await reads(before)).toMatchObject({ status: 401 });
    api.clock.now = cut;
    expect((await reads(await sign())).status).toBe(200);
    // Opaque tokens have no moment of their own; they are deleted one by one.
    expect((await reads(token)).status).toBe(200);
    await revoke({ notBefore: 0 });
    expect((await reads(before)).status).toBe(200);
  });

  test('sites hear of both, and of a revocation that is over', async () => {
    const { store } = api.database;
    const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
    const entities = async (entity: string) =>
      (await changesSince(store, 'tenant', tenant, 0, 1000)).filter((change) => change.entity === entity);
    expect((await entities('tenant')).at(-2)?.body).toMatchObject({
      domain: 'a.test',
      notBefore: api.clock.now,
    });
    expect(await entities('revocation')).toMatchObject([{ op: 'put', id: 'bad', body: { jti: 'bad' } }]);
    api.clock.now += 25 * 3_600_000;
    await revoke({ jti: 'next' });
    expect((await entities('revocation')).map(({ op, id }) => [op, id])).toEqual([
      ['put', 'bad'],
      ['delete', 'bad'],
      ['put', 'next'],
    ]);
  });

  test('are refused with neither or both', async () => {
    for (const body of [
      {},
      { jti: 'x', notBefore: 1 },
      { notBefore: 1, expiresAt: 2 },
      { jti: '' },
      { kid: 'k' },
    ])
      expect(await revoke(body)).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
  });
});
