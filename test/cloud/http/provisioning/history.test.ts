import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readItem, tenantByDomain } from '#cloud/store/index.ts';
import type { ResourceVersion } from '#shared/contract/record/index.ts';
import { type Ask, ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { SAMPLES, SECRET } from '../resource-sample.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
  await makeTenant(api, 'b.test');
});
afterAll(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});
const send = (method: string, path: string, asked: Ask = {}) => ask(api, method, path, { token, ...asked });

describe.each(SAMPLES)('the history of $base', ({ base, member, body }) => {
  const isNamed = base.endsWith('protocolprofile');
  let path: string;
  const versions = async () => (await send('GET', `${path}/history`)).body.versions as ResourceVersion[];

  test('names each write with what it changed and what differs from today, and no secret', async () => {
    const made = await send('POST', `${base}/a.test`, { body });
    path = `${base}/a.test/${String(made.body.id)}`;
    const changed = isNamed ? { ...body, extends: 'p100' } : { ...body, name: 'Another name' };
    expect((await send('PUT', path, { body: changed })).status).toBe(200);
    const [second, first] = await versions();
    const place = isNamed ? '/extends' : '/name';
    expect([second?.action, first?.action]).toEqual(['put', 'create']);
    expect(second?.changed.map((each) => each.path)).toContain(place);
    expect(second?.toToday).toEqual([]);
    expect(first?.toToday.map((each) => each.path)).toEqual([place]);
    // A new resource differs from nothing, member by member.
    const created = first?.changed ?? [];
    expect(created.map((each) => each.path)).toContain(isNamed ? '/extends' : '/name');
    expect(created.every((each) => each.path !== '' && !('before' in each))).toBe(true);
    expect(JSON.stringify(await versions())).not.toContain(SECRET);
  });

  test('leads back to a version, once by a dry run and once in earnest', async () => {
    const first = (await versions()).at(-1);
    const restore = (query = '') => send('POST', `${path}/restore${query}`, { body: { seq: first?.seq } });
    expect((await restore('?dryRun=true')).headers.get('Carillon-Dry-Run')).toBe('true');
    expect(await versions()).toHaveLength(2);
    expect((await restore()).body).toMatchObject({ success: true });
    const [now] = await versions();
    expect(now?.action).toBe('put');
    expect((await versions()).at(-1)?.toToday).toEqual([]);
    expect((await send('GET', path)).body).toMatchObject({ [member]: { name: body.name } });
  });

  test('refuses a version that is none, and belongs to its tenant', async () => {
    expect((await send('POST', `${path}/restore`, { body: { seq: 999_999 } })).status).toBe(404);
    const stale = { body: { seq: 1 }, headers: { 'If-Match': '"stale"' } };
    expect((await send('POST', `${path}/restore`, stale)).status).toBe(404);
    const other = await makeTenant(api, 'b.test');
    expect((await ask(api, 'GET', `${path}/history`, { token: other })).status).toBe(403);
    const foreign = path.replace('a.test', 'b.test');
    expect((await ask(api, 'GET', `${foreign}/history`, { token: other })).body.versions).toEqual([]);
  });
});

test('a header with a credential comes back in no answer, not in the history, the audit log or a dry run', async () => {
  const path = '/provisioning/alarmbridge/a.test';
  const [entry] = [
    { sub: 's', type: 'HS256', secret: SECRET, requestHeaders: { Authorization: 'Bearer hidden-1' } },
  ];
  const body = {
    ...{ protocol: 'scaip', name: 'Headers', destinationMatch: '^headers$', restAuthentication: [entry] },
    callbackBaseUrl: 'https://arc.example/callback',
  };
  const rehearsed = await send('POST', `${path}?dryRun=true`, { body });
  const made = await send('POST', path, { body });
  const one = `${path}/${String(made.body.id)}`;
  const { alarmbridge } = (await send('GET', one)).body as { alarmbridge: Record<string, unknown> };
  expect(alarmbridge).toMatchObject({
    restAuthentication: [{ requestHeaders: { Authorization: '<secret>' } }],
  });
  expect((await send('PUT', one, { body: { ...alarmbridge, name: 'Other' } })).status).toBe(200);
  const shown = [
    rehearsed.body,
    (await send('GET', `${one}/history`)).body,
    (await send('GET', '/provisioning/audit/a.test?order=newest')).body,
  ];
  expect(shown.map((each) => JSON.stringify(each)).filter((each) => each.includes('Headers'))).toHaveLength(
    3,
  );
  expect(JSON.stringify(shown)).not.toContain('hidden-1');
  const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  const where = { tenant, set: 'working' } as const;
  const row = await readItem(api.database.store, 'alarmBridge', where, String(made.body.id));
  expect(JSON.stringify(row?.body)).toContain('Bearer hidden-1');
});
