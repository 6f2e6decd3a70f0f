import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { type Answer, ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

const DOMAIN = 'a.test';
const all = `/provisioning/alarmbridge/${DOMAIN}`;

/** Every kind with a provisory set. */
const NOTHING = { alarmbridges: [], alarmeventmappers: [], cloudsipuas: [], trunks: [] };

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

describe('the provisory set', () => {
  test('is kept apart and never in the changes until it is promoted', async () => {
    const before = await revision();
    const id = await create({ ...BRIDGE, destinationMatch: '^draft$' }, '?provisory=true');
    expect((await send('GET', `${all}/${id}`)).status).toBe(404);
    expect((await send('GET', `${all}/${id}?provisory=true`)).status).toBe(200);
    expect((await send('GET', `${all}/testconfiguration/draft`)).status).toBe(404);
    await send('PATCH', `${all}/${id}?provisory=true`, [{ op: 'add', path: '/description', value: 'p' }]);
    expect(await changes(before)).toEqual([]);

    const promoted = await send('POST', `/provisioning/configuration/${DOMAIN}/promote`, {
      alarmbridges: [id],
    });
    expect(promoted.body).toEqual({ success: true, ...NOTHING, alarmbridges: [id] });
    expect((await send('GET', `${all}/testconfiguration/draft`)).body).toMatchObject({
      success: true,
      receiver: id,
      sender: BRIDGE.callbackBaseUrl,
    });
    expect((await send('GET', `${all}/${id}?provisory=true`)).status).toBe(404);
    expect(await changes(before)).toMatchObject([{ rev: before + 1, id, op: 'put', massChange: true }]);
  });

  test('many are promoted as one revision, each with its secret', async () => {
    const working = await create();
    const first = await create(BRIDGE, '?provisory=true');
    const shown = (await send('GET', `${all}/${working}`)).body.alarmbridge as object;
    const draft = { ...shown, name: 'draft of a working one' };
    expect((await send('PUT', `${all}/${working}?provisory=true`, draft)).body).toMatchObject({
      success: true,
      id: working,
    });
    const before = await revision();
    const promoted: Answer = await send('POST', `/provisioning/configuration/${DOMAIN}/promote`);
    expect(promoted.status).toBe(200);
    expect(promoted.body.alarmbridges).toEqual(expect.arrayContaining([working, first]));
    const rows = await changes(before);
    expect(new Set(rows.map((row) => row.rev))).toEqual(new Set([before + 1]));
    expect(rows.find((row) => row.id === working)?.body).toMatchObject({
      name: 'draft of a working one',
      restAuthentication: [{ secret: 'do-not-show' }],
    });
    const left = await send('GET', `/provisioning/configuration/${DOMAIN}?provisory=true`);
    expect(left.body.configuration).toEqual(NOTHING);
  });

  test('an id without draft promotes nothing at all', async () => {
    const id = await create(BRIDGE, '?provisory=true');
    const before = await revision();
    const answer = await send('POST', `/provisioning/configuration/${DOMAIN}/promote`, {
      alarmbridges: [id, 'nobody'],
    });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'notFound' } } });
    expect(await revision()).toBe(before);
    expect((await send('GET', `${all}/${id}?provisory=true`)).status).toBe(200);
  });
});
