import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';
import { type Browser, browse, browserOf, makePerson, PASSWORD } from './people.ts';

const PROFILE = '/provisioning/currentuser/profile';
const TENANTS = '/provisioning/currentuser/tenants';

describe('the current user', () => {
  let api: TestApi;
  let ofA: string;
  let ada: Browser;
  beforeAll(async () => {
    api = await openApi();
    ofA = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    ada = await makePerson(api, 'a.test', 'ada@care.example', 'viewer');
    await makePerson(api, 'a.test', 'eve@care.example', 'viewer');
  });
  afterAll(() => api.close());

  const profile = async () => (await browse(api, ada, 'GET', PROFILE)).body.profile;

  test('creates, overwrites and patches the own profile', async () => {
    expect(await profile()).toEqual({ email: 'ada@care.example' });
    const created = { firstName: 'Ada', company: 'Care', authProvider: 'local', termsAgreed: 1_770_000_000 };
    expect((await browse(api, ada, 'POST', PROFILE, { body: created })).body).toEqual({ success: true });
    expect(await profile()).toEqual({ firstName: 'Ada', company: 'Care', email: 'ada@care.example' });
    expect((await browse(api, ada, 'POST', PROFILE, { body: created })).status).toBe(409);
    const put = { firstName: 'Ada', lastName: 'Byron', emailConsent: 1_770_000_000 };
    expect((await browse(api, ada, 'PUT', PROFILE, { body: put })).status).toBe(200);
    expect(await profile()).toEqual({ ...put, email: 'ada@care.example' });
    expect((await browse(api, ada, 'PATCH', PROFILE, { body: { phone: '+46 1' } })).status).toBe(200);
    expect(await profile()).toEqual({ ...put, phone: '+46 1', email: 'ada@care.example' });
    const seen = await profile();
    expect((await browse(api, ada, 'PUT', PROFILE, { body: seen })).status).toBe(200);
    expect(await profile()).toEqual(seen);
  });

  test('the address is the sign-in name: taken ones are refused, a new one signs in', async () => {
    const taken = await browse(api, ada, 'PATCH', PROFILE, { body: { email: 'EVE@care.example' } });
    expect(taken).toMatchObject({ status: 409, body: { error: { path: '/email' } } });
    expect((await browse(api, ada, 'PATCH', PROFILE, { body: { email: 'ada.b@care.example' } })).status).toBe(
      200,
    );
    ada = await browserOf(api, 'ada.b@care.example');
    expect(await browse(api, ada, 'PUT', PROFILE, { body: { nickname: 'x' } })).toMatchObject({
      status: 400,
      body: { error: { path: '/nickname' } },
    });
  });

  test('a token acts for who made it, in the one tenant it opens', async () => {
    expect((await ask(api, 'GET', TENANTS)).body.tenants).toEqual([
      { role: 'owner', domain: 'a.test' },
      { role: 'owner', domain: 'b.test' },
    ]);
    expect((await ask(api, 'GET', TENANTS, { token: ofA })).body.tenants).toEqual([
      { role: 'owner', domain: 'a.test' },
    ]);
    expect((await ask(api, 'PATCH', PROFILE, { token: ofA, body: { company: 'Platform' } })).status).toBe(
      200,
    );
    expect((await ask(api, 'GET', PROFILE)).body.profile).toEqual({ company: 'Platform' });
  });

  test('an API key is no person', async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const body = { alg: 'ES256', kid: 'robot', publicKey: await exportSPKI(pair.publicKey) };
    await ask(api, 'POST', '/provisioning/apikey/a.test', { body });
    const iat = api.clock.now / 1000;
    const token = await new SignJWT({ sub: 'robot', iat, exp: iat + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'robot' })
      .sign(pair.privateKey);
    expect((await ask(api, 'GET', '/provisioning/device/a.test', { token })).status).toBe(200);
    for (const path of [PROFILE, TENANTS])
      expect(await ask(api, 'GET', path, { token })).toMatchObject({
        status: 403,
        body: { reason: expect.stringContaining('does not stand for a person') as string },
      });
    const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', { token, body: {} });
    expect((await ask(api, 'GET', PROFILE, { token: String(made.body.token) })).status).toBe(403);
  });
});

describe('the first owner', () => {
  test('comes by a link that is made once and is good once', async () => {
    const api = await openApi();
    const { tenancy } = api;
    const link = await tenancy.setup.firstLink(api.clock.now);
    expect(await tenancy.setup.firstLink(api.clock.now + 1)).toBeUndefined();
    const path = new URL(link ?? '').pathname;
    const page = await (await api.app.request(path)).text();
    expect(page).toContain('owner of this platform');
    const body = { email: 'root@care.example', password: PASSWORD, firstName: 'Root' };
    expect((await ask(api, 'POST', path, { token: null, body })).status).toBe(200);
    expect((await ask(api, 'POST', path, { token: null, body })).status).toBe(404);
    const root = await browserOf(api, 'root@care.example');
    const made = await browse(api, root, 'POST', '/platform/tenant', { body: { domain: 'a.test' } });
    expect(made.status).toBe(200);
    expect((await browse(api, root, 'GET', '/provisioning/device/a.test')).status).toBe(200);
    // The bootstrap token is the same person.
    expect((await ask(api, 'GET', PROFILE)).body.profile).toEqual({
      email: 'root@care.example',
      firstName: 'Root',
    });
    expect(await tenancy.setup.firstLink(api.clock.now)).toBeUndefined();
    await api.close();
  });

  test('gets a new link when the first has ended unused', async () => {
    const api = await openApi();
    const first = await api.tenancy.setup.firstLink(api.clock.now);
    api.clock.now += 7 * 86_400_000;
    const second = await api.tenancy.setup.firstLink(api.clock.now);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    await api.close();
  });
});
