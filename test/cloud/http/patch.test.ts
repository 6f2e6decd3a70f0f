import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

const DOMAIN = 'a.test';
const all = `/provisioning/alarmbridge/${DOMAIN}`;

let api: TestApi;
let token: string;
let tenant: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
});
afterAll(() => api.close());

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  ask(api, method, path, { token, body, ...(headers === undefined ? {} : { headers }) });
const create = async (body: unknown = BRIDGE, query = ''): Promise<string> =>
  String((await send('POST', `${all}${query}`, body)).body.id);
const revision = () => currentRevision(api.database.store, 'tenant', tenant);
const changes = (since: number) => changesSince(api.database.store, 'tenant', tenant, since, 1000);

describe('PATCH', () => {
  const cases: readonly {
    name: string;
    patch: unknown;
    status: number;
    shown?: Record<string, unknown>;
    code?: string;
  }[] = [
    {
      name: 'add',
      patch: [{ op: 'add', path: '/description', value: 'D' }],
      status: 200,
      shown: { description: 'D' },
    },
    {
      name: 'replace',
      patch: [{ op: 'replace', path: '/name', value: 'N' }],
      status: 200,
      shown: { name: 'N' },
    },
    {
      name: 'remove gives the default back',
      patch: [{ op: 'remove', path: '/callbackTimeout' }],
      status: 200,
      shown: { callbackTimeout: 15_000 },
    },
    {
      name: 'copy',
      patch: [{ op: 'copy', from: '/name', path: '/callbackName' }],
      status: 200,
      shown: { callbackName: BRIDGE.name },
    },
    {
      name: 'move',
      patch: [
        { op: 'add', path: '/description', value: 'M' },
        { op: 'move', from: '/description', path: '/callbackDescription' },
      ],
      status: 200,
      shown: { callbackDescription: 'M' },
    },
    { name: 'test that holds', patch: [{ op: 'test', path: '/name', value: BRIDGE.name }], status: 200 },
    {
      name: 'append to a list',
      patch: [{ op: 'add', path: '/restAuthentication/-', value: { secret: 's2', type: 'HS256' } }],
      status: 200,
      shown: {
        restAuthentication: [
          { sub: 'carillon', secret: '<secret>', type: 'HS256' },
          { secret: '<secret>', type: 'HS256' },
        ],
      },
    },
    { name: 'nothing', patch: [], status: 200 },
    {
      name: 'test that fails',
      patch: [
        { op: 'replace', path: '/name', value: 'X' },
        { op: 'test', path: '/name', value: 'Y' },
      ],
      status: 409,
      code: 'testFailed',
    },
    {
      name: 'a later operation that fails takes the first back',
      patch: [
        { op: 'replace', path: '/name', value: 'X' },
        { op: 'remove', path: '/nothing' },
      ],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'a result that is invalid',
      patch: [{ op: 'replace', path: '/callbackBaseUrl', value: 'http://x' }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'removing what is required',
      patch: [{ op: 'remove', path: '/name' }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'an unknown property',
      patch: [{ op: 'add', path: '/callbackTimout', value: 1 }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'an inherited member',
      patch: [{ op: 'remove', path: '/toString' }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'the prototype',
      patch: [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
      status: 400,
      code: 'invalid',
    },
    { name: 'a broken escape', patch: [{ op: 'remove', path: '/a~2' }], status: 400, code: 'invalid' },
    {
      name: 'an index with a leading zero',
      patch: [{ op: 'remove', path: '/restAuthentication/00' }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'an index beyond the end',
      patch: [{ op: 'add', path: '/restAuthentication/9', value: { secret: 'x' } }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'a move into itself',
      patch: [{ op: 'move', from: '/restAuthentication', path: '/restAuthentication/0' }],
      status: 400,
      code: 'invalid',
    },
    {
      name: 'an unknown operation',
      patch: [{ op: 'increment', path: '/order', value: 1 }],
      status: 400,
      code: 'invalid',
    },
    { name: 'a missing value', patch: [{ op: 'add', path: '/description' }], status: 400, code: 'invalid' },
    {
      name: 'an object instead of a list',
      patch: { op: 'add', path: '/description', value: 1 },
      status: 400,
      code: 'invalid',
    },
    {
      name: 'a list copied into itself',
      patch: [
        { op: 'add', path: '/restAuthentication', value: ['x'.repeat(1000)] },
        ...Array(18).fill({ op: 'copy', from: '/restAuthentication', path: '/restAuthentication/-' }),
      ],
      status: 413,
      code: 'tooLarge',
    },
    {
      name: 'the whole document',
      patch: [{ op: 'replace', path: '', value: { protocol: 'scaip', name: 'W', destinationMatch: 'w' } }],
      status: 200,
      shown: { name: 'W', destinationMatch: 'w' },
    },
  ];

  test.each(cases)('$name: $status', async ({ patch, status, shown = {}, code }) => {
    const id = await create();
    const before = (await send('GET', `${all}/${id}`)).body.alarmbridge;
    const answer = await send('PATCH', `${all}/${id}`, patch);
    expect(answer).toMatchObject({
      status,
      body: code === undefined ? { success: true } : { success: false, error: { code } },
    });
    const after = (await send('GET', `${all}/${id}`)).body.alarmbridge;
    if (status === 200) expect(after).toMatchObject({ ...shown, id });
    else expect(after).toEqual(before);
    expect(api.defects).toEqual([]);
  });

  test('no operation brings a secret into the open, and the stored one survives', async () => {
    const id = await create();
    const before = await revision();
    const patch = [
      { op: 'copy', from: '/restAuthentication/0/secret', path: '/description' },
      { op: 'add', path: '/restAuthentication/0/scope', value: 'alarm' },
    ];
    const guess = [{ op: 'test', path: '/restAuthentication/0/secret', value: 'do-not-show' }];
    expect((await send('PATCH', `${all}/${id}`, guess)).status).toBe(409);
    expect((await send('PATCH', `${all}/${id}`, patch)).status).toBe(200);
    expect((await send('GET', `${all}/${id}`)).body.alarmbridge).toMatchObject({ description: '<secret>' });
    const [row] = await changes(before);
    expect(row?.body).toMatchObject({ restAuthentication: [{ secret: 'do-not-show', scope: 'alarm' }] });
  });

  test('application/json-patch+json is its media type, and text is none', async () => {
    const id = await create();
    const patch = [{ op: 'replace', path: '/name', value: 'typed' }];
    expect(
      (await send('PATCH', `${all}/${id}`, patch, { 'Content-Type': 'application/json-patch+json' })).status,
    ).toBe(200);
    for (const type of ['text/plain', 'application/problem+json', 'application/xml']) {
      const answer = await send('PATCH', `${all}/${id}`, patch, { 'Content-Type': type });
      expect(answer).toMatchObject({
        status: 415,
        body: { success: false, error: { code: 'unsupportedMediaType' } },
      });
    }
  });
});
