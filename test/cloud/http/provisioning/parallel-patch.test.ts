import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { SAMPLES } from '../resource-sample.ts';

const DOMAIN = 'a.test';
const DEVICES = `/provisioning/device/${DOMAIN}`;
/** Requests at the same time; so many were refused with 409 once. */
const PARALLEL = 24;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
});
afterAll(() => api.close());
const send = (method: string, path: string, body?: unknown) => ask(api, method, path, { token, body });

describe('patches of different fields at the same time all hold', () => {
  test('at a device, its password among them', async () => {
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

  /** Fields of each kind of resource that 24 requests change at the same time. */
  const FIELDS: Readonly<Record<string, Readonly<Record<string, (n: number) => unknown>>>> = {
    alarmbridge: {
      '/callbackTimeout': (n) => 10_000 + n,
      '/order': (n) => n,
      '/description': (n) => `d${n}`,
      '/callbackName': (n) => `c${n}`,
    },
    alarmeventmapper: {
      '/name': (n) => `Centre ${n}`,
      '/targetEndpoint/destAddr': (n) => `receiver${n}.example:12300`,
      '/targetEndpoint/backupEndpoint/backupDestAddr': (n) => `backup${n}.example:12300`,
    },
    cloudsipua: {
      '/name': (n) => `Service ${n}`,
      '/destinationMatch': (n) => `^service${n}$`,
      '/callbackBaseUrl': (n) => `https://app.example/${n}`,
    },
    trunk: {
      '/name': (n) => `Carrier ${n}`,
      '/username': (n) => `u${n}`,
      '/terminatingTrunkGroupId': (n) => `in${n}`,
    },
    protocolprofile: { '/content/collect/interDigitMs': (n) => 800 + n, '/extends': () => 'bs8521' },
  };
  const patchable = SAMPLES.filter(({ hasPatch }) => hasPatch);

  const valueAt = (body: unknown, path: string): unknown =>
    path
      .slice(1)
      .split('/')
      .reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], body as unknown);

  test.each(
    patchable.flatMap((sample) =>
      (sample.hasSets ? ['', '?provisory=true'] : ['']).map((set) => ({ ...sample, set })),
    ),
  )('at $member $set', async ({ base, member, body, set }) => {
    const made = await send('POST', `${base}/${DOMAIN}${set}`, body);
    expect(made.status).toBe(200);
    const one = `${base}/${DOMAIN}/${made.body.id ?? made.body.name ?? body.name}${set}`;
    const fields = Object.entries(FIELDS[member] ?? {});
    const sent = Array.from({ length: PARALLEL }, (_, n) => {
      const [path = '', make] = fields[n % fields.length] ?? [];
      return { path, value: make?.(n) };
    });
    const answers = await Promise.all(sent.map((each) => send('PATCH', one, [{ op: 'add', ...each }])));
    expect(answers.map(({ status, body: said }) => (status === 200 ? 200 : said))).toEqual(
      sent.map(() => 200),
    );
    const shown = (await send('GET', one)).body;
    for (const [path] of fields) {
      const found = valueAt(shown[member] ?? shown, path);
      expect(sent.filter((each) => each.path === path).map(({ value }) => value)).toContain(found);
    }
  });

  test('at a tenant', async () => {
    const one = `/platform/tenant/${DOMAIN}`;
    const bodies = Array.from({ length: PARALLEL }, (_, n) =>
      n % 2 === 0 ? { name: `Name ${n}` } : { secondFactorRequired: n % 4 === 1 },
    );
    const answers = await Promise.all(bodies.map((body) => ask(api, 'PATCH', one, { body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const { tenant } = (await ask(api, 'GET', one)).body as { tenant: { name: string } };
    expect(bodies.map(({ name }) => name)).toContain(tenant.name);
    expect((await ask(api, 'PATCH', one, { body: { secondFactorRequired: false } })).status).toBe(200);
  });

  test('at a profile', async () => {
    const path = '/provisioning/currentuser/profile';
    const names = ['firstName', 'lastName', 'phone', 'company'];
    const bodies = Array.from({ length: PARALLEL }, (_, n) => ({ [names[n % names.length] ?? '']: `${n}` }));
    const answers = await Promise.all(bodies.map((body) => ask(api, 'PATCH', path, { body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const { profile } = (await ask(api, 'GET', path)).body as { profile: Record<string, string> };
    for (const name of names) expect(bodies.map((body) => body[name])).toContain(profile[name]);
  });

  test('and no other operation patches', async () => {
    const { paths } = (await ask(api, 'GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, unknown>>;
    };
    const patching = Object.keys(paths).filter((path) => paths[path]?.patch !== undefined);
    const tried = [
      '/provisioning/device/{domain}/{deviceId}',
      '/platform/tenant/{domain}',
      '/provisioning/currentuser/profile',
      ...patchable.map(({ base }) => base),
    ];
    expect(patching.filter((path) => !tried.some((each) => path.startsWith(each)))).toEqual([]);
    expect(patching).toHaveLength(tried.length);
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
