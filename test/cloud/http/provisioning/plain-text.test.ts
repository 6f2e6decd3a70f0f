import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from '../api.ts';

const DOMAIN = 'a.test';
const DEVICES = `/provisioning/device/${DOMAIN}`;
const BRIDGES = `/provisioning/alarmbridge/${DOMAIN}`;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
});
afterAll(() => api.close());
afterEach(() => expect(api.defects.splice(0)).toEqual([]));

const refusedAt = (path: string) => ({
  status: 400,
  body: { success: false, error: { code: 'invalid', path } },
});

describe('NUL is refused', () => {
  test.each([
    ['PUT', DEVICES, { ...DEVICE, description: 'a\0' }, '/description'],
    ['POST', BRIDGES, { ...BRIDGE, name: '\0' }, '/name'],
    [
      'POST',
      BRIDGES,
      { ...BRIDGE, restAuthentication: [{ secret: 'a', type: 'HS256', scope: 'x\0y' }] },
      '/restAuthentication/0/scope',
    ],
    ['POST', BRIDGES, { ...BRIDGE, 'a\0b': 1 }, ''],
    ['POST', '/session', { email: 'a\0@b.example', password: 'x' }, '/email'],
    ['POST', '/session', { email: 'a@b.example', password: 'x\0' }, '/password'],
    ['POST', `/provisioning/user/${DOMAIN}`, { email: 'a\0@b.example', role: 'admin' }, '/email'],
    ['PATCH', `${DEVICES}/x`, [{ op: 'add', path: '/description', value: '\0' }], '/0/value'],
  ])('%s %s with %j', async (method, path, body, place) => {
    expect(await ask(api, method, path, { token, body })).toMatchObject(refusedAt(place));
  });

  test.each([
    `${DEVICES}?filter=a%00`,
    `${DEVICES}/a%00b`,
    `/provisioning/log/${DOMAIN}?traceId=%00`,
    `/provisioning/audit/${DOMAIN}?actor=%00`,
    `/provisioning/user/${DOMAIN}/%00`,
    `/authorize/${DOMAIN}?user=%00`,
    '/provisioning/device/%00.test',
  ])('GET %s', async (path) => {
    const answer = await ask(api, 'GET', path, { token });
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: { code: 'invalid' } } });
    expect(answer.body.reason).toContain('NUL');
  });

  test('in a row of CSV, and the others are taken', async () => {
    const raw = 'deviceId,authType,srtp,description\ncsv-1,deviceid,never,a\0b\ncsv-2,deviceid,never,b\n';
    const headers = { 'Content-Type': 'text/csv' };
    await ask(api, 'PUT', `${DEVICES}/bulk/nul`, { token, raw, headers });
    await expect
      .poll(async () => (await ask(api, 'GET', `${DEVICES}/bulk/nul`, { token })).body)
      .toMatchObject({ status: { status: expect.stringMatching(/COMPLETED|FAILED/) } });
    expect((await ask(api, 'GET', `${DEVICES}/csv-1`, { token })).status).toBe(404);
    expect((await ask(api, 'GET', `${DEVICES}/csv-2`, { token })).status).toBe(200);
  });
});

describe('a body that is not UTF-8 is refused', () => {
  const json = Buffer.from(JSON.stringify({ ...DEVICE, description: 'K?che' }));
  const at = json.indexOf('?');
  test.each([
    ['Latin-1', [0xfc]],
    ['a cut character', [0xf0, 0x9f, 0x98]],
    ['an overlong form', [0xc0, 0x80]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('%s', async (_name, bytes) => {
    const body = Buffer.concat([json.subarray(0, at), Buffer.from(bytes), json.subarray(at + 1)]);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await api.app.request(DEVICES, { method: 'PUT', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'malformed' }, reason: expect.stringContaining('UTF-8') },
    ]);
  });

  test('and one that is keeps every character', async () => {
    const description = 'Küche 😀 \ufffd';
    await ask(api, 'PUT', DEVICES, { token, body: { ...DEVICE, description } });
    expect((await ask(api, 'GET', `${DEVICES}/${DEVICE.deviceId}`, { token })).body.description).toBe(
      description,
    );
  });
});

describe('a device', () => {
  const service = (alarmBridge: object) => ({ serviceData: { alarmBridge } });
  test.each([
    [{ deviceId: '.' }, '/deviceId'],
    [{ deviceId: '..' }, '/deviceId'],
    [{ macAddress: 'zz' }, '/macAddress'],
    [{ macAddress: '02:00:5e:10:00' }, '/macAddress'],
    [{ macAddress: '02:00-5e:10:00:01' }, '/macAddress'],
    [{ deviceCLI: '' }, '/deviceCLI'],
    [{ deviceCLI: ' ' }, '/deviceCLI'],
    [{ trunkGroupId: '' }, '/trunkGroupId'],
    [service({ emergencyDestination: '' }), '/serviceData/alarmBridge/emergencyDestination'],
    [service({ voiceDestination: '' }), '/serviceData/alarmBridge/voiceDestination'],
    [service({ destinationRewrite: '' }), '/serviceData/alarmBridge/destinationRewrite'],
  ])('is refused with %j', async (more, path) => {
    expect(await ask(api, 'PUT', DEVICES, { token, body: { ...DEVICE, ...more } })).toMatchObject(
      refusedAt(path),
    );
  });

  test.each(['02:00:5e:10:00:01', '02-00-5E-10-00-01', '0200.5e10.0001', '02005E100001'])(
    'is taken with the MAC address %s',
    async (macAddress) => {
      expect((await ask(api, 'PUT', DEVICES, { token, body: { ...DEVICE, macAddress } })).status).toBe(200);
    },
  );

  test.each(['...', '.a', '..:1', '~', 'a..'])('%s is stored and found', async (deviceId) => {
    expect((await ask(api, 'PUT', DEVICES, { token, body: { ...DEVICE, deviceId } })).status).toBe(200);
    expect((await ask(api, 'GET', `${DEVICES}/${deviceId}`, { token })).body.deviceId).toBe(deviceId);
  });
});

test('no other id that a caller chooses is a step in a path', async () => {
  const send = (method: string, path: string, body: unknown) => ask(api, method, path, { token, body });
  const rows = { alarmbridges: [{ ...BRIDGE, id: '..' }] };
  expect(await send('PUT', `/provisioning/configuration/${DOMAIN}`, rows)).toMatchObject(
    refusedAt('/alarmbridges/0/id'),
  );
  const publicKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  expect(
    await send('POST', `/provisioning/apikey/${DOMAIN}`, { publicKey, alg: 'EdDSA', kid: '..' }),
  ).toMatchObject(refusedAt('/kid'));
});
