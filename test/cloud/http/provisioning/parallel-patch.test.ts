import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from '../api.ts';

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
const send = (method: string, path: string, body?: unknown) => ask(api, method, path, { token, body });

describe('patches of different fields at the same time all hold', () => {
  test('of a device, its password among them', async () => {
    await send('PUT', DEVICES, { deviceId: 'd', authType: 'userid', password: 'first', srtp: 'never' });
    const fields = {
      description: 'a',
      deviceCLI: '+468',
      macAddress: '02005e100001',
      trunkGroupId: 'north',
      deviceType: 'sipDevice',
      srtp: 'always',
      password: 'second',
    };
    const answers = await Promise.all(
      Object.entries(fields).flatMap(([name, value]) =>
        ['x', value]
          .slice(name === 'deviceType' || name === 'srtp' || name === 'macAddress' ? 1 : 0)
          .map((each) => send('PATCH', `${DEVICES}/d`, [{ op: 'add', path: `/${name}`, value: each }])),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await send('GET', `${DEVICES}/d`);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(fields)));
    expect(body).toMatchObject({ deviceType: 'sipDevice', srtp: 'always', macAddress: '02005e100001' });
  });

  test('of an alarm bridge', async () => {
    const { id } = (await send('POST', BRIDGES, BRIDGE)).body;
    const values = Array.from({ length: 24 }, (_, n) => 10_000 + n);
    const names = ['callbackTimeout', 'dataRequestInterval', 'order'];
    const answers = await Promise.all(
      values.map((value, n) =>
        send('PATCH', `${BRIDGES}/${id}`, [{ op: 'add', path: `/${names[n % names.length]}`, value }]),
      ),
    );
    expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(values.map(() => 200));
  });
});

test('If-Match still lets the first one win', async () => {
  await send('PUT', DEVICES, { deviceId: 'm', authType: 'disabled', srtp: 'never' });
  const tag = (await send('GET', `${DEVICES}/m`)).headers.get('ETag') ?? '';
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((value) =>
      ask(api, 'PATCH', `${DEVICES}/m`, {
        token,
        body: [{ op: 'add', path: '/description', value }],
        headers: { 'If-Match': tag },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
});

test('a test operation meets the device as it is', async () => {
  await send('PUT', DEVICES, { deviceId: 't', authType: 'disabled', srtp: 'never', description: '0' });
  const count = (from: number) =>
    send('PATCH', `${DEVICES}/t`, [
      { op: 'test', path: '/description', value: String(from) },
      { op: 'replace', path: '/description', value: String(from + 1) },
    ]);
  const answers = await Promise.all([count(0), count(0), count(0)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});
