import { getTableName, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  insertAlarm,
  insertHost,
  insertRelay,
  insertSiteEvents,
  setLaneSeq,
  tenantByDomain,
} from '#cloud/store/index.ts';
import { cachedSignIn } from '#cloud/tenant/credential/sign-in-cache.ts';
import { fail, ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, makeTenant, OWNER_TOKEN, openApi } from '../http/api.ts';

const principal = {
  name: 'token:a',
  platformOwner: false,
  tenant: null,
  role: 'admin',
  scopes: null,
} as const;

test('a good sign-in is believed for a second, while no write changed who may come in', async () => {
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

test('a sign-in that was read during a write is asked again', async () => {
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

test('reports of hosts let what is known of tokens stand, however often they come', async () => {
  const api = await openApi();
  const { store } = api.database;
  await makeTenant(api, 'a.test');
  const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  const place = { tenant, siteId: 'north', uid: 'u' };
  const host = {
    ...HOST_ROW,
    ...place,
    hostId: 'gw',
    sh: '00',
    lifecycle: 'active',
    lifecycleSince: 0,
  } as const;
  await store.withTx((tx) => insertHost(tx, { ...host, createdAt: 0 }));
  const before = store.accessEpoch();
  await store.withTx(async (tx) => {
    const at = { at: 1, receivedAt: 1, late: false, body: {} };
    await insertSiteEvents(tx, [
      { ...place, ...at, id: 'e', lane: 'alarm', seq: 1, boot: 1, epoch: 1, type: 'x' },
    ]);
    await setLaneSeq(tx, 'u', 'alarm', 1);
    const times = { raisedAt: 1, clearedAt: null, acknowledgedAt: null, toldAt: 1 };
    const alarm = { error: 'lowMemory', service: '', status: 'active', details: {} } as const;
    await insertAlarm(tx, { ...place, ...times, ...alarm, id: 'a' });
    const tries = { notBefore: 1, deadline: 2, attempts: 0, refusals: 0, lastError: null };
    await insertRelay(tx, { tenant, id: 'r', body: {}, state: 'waiting', createdAt: 1, ...tries });
  });
  expect(store.accessEpoch()).toBe(before);
  await api.close();
});

test('a write to any table that a sign-in reads makes it asked again', async () => {
  const api = await openApi();
  const { store } = api.database;
  const { apiKey, apiToken, tenant, person, membership, personSession, revokedToken } = store.tables;
  for (const table of [apiKey, apiToken, tenant, person, membership, personSession, revokedToken]) {
    const before = store.accessEpoch();
    await store.withTx(async (tx) => void (await tx.db.delete(table).where(sql`1 = 0`)));
    expect(store.accessEpoch(), getTableName(table)).toBeGreaterThan(before);
  }
  await api.close();
});
