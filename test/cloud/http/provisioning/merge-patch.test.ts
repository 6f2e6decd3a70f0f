import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

let api: TestApi;
let token: string;
beforeEach(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const BRIDGES = '/provisioning/alarmbridge/a.test';
const DEVICE = '/provisioning/device/a.test/unit-1';

const patch = (path: string, body: unknown, headers: Record<string, string> = MERGE) =>
  ask(api, 'PATCH', path, { token, body, headers });

async function bridge(): Promise<string> {
  const made = await ask(api, 'POST', BRIDGES, {
    token,
    body: {
      name: 'north',
      description: 'first',
      protocol: 'scaip',
      destinationMatch: '^north$',
      callbackBaseUrl: 'https://app.example',
      restAuthentication: [{ type: 'HS256', secret: 'a secret of some length, thirty-two' }],
    },
  });
  expect(made.status).toBe(200);
  return `${BRIDGES}/${made.body.id}`;
}
const shown = async (path: string) => {
  const { body } = await ask(api, 'GET', path, { token });
  return (body.alarmbridge ?? body) as Record<string, unknown>;
};

it('members replace those of the resource, null removes one, and all others stay, secrets too', async () => {
  const path = await bridge();
  const before = await shown(path);
  expect((await patch(path, { name: 'south', description: null })).status).toBe(200);
  const { description: _, ...rest } = before;
  expect(await shown(path)).toEqual({ ...rest, name: 'south' });
});

it('an object inside is merged, a list is replaced', async () => {
  const device = { deviceId: 'unit-1', authType: 'disabled', srtp: 'never', deviceType: 'alarmUnit' };
  const serviceData = { alarmBridge: { heartbeatInterval: 300_000, voiceDestination: '+4685551' } };
  const put = await ask(api, 'PUT', '/provisioning/device/a.test', {
    token,
    body: { ...device, serviceData },
  });
  expect(put.status).toBe(200);
  const change = { serviceData: { alarmBridge: { voiceDestination: null, heartbeatInterval: 600_000 } } };
  expect((await patch(DEVICE, change)).status).toBe(200);
  expect(await shown(DEVICE)).toMatchObject({ serviceData: { alarmBridge: { heartbeatInterval: 600_000 } } });
  expect(JSON.stringify(await shown(DEVICE))).not.toContain('voiceDestination');
});

it('application/json takes both forms by their shape', async () => {
  const path = await bridge();
  const plain = { 'Content-Type': 'application/json' };
  expect((await patch(path, { name: 'east' }, plain)).status).toBe(200);
  expect((await patch(path, [{ op: 'replace', path: '/name', value: 'west' }], plain)).status).toBe(200);
  expect(await shown(path)).toMatchObject({ name: 'west' });
});

it.each([
  ['a list as a merge patch', MERGE, [{ op: 'remove', path: '/name' }], 'is an object'],
  [
    'an object as a JSON patch',
    { 'Content-Type': 'application/json-patch+json' },
    { name: 'x' },
    'is a list',
  ],
  ['a field that is not there', MERGE, { colour: 'red' }, '/colour'],
  ['a mandatory field that is removed', MERGE, { name: null }, '/name'],
  ['the name of a prototype', MERGE, { name: 'x', a: { constructor: 1 } }, 'prototype'],
])('%s is refused, and nothing changes', async (_, headers, body, says) => {
  const path = await bridge();
  const before = await shown(path);
  const refused = await patch(path, body, headers);
  expect(refused.status).toBe(400);
  expect(String(refused.body.reason)).toContain(says);
  expect(await shown(path)).toEqual(before);
});

it('an entity tag of before is refused', async () => {
  const path = await bridge();
  const first = await api.app.request(path, { headers: { authorization: `Bearer ${token}` } });
  const etag = String(first.headers.get('etag'));
  expect((await patch(path, { name: 'south' }, { ...MERGE, 'if-match': etag })).status).toBe(200);
  expect((await patch(path, { name: 'east' }, { ...MERGE, 'if-match': etag })).status).toBe(412);
});
