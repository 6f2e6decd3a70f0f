import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTITIES, readBody } from '#appliance/replica/index.ts';
import { auditAfter, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { changesMade } from '../store/database.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';
import { SAMPLES, SECRET } from './resource-sample.ts';

const DOMAIN = 'a.test';

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
const revision = () => currentRevision(api.database.store, 'tenant', tenant);
const changes = (since: number) => changesMade(api.database.store, 'tenant', tenant, since, 1000);

describe.each(SAMPLES)('$base', ({ base, member, body, hasSets, hasPatch }) => {
  const all = `${base}/${DOMAIN}`;
  const isNamed = member === 'protocolprofile';
  let made = 0;
  /** A body of its own: profiles are known by their names. */
  const fresh = (more: object = {}) => {
    made += 1;
    return isNamed ? { ...body, name: `profile-${made}`, ...more } : { ...body, ...more };
  };
  const create = async (given: object = fresh(), query = '') => {
    const answer = await send('POST', `${all}${query}`, given);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    return String(answer.body.id);
  };
  const shown = async (id: string, query = '') =>
    (await send('GET', `${all}/${id}${query}`)).body[member] as object;

  test('GET shows what POST has made, with defaults and without secrets', async () => {
    const given = fresh();
    const posted = await send('POST', all, given);
    const id = String(posted.body.id);
    const read = await send('GET', `${all}/${id}`);
    expect(read).toMatchObject({
      status: 200,
      body: { success: true, [member]: { name: (given as { name: string }).name } },
    });
    expect(read.headers.get('ETag')).toBe(posted.headers.get('ETag'));
    expect(JSON.stringify(read.body)).not.toMatch(new RegExp(`${SECRET}|${'ab'.repeat(16)}`));
    const listed = await send('GET', all);
    expect(listed.body[`${member}s`]).toContainEqual(read.body[member]);
    const { sipAddress } = posted.body;
    if (base.startsWith('/provisioning')) expect(sipAddress).toBeUndefined();
    else
      expect([sipAddress, read.body[member]]).toEqual([
        `sip:${id}@${DOMAIN}`,
        expect.objectContaining({ id, sipAddress }) as object,
      ]);
  });

  test('PUT takes what GET gave: nothing changes, the secrets stay', async () => {
    const id = await create();
    const before = await revision();
    const read = await send('GET', `${all}/${id}`);
    const put = await send('PUT', `${all}/${id}`, read.body[member]);
    expect(put).toMatchObject({ status: 200, body: { success: true, id } });
    expect(put.headers.get('ETag')).toBe(read.headers.get('ETag'));
    const [change] = await changes(before);
    expect(JSON.stringify(change?.body)).toBe(
      JSON.stringify((await changes(0)).findLast((row) => row.id === id && row.rev <= before)?.body),
    );
  });

  test('each write is a change that a site understands, and an audit entry without secrets', async () => {
    const before = await revision();
    const id = await create();
    const put = await send('PUT', `${all}/${id}`, {
      ...(await shown(id)),
      ...(isNamed ? { extends: 'tt92' } : { name: 'Other' }),
    });
    expect(put.status).toBe(200);
    expect((await send('DELETE', `${all}/${id}`)).body).toEqual({ success: true });
    const rows = await changes(before);
    expect(rows.map((row) => [row.entity, row.id, row.op])).toEqual([
      [member, id, 'put'],
      [member, id, 'put'],
      [member, id, 'delete'],
    ]);
    expect(ENTITIES).toContain(member);
    for (const row of rows.slice(0, 2)) expect(readBody(row.entity, id, row.body).faults).toBeUndefined();
    if (!isNamed) expect(JSON.stringify(rows[0]?.body)).toContain(SECRET);
    const entries = (await auditAfter(api.database.store, tenant, 0, 10_000)).filter(
      (row) => row.entityId === id,
    );
    expect(entries.map(({ action }) => action)).toEqual(['create', 'put', 'delete']);
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });

  test('If-Match guards every write, an unknown id is 404', async () => {
    const id = await create();
    const stale = { 'If-Match': '"0123"' };
    const patch = [{ op: 'test', path: '/name', value: 'x' }];
    const methods = [
      ['PUT', await shown(id)],
      ['DELETE', undefined],
      ...(hasPatch ? [['PATCH', patch]] : []),
    ] as const;
    for (const [method, given] of methods) {
      expect((await send(String(method), `${all}/${id}`, given, stale)).status).toBe(412);
      expect(await send(String(method), `${all}/nobody`, given)).toMatchObject({
        status: 404,
        body: { success: false, error: { code: 'notFound' } },
      });
    }
    expect((await send('GET', `${all}/nobody`)).status).toBe(404);
    const etag = (await send('GET', `${all}/${id}`)).headers.get('ETag') ?? '';
    expect((await send('DELETE', `${all}/${id}`, undefined, { 'If-Match': etag })).status).toBe(200);
  });

  test('an idempotency key gives the first answer again', async () => {
    const given = fresh();
    const key = { 'Idempotency-Key': `key-${member}` };
    const first = await send('POST', all, given, key);
    expect((await send('POST', all, given, key)).body).toEqual(first.body);
    expect((await send('POST', all, { ...given, name: 'new' }, key)).status).toBe(409);
  });

  test('a typo is refused with its place', async () => {
    expect(await send('POST', all, fresh({ nmae: 1 }))).toMatchObject({
      status: 400,
      body: { success: false, error: { code: 'invalid', path: '/nmae' } },
    });
  });

  test('PATCH changes parts and cannot copy a secret into the open', async () => {
    const id = await create();
    const patch = isNamed
      ? [{ op: 'replace', path: '/content/collect/interDigitMs', value: 700 }]
      : [{ op: 'replace', path: '/name', value: 'Patched' }];
    const answer = await send('PATCH', `${all}/${id}`, patch);
    if (!hasPatch) {
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, PUT, DELETE, OPTIONS']);
      return;
    }
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.headers.get('ETag')).toBe((await send('GET', `${all}/${id}`)).headers.get('ETag'));
    expect(JSON.stringify(await shown(id))).toMatch(/Patched|700/);
    expect(await send('PATCH', `${all}/${id}`, [{ op: 'remove', path: '/name' }])).toMatchObject({
      status: 400,
      body: { error: { path: '/name' } },
    });
    expect((await send('PATCH', `${all}/${id}`, [{ op: 'test', path: '/name', value: 'no' }])).status).toBe(
      409,
    );
  });

  test('the list comes in pages and ends', async () => {
    const domain = `${member}.test`;
    const theirs = await makeTenant(api, domain);
    for (let i = 0; i < 3; i++) {
      api.clock.now += 1;
      await ask(api, 'POST', `${base}/${domain}`, { token: theirs, body: fresh() });
    }
    const seen: object[] = [];
    for (let query = '?limit=2', pages = 1; query !== ''; pages++) {
      const page = await ask(api, 'GET', `${base}/${domain}${query}`, { token: theirs });
      seen.push(...(page.body[`${member}s`] as object[]));
      query = page.body.nextToken === undefined ? '' : `?limit=2&nextToken=${String(page.body.nextToken)}`;
      expect(pages).toBeLessThan(3);
    }
    expect(seen).toHaveLength(3);
    expect((await send('GET', `${all}?limit=101`)).status).toBe(400);
  });

  test('the provisory set is kept apart, where there is one', async () => {
    const before = await revision();
    if (!hasSets) {
      expect((await send('GET', `${all}?provisory=true`)).status).toBe(400);
      return;
    }
    const id = await create(fresh(), '?provisory=true');
    expect((await send('GET', `${all}/${id}`)).status).toBe(404);
    expect((await send('GET', all)).body[`${member}s`]).not.toContainEqual(expect.objectContaining({ id }));
    expect(await shown(id, '?provisory=true')).toMatchObject({ id });
    await send('PATCH', `${all}/${id}?provisory=true`, [{ op: 'replace', path: '/name', value: 'Draft' }]);
    expect(await revision()).toBe(before);
    const promoted = await send('POST', `/provisioning/configuration/${DOMAIN}/promote`, {
      [`${member}s`]: [id],
    });
    expect(promoted.body).toMatchObject({ success: true, [`${member}s`]: [id] });
    expect(await changes(before)).toMatchObject([
      { rev: before + 1, id, op: 'put', massChange: true, body: { name: 'Draft' } },
    ]);
    expect((await send('GET', `${all}/${id}?provisory=true`)).status).toBe(404);
    expect(await shown(id)).toMatchObject({ id, name: 'Draft' });
    expect((await send('DELETE', `${all}/${id}`)).status).toBe(200);
  });
});

test('a tenant has room for 2,000 patterns, of all kinds together', async () => {
  const domain = 'full.test';
  const theirs = await makeTenant(api, domain);
  const bridge = { protocol: 'scaip', name: 'n', destinationMatch: 'x' };
  const service = { name: 'n', destinationMatch: 'x', callbackBaseUrl: 'https://app.example' };
  const filled = await ask(api, 'PUT', `/provisioning/configuration/${domain}`, {
    token: theirs,
    body: {
      alarmbridges: Array.from({ length: 1_998 }, () => bridge),
      mediaservices: [service],
    },
  });
  expect(filled.status).toBe(200);
  const add = async (base: string, query = '') =>
    (await ask(api, 'POST', `${base}/${domain}${query}`, { token: theirs, body: service })).status;
  expect(await add('/provisioning/cloudsipua')).toBe(200);
  expect(await add('/provisioning/cloudsipua')).toBe(409);
  expect(await add('/callrecording')).toBe(409);
  expect(await add('/provisioning/cloudsipua', '?provisory=true')).toBe(200);
  const promoted = await ask(api, 'POST', `/provisioning/configuration/${domain}/promote`, { token: theirs });
  expect(promoted).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
});

test('the patterns of a tenant are weighed together', async () => {
  const domain = 'heavy.test';
  const theirs = await makeTenant(api, domain);
  const bridge = { protocol: 'scaip', name: 'n', destinationMatch: 'a{900}' };
  const put = async (count: number) =>
    await ask(api, 'PUT', `/provisioning/configuration/${domain}`, {
      token: theirs,
      body: { alarmbridges: Array.from({ length: count }, () => bridge) },
    });
  const heavy = {
    status: 409,
    body: { error: { code: 'conflict', path: '/destinationMatch' } },
  };
  expect(await put(56)).toMatchObject(heavy);
  expect((await put(55)).status).toBe(200);
  const base = `/provisioning/alarmbridge/${domain}`;
  const light = { ...bridge, destinationMatch: '^[0-9]{4}$' };
  expect(await ask(api, 'POST', base, { token: theirs, body: bridge })).toMatchObject(heavy);
  const made = await ask(api, 'POST', base, { token: theirs, body: light });
  expect(made.status).toBe(200);
  const one = `${base}/${String(made.body.id)}`;
  expect(await ask(api, 'PUT', one, { token: theirs, body: bridge })).toMatchObject(heavy);
  const patch = [{ op: 'replace', path: '/destinationMatch', value: 'a{900}' }];
  expect(await ask(api, 'PATCH', one, { token: theirs, body: patch })).toMatchObject(heavy);
});

test('no secret lies open in the database', async () => {
  const { db, tables } = api.database.store;
  const { alarmBridge, alarmEventMapper, cloudSipUa, trunk, mediaService, recordingService } = tables;
  for (const table of [alarmBridge, alarmEventMapper, cloudSipUa, trunk, mediaService, recordingService]) {
    const rows = await db.select().from(table);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${SECRET}|${'ab'.repeat(16)}`));
  }
  expect(JSON.stringify(await db.select().from(tables.configChange))).not.toContain(SECRET);
});

test('nothing here was a defect', () => {
  expect(api.defects).toEqual([]);
});
