import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAfter, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { changesMade } from '../store/database.ts';
import { type Answer, ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';
import { SAMPLES, SECRET } from './resource-sample.ts';

type Whole = Record<string, Record<string, unknown>[]> & { notificationsettings: Record<string, unknown> };

const DOMAIN = 'a.test';
const path = `/provisioning/configuration/${DOMAIN}`;
const KINDS = SAMPLES.map(({ member }) => `${member}s`);
const SETTINGS = {
  alarmEventsRestEndpoint: 'https://arc.example/a',
  restAuthentication: [{ secret: SECRET, type: 'HS256' }],
};

let api: TestApi;
let token: string;
let tenant: string;
/** One of each kind, two devices with secrets. */
let whole: Whole;

beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
  for (const { base, body } of SAMPLES)
    expect(await send('POST', `${base}/${DOMAIN}`, body)).toMatchObject({ status: 200 });
  const devices = `/provisioning/device/${DOMAIN}`;
  await send('PUT', devices, { ...DEVICE, deviceId: 'd-1', authType: 'credentials' });
  await send('PUT', devices, { ...DEVICE, deviceId: 'd-2', authType: 'userid', password: SECRET });
  await send('PUT', `/provisioning/notificationsettings/${DOMAIN}`, SETTINGS);
  whole = await read();
});
afterAll(() => api.close());

const send = (
  method: string,
  to: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> => ask(api, method, to, { token, body, ...(headers === undefined ? {} : { headers }) });
const read = async () => (await send('GET', path)).body.configuration as Whole;
const revision = () => currentRevision(api.database.store, 'tenant', tenant);
const changes = (since: number) => changesMade(api.database.store, 'tenant', tenant, since, 1000);
const refused = (at: string, code = 'invalid') => ({
  status: 400,
  body: { success: false, error: { code, path: at } },
});

test('GET shows every kind and no secret', () => {
  expect(Object.keys(whole).toSorted()).toEqual([...KINDS, 'devices', 'notificationsettings'].toSorted());
  for (const kind of KINDS) expect(whole[kind]).toHaveLength(1);
  expect(whole.devices).toHaveLength(2);
  expect(JSON.stringify(whole)).not.toMatch(/do-not-show|argon2|abababab/);
});

test('PUT of what GET gave changes nothing at all', async () => {
  const before = await revision();
  for (const body of [whole, { configuration: whole, success: true }]) {
    const answer = await send('PUT', path, body);
    expect(answer).toMatchObject({ status: 200, body: { success: true, id: DOMAIN } });
  }
  expect(await revision()).toBe(before);
});

test('changed, deleted and added objects come back as they were, secrets too, as one revision', async () => {
  const secrets = async () =>
    new Map(
      (await changes(0)).filter(({ op }) => op === 'put').map((row) => [`${row.entity} ${row.id}`, row.body]),
    );
  const atFirst = await secrets();
  const bridge = String(whole.alarmbridges?.[0]?.id);
  const trunk = String(whole.trunks?.[0]?.id);
  await send('PATCH', `/provisioning/alarmbridge/${DOMAIN}/${bridge}`, [
    { op: 'replace', path: '/name', value: 'x' },
  ]);
  await send('POST', `/provisioning/alarmbridge/${DOMAIN}`, { ...BRIDGE, name: 'later' });
  await send('PATCH', `/provisioning/trunk/${DOMAIN}/${trunk}`, [
    { op: 'replace', path: '/name', value: 'x' },
  ]);
  await send('PUT', `/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: 'd-3' });
  await send('PATCH', `/provisioning/device/${DOMAIN}/d-1`, [
    { op: 'add', path: '/description', value: 'x' },
  ]);
  const before = await revision();

  expect((await send('PUT', path, whole)).status).toBe(200);
  expect(await read()).toEqual(whole);
  const rows = await changes(before);
  expect(rows.every(({ rev, massChange }) => rev === before + 1 && massChange)).toBe(true);
  expect(rows.map(({ entity, op }) => `${op} ${entity}`).toSorted()).toEqual([
    'delete alarmbridge',
    'delete device',
    'put alarmbridge',
    'put device',
    'put trunk',
  ]);
  for (const row of rows.filter(({ op }) => op === 'put'))
    expect(row.body).toEqual(atFirst.get(`${row.entity} ${row.id}`));
  const audit = await auditAfter(api.database.store, tenant, 0, 10_000);
  const restored = audit.filter(({ action }) => action === 'restore many');
  expect(restored.map(({ entity }) => entity).toSorted()).toEqual(['alarmbridge', 'device', 'trunk']);
  expect(restored.find(({ entity }) => entity === 'trunk')?.detail).toMatchObject({
    before: { [trunk]: { name: 'x' } },
    after: { [trunk]: { name: 'Carrier', password: '<secret>' } },
  });
  expect(JSON.stringify(audit)).not.toContain(SECRET);
});

test('a kind that is absent stays, an empty one is emptied', async () => {
  const before = await revision();
  expect((await send('PUT', path, { cloudsipuas: [] })).status).toBe(200);
  expect(await changes(before)).toMatchObject([{ entity: 'cloudsipua', op: 'delete', massChange: true }]);
  expect(await read()).toEqual({ ...whole, cloudsipuas: [] });
  // Its secret went with it: the placeholder has nothing to keep.
  expect(await send('PUT', path, whole)).toMatchObject(
    refused('/cloudsipuas/0/restAuthentication/0/secret', 'secretUnknown'),
  );
  const [agent] = whole.cloudsipuas ?? [];
  const restAuthentication = [{ sub: 'carillon', secret: SECRET, type: 'HS256' }];
  expect(
    (await send('PUT', path, { ...whole, cloudsipuas: [{ ...agent, restAuthentication }] })).status,
  ).toBe(200);
  expect(await read()).toEqual(whole);
});

describe('refuses, and changes nothing:', () => {
  const first = (kind: string, more: object) => ({ [kind]: [{ ...whole[kind]?.[0], ...more }] });
  const cases: readonly (readonly [what: string, body: () => object, at: string, code?: string])[] = [
    ['an unknown kind', () => ({ bridges: [] }), '/bridges'],
    ['a typo in a row', () => first('trunks', { nmae: 'x' }), '/trunks/0/nmae'],
    [
      'a row of another form',
      () => first('alarmbridges', { destinationMatch: '(' }),
      '/alarmbridges/0/destinationMatch',
    ],
    ['an id twice', () => ({ trunks: [whole.trunks?.[0], whole.trunks?.[0]] }), '/trunks/1/id'],
    [
      'a name twice',
      () => ({ protocolprofiles: [whole.protocolprofiles?.[0], whole.protocolprofiles?.[0]] }),
      '/protocolprofiles/1/name',
    ],
    ['an id that is none', () => first('trunks', { id: 'a/b' }), '/trunks/0/id'],
    [
      'an unknown mapper',
      () => first('alarmbridges', { alarmEventMapperId: 'nobody' }),
      '/alarmbridges/0/alarmEventMapperId',
    ],
    ['a device twice', () => ({ devices: [DEVICE, DEVICE] }), '/devices/1/deviceId'],
    ['a device of another form', () => ({ devices: [{ ...DEVICE, srtp: 'x' }] }), '/devices/0/srtp'],
    [
      'a password that no person would see',
      () => ({ devices: [{ ...DEVICE, authType: 'credentials' }] }),
      '/devices/0/ha1',
    ],
    [
      'a password that is not set',
      () => ({ devices: [{ ...DEVICE, authType: 'credentials', ha1: '<secret>' }] }),
      '/devices/0/ha1',
      'secretUnknown',
    ],
    [
      'settings of another form',
      () => ({ notificationsettings: { alarmEventsRestEndpoint: 'x' } }),
      '/notificationsettings/alarmEventsRestEndpoint',
    ],
  ];
  test.each(cases.map(([what, body, at, code = 'invalid']) => [what, body, at, code] as const))(
    '%s',
    async (_what, body, at, code) => {
      const before = await revision();
      expect(await send('PUT', path, body())).toMatchObject(refused(at, code));
      expect(await revision()).toBe(before);
    },
  );

  test('a state that was changed since', async () => {
    const etag = (await send('GET', path)).headers.get('ETag') ?? '';
    await send('PUT', `/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: 'd-4' });
    expect((await send('PUT', path, whole, { 'If-Match': etag })).status).toBe(412);
    const now = (await send('GET', path)).headers.get('ETag') ?? '';
    expect((await send('PUT', path, whole, { 'If-Match': now })).status).toBe(200);
  });
});

test('rows without an id are made new', async () => {
  const theirs = await makeTenant(api, 'fresh.test');
  const body = { alarmbridges: [BRIDGE], protocolprofiles: [SAMPLES[4]?.body], devices: [DEVICE] };
  const answer = await ask(api, 'PUT', '/provisioning/configuration/fresh.test', { token: theirs, body });
  expect(answer.status).toBe(200);
  const made = await ask(api, 'GET', '/provisioning/configuration/fresh.test', { token: theirs });
  expect(made.body.configuration).toMatchObject({
    alarmbridges: [{ id: expect.any(String) as string, callbackId: expect.any(String) as string }],
    protocolprofiles: [{ name: 'bs8521-slow' }],
    devices: [{ deviceId: DEVICE.deviceId }],
  });
});

test('nothing here was a defect', () => {
  expect(api.defects).toEqual([]);
});
