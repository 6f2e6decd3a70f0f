import { expect, test } from 'vitest';
import { cachedSignIn } from '#cloud/tenant/sign-in-cache.ts';
import { fail, ok } from '#shared/result.ts';
import { ask, makeTenant, OWNER_TOKEN, openApi } from '../http/api.ts';

const principal = {
  name: 'token:a',
  platformOwner: false,
  tenant: null,
  role: 'admin',
  scopes: null,
} as const;

test('a good sign-in is believed for a second, while nobody changed who may come in', async () => {
  let asked = 0;
  let epoch = 1;
  const signIn = cachedSignIn(
    async (token) => {
      asked += 1;
      return token === 'good' ? ok(principal) : fail('unauthorized', 'no');
    },
    { accessEpoch: () => epoch },
  );
  await signIn('good', 'a.test', 0);
  await signIn('good', 'a.test', 999);
  expect(asked).toBe(1);
  await signIn('good', 'b.test', 999);
  expect(asked).toBe(2);
  await signIn('good', 'a.test', 1_000);
  expect(asked).toBe(3);
  epoch = 2;
  await signIn('good', 'a.test', 1_001);
  expect(asked).toBe(4);
  await signIn('bad', 'a.test', 0);
  await signIn('bad', 'a.test', 0);
  expect(asked).toBe(6);
});

test('what was read while somebody wrote is asked again', async () => {
  let epoch = 1;
  let asked = 0;
  const signIn = cachedSignIn(
    async () => {
      asked += 1;
      epoch += asked === 1 ? 1 : 0;
      return ok(principal);
    },
    { accessEpoch: () => epoch },
  );
  for (let i = 0; i < 3; i++) await signIn('good', undefined, 0);
  expect(asked).toBe(2);
});

test('revoking a token, and a tenant that goes, act on the very next request', async () => {
  const api = await openApi();
  const token = await makeTenant(api, 'a.test');
  const list = () => ask(api, 'GET', '/provisioning/apitoken/a.test', { token });
  const before = await list();
  expect(before.status).toBe(200);
  const [{ id }] = before.body.apitokens as [{ id: string }];
  await ask(api, 'DELETE', `/provisioning/apitoken/a.test/${id}`, { token: OWNER_TOKEN });
  expect((await list()).status).toBe(401);
  const other = await makeTenant(api, 'b.test');
  const read = () => ask(api, 'GET', '/provisioning/device/b.test', { token: other });
  expect((await read()).status).toBe(200);
  await ask(api, 'DELETE', '/platform/tenant/b.test', { token: OWNER_TOKEN });
  expect((await read()).status).toBe(401);
  await api.close();
});

test('writing devices lets what is known of tokens stand, and a new token does not', async () => {
  const api = await openApi();
  const token = await makeTenant(api, 'a.test');
  const { store } = api.database;
  const before = store.accessEpoch();
  const device = { deviceId: 'd', authType: 'deviceid', srtp: 'never' };
  expect((await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: device })).status).toBe(200);
  expect(store.accessEpoch()).toBe(before);
  await ask(api, 'POST', '/provisioning/apitoken/a.test', { token, body: {} });
  expect(store.accessEpoch()).toBeGreaterThan(before);
  await api.close();
});
