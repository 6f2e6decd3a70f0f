import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
});
afterAll(() => api.close());

const HA1 = '0123456789abcdef0123456789abcdef';
const DC09 = 'feedfacefeedfacefeedfacefeedface';
const put = (path: string, body: unknown) => ask(api, 'PUT', `/provisioning/${path}/a.test`, { token, body });

/** Every row of every table, as the database has it. */
async function everything(): Promise<string> {
  const { store } = api.database;
  const tables = Object.values(store.tables);
  return JSON.stringify(await Promise.all(tables.map(async (table) => await store.db.select().from(table))));
}

test('a secret is found in no table: configuration, changes, audit, idempotency', async () => {
  await ask(api, 'POST', '/provisioning/alarmbridge/a.test', {
    token,
    body: BRIDGE,
    headers: { 'Idempotency-Key': 'k1' },
  });
  await put('device', { ...DEVICE, deviceId: 'sip-1', authType: 'credentials', ha1: HA1 });
  await put('device', { ...DEVICE, deviceId: 'sip-1', authType: 'credentials', ha1: '<secret>' });
  await put('device', { ...DEVICE, serviceData: { alarmBridge: { dc09: { key: DC09 } } } });
  await put('device', { ...DEVICE, deviceId: 'app', authType: 'userid', password: 'planted-password' });
  await put('notificationsettings', {
    alarmEventsRestEndpoint: 'https://arc.example/alarms',
    restAuthentication: [{ sub: 's', type: 'HS256', secret: 'planted-notification' }],
  });
  await ask(api, 'DELETE', '/provisioning/device/a.test/sip-1', { token });
  const found = await everything();
  expect(found).toContain('sip-1');
  for (const secret of [BRIDGE.restAuthentication[0].secret, HA1, DC09, 'planted', '$argon2id'])
    expect(found).not.toContain(secret);
});

test('and no answer shows it again', async () => {
  for (const path of ['alarmbridge', 'device', 'notificationsettings', 'configuration', 'audit']) {
    const answer = await ask(api, 'GET', `/provisioning/${path}/a.test`, { token });
    expect(answer.status).toBe(200);
    const text = JSON.stringify(answer.body);
    expect(text).toContain('<secret>');
    for (const secret of [BRIDGE.restAuthentication[0].secret, HA1, DC09, 'planted', '$argon2id', 'v1:'])
      expect(text).not.toContain(secret);
  }
});
