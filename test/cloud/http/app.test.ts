import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRouter, type Gate } from '#cloud/http/index.ts';
import { auditAfter, tenantByDomain, verifyAudit } from '#cloud/store/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedDeviceSchema,
  replicatedNotificationSettingsSchema,
} from '#shared/contract/provisioning/index.ts';
import { changesMade } from '../store/database.ts';
import { ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';

const bridges = '/provisioning/alarmbridge/a.test';
const devices = '/provisioning/device/a.test';

/** A router as another folder would bring one. */
function extraRouter(gate: Gate) {
  const router = createRouter();
  router.get('/site/:domain', gate.tenant('site', 'reading', 'list'), (c) =>
    c.json({ success: true, for: c.var.tenant.domain }),
  );
  router.get('/broken', () => {
    throw new Error('a bug');
  });
  return router;
}

describe('the application', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await openApi({
      routers: [extraRouter],
      readiness: [async () => null],
      metrics: [() => 'carillon_extra 1\n'],
    });
    token = await makeTenant(api, 'a.test');
  });
  afterAll(() => api.close());

  const refusal = (code: string) => ({
    success: false,
    reason: expect.any(String) as string,
    error: expect.objectContaining({ code }) as object,
  });

  test('OPTIONS answers {} on every path, without a token, with the methods of the path', async () => {
    const { paths } = (await ask(api, 'GET', '/openapi.json', { token: null })).body as {
      paths: Record<string, object>;
    };
    for (const [path, item] of Object.entries(paths)) {
      const answer = await ask(api, 'OPTIONS', path.replace(/\{[^}]+\}/g, 'x'), { token: null });
      expect([path, answer.status, answer.body]).toEqual([path, 200, {}]);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(
        'Authorization, Content-Type, Idempotency-Key, If-Match',
      );
      const methods = answer.headers.get('Access-Control-Allow-Methods')?.split(', ') ?? [];
      expect(methods).toEqual(
        expect.arrayContaining(Object.keys(item).map((method) => method.toUpperCase())),
      );
    }
  });

  test('every answer carries the CORS headers and a request id, failures too', async () => {
    for (const [method, path] of [
      ['GET', devices],
      ['GET', `${devices}/nobody`],
      ['POST', devices],
      ['GET', '/nowhere'],
    ] as const) {
      const { headers } = await ask(api, method, path, { token, headers: { 'X-Request-Id': 'mine-1' } });
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('X-Request-Id')).toBe('mine-1');
    }
    const { headers } = await ask(api, 'GET', devices, { token, headers: { 'X-Request-Id': 'no spaces' } });
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('an unknown path is 404, a method it has not is 405 with Allow', async () => {
    expect(await ask(api, 'GET', '/nowhere')).toMatchObject({ status: 404, body: refusal('notFound') });
    expect(await ask(api, 'OPTIONS', '/nowhere')).toMatchObject({ status: 404 });
    const answer = await ask(api, 'POST', devices, { token, body: DEVICE });
    expect(answer).toMatchObject({ status: 405, body: refusal('methodNotAllowed') });
    expect(answer.headers.get('Allow')).toBe('GET, PUT, DELETE, OPTIONS');
    expect(
      (await ask(api, 'PUT', `${bridges}/testconfiguration/x`, { token, body: {} })).headers.get('Allow'),
    ).toBe('GET, OPTIONS');
  });

  test('bad JSON is 400, another media type 415, encoded bodies 415', async () => {
    for (const raw of ['{', '', 'null', '"x"', '[1,]'])
      expect(await ask(api, 'PUT', devices, { token, raw })).toMatchObject({
        status: 400,
        body: { success: false },
      });
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/vnd.api+json' },
      { 'Content-Encoding': 'gzip' },
    ])
      expect(await ask(api, 'PUT', devices, { token, body: DEVICE, headers })).toMatchObject({
        status: 415,
        body: refusal('unsupportedMediaType'),
      });
    const utf8 = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await ask(api, 'PUT', devices, { token, body: DEVICE, headers: utf8 })).status).toBe(200);
  });

  test('a body over 1 MiB is 413, by its length or while it is read', async () => {
    const raw = JSON.stringify({ ...BRIDGE, description: 'x'.repeat(1024 * 1024) });
    expect(await ask(api, 'POST', bridges, { token, raw })).toMatchObject({
      status: 413,
      body: refusal('tooLarge'),
    });
    const declared = { 'Content-Length': String(raw.length) };
    expect((await ask(api, 'POST', bridges, { token, raw, headers: declared })).status).toBe(413);
    const under = JSON.stringify({ ...BRIDGE, description: 'x'.repeat(1024 * 1024 - 1000) });
    expect((await ask(api, 'POST', bridges, { token, raw: under })).status).toBe(200);
  });

  test('a bottomless body is 400 wherever it is sent', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const { id } = (await ask(api, 'POST', bridges, { token, body: BRIDGE })).body;
    for (const [method, path, raw] of [
      ['POST', bridges, `{"customEventMap":{"rules":[{"body":${deep(200_000)}}]}}`],
      ['PATCH', `${bridges}/${String(id)}`, `[{"op":"add","path":"/description","value":${deep(200_000)}}]`],
      ['POST', `${bridges}/${String(id)}/trymap`, `{"a":${deep(64)}}`],
      ['PUT', devices, deep(200_000)],
      ['PUT', devices, '{'.repeat(1_000)],
    ] as const)
      expect(await ask(api, method, path, { token, raw })).toMatchObject({
        status: 400,
        body: refusal('malformed'),
      });
    const shallow = `{"a":${deep(63)},"text":"${'[{'.repeat(100)}\\"["}`;
    expect((await ask(api, 'POST', `${bridges}/${String(id)}/trymap`, { token, raw: shallow })).status).toBe(
      200,
    );
    expect(api.defects).toEqual([]);
  });

  test('members named like a prototype are unknown properties', async () => {
    for (const raw of [
      `{"deviceId":"p","authType":"deviceid","srtp":"never","__proto__":{"x":1}}`,
      `{"deviceId":"p","authType":"deviceid","srtp":"never","constructor":1}`,
    ]) {
      const answer = await ask(api, 'PUT', devices, { token, raw });
      expect(answer.status).toBe(400);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test('a router of another folder stands behind the same gate', async () => {
    expect((await ask(api, 'GET', '/site/a.test', { token })).body).toEqual({ success: true, for: 'a.test' });
    expect((await ask(api, 'GET', '/site/b.test', { token })).status).toBe(403);
    expect((await ask(api, 'OPTIONS', '/site/a.test', { token: null })).body).toEqual({});
    expect((await ask(api, 'POST', '/site/a.test', { token })).headers.get('Allow')).toBe('GET, OPTIONS');
  });

  test('a bug is 500 without a trace of it, and is reported', async () => {
    const answer = await ask(api, 'GET', '/broken', { headers: { 'X-Request-Id': 'find-me' } });
    expect(answer).toMatchObject({
      status: 500,
      body: { success: false, reason: expect.stringContaining('find-me') as string },
    });
    expect(JSON.stringify(answer.body)).not.toContain('a bug');
    expect(api.defects.splice(0)).toEqual([new Error('a bug')]);
  });

  describe('platform', () => {
    test('tenants are made, listed, read and deleted by the owner', async () => {
      expect(
        (await ask(api, 'POST', '/platform/tenant', { body: { domain: 'new.test', name: 'New' } })).body,
      ).toEqual({
        success: true,
        domain: 'new.test',
      });
      expect((await ask(api, 'GET', '/platform/tenant/new.test')).body).toEqual({
        success: true,
        tenant: { domain: 'new.test', name: 'New' },
      });
      const listed = (await ask(api, 'GET', '/platform/tenant?limit=1')).body;
      expect(listed).toEqual({
        success: true,
        tenants: [{ domain: 'a.test' }],
        nextToken: expect.any(String) as string,
      });
      expect((await ask(api, 'POST', '/platform/tenant', { body: { domain: 'new.test' } })).status).toBe(409);
      for (const domain of ['localhost', 'UPPER.test', 'a..b', '-a.test'])
        expect((await ask(api, 'POST', '/platform/tenant', { body: { domain } })).status).toBe(400);
      const theirs = await makeTenant(api, 'new.test');
      await ask(api, 'PUT', '/provisioning/device/new.test', { token: theirs, body: DEVICE });
      expect((await ask(api, 'DELETE', '/platform/tenant/new.test')).body).toEqual({ success: true });
      expect((await ask(api, 'GET', '/platform/tenant/new.test')).status).toBe(404);
      expect((await ask(api, 'GET', '/provisioning/device/new.test', { token: theirs })).status).toBe(401);
    });
  });

  test('notification settings begin with the defaults, and keep their secret', async () => {
    const path = '/provisioning/notificationsettings/a.test';
    const first = await ask(api, 'GET', path, { token });
    expect(first.body).toEqual({ success: true, notificationsettings: { alarmFromEdge: true } });
    const settings = {
      alarmEventsRestEndpoint: 'https://arc.example/alarm',
      restAuthentication: [{ secret: 'hidden', type: 'HS256' }],
    };
    expect((await ask(api, 'PUT', path, { token, body: settings })).body).toEqual({
      success: true,
      id: 'a.test',
    });
    const read = await ask(api, 'GET', path, { token });
    expect(read.body.notificationsettings).toEqual({
      ...settings,
      alarmFromEdge: true,
      restAuthentication: [{ secret: '<secret>', type: 'HS256' }],
    });
    expect(
      (await ask(api, 'PUT', path, { token, body: read.body.notificationsettings })).headers.get('ETag'),
    ).toBe(read.headers.get('ETag'));
    expect(
      (await ask(api, 'PUT', path, { token, body: settings, headers: { 'If-Match': '"x"' } })).status,
    ).toBe(412);
    expect(
      (await ask(api, 'PUT', path, { token, body: { alarmEventsRestEndpoint: 'http://x' } })).status,
    ).toBe(400);
  });

  test('the whole configuration holds no secret', async () => {
    await ask(api, 'PUT', devices, {
      token,
      body: { deviceId: 'sip-1', authType: 'credentials', srtp: 'never' },
    });
    const { body } = await ask(api, 'GET', '/provisioning/configuration/a.test', { token });
    const { configuration } = body as { configuration: { alarmbridges: object[]; devices: object[] } };
    expect(configuration.alarmbridges.length).toBeGreaterThan(0);
    expect(configuration.devices).toContainEqual({
      deviceId: 'sip-1',
      authType: 'credentials',
      srtp: 'never',
      ha1: '<secret>',
    });
    for (const secret of ['do-not-show', 'hidden', 'digest', 'md5'])
      expect(JSON.stringify(body)).not.toContain(secret);
  });

  test('every change is what the contract says a site receives', async () => {
    const { store } = api.database;
    const rows = await changesMade(
      store,
      'tenant',
      (await tenantByDomain(store, 'a.test'))?.id ?? '',
      0,
      1000,
    );
    const received = {
      alarmbridge: replicatedAlarmBridgeSchema,
      device: replicatedDeviceSchema,
      notificationsettings: replicatedNotificationSettingsSchema,
    };
    for (const [entity, schema] of Object.entries(received)) {
      const bodies = rows.filter((row) => row.entity === entity && row.op === 'put').map((row) => row.body);
      expect(bodies.length).toBeGreaterThan(0);
      for (const body of bodies) expect(schema.parse(body)).toEqual(body);
    }
  });

  test('each write left one audit entry, secrets masked, in an unbroken chain', async () => {
    const { store, port } = api.database;
    const rows = await auditAfter(store, (await tenantByDomain(store, 'a.test'))?.id ?? '', 0, 10_000);
    expect(verifyAudit(rows, port.sha256)).toBeNull();
    expect(rows.find((row) => row.entity === 'alarmbridge')).toMatchObject({
      action: 'create',
      actor: expect.stringMatching(/^token:/) as string,
      requestId: expect.any(String) as string,
      detail: { after: { name: BRIDGE.name, restAuthentication: [{ secret: '<secret>' }] } },
    });
    for (const secret of ['do-not-show', 'hidden']) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('the audit log is read in pages and ends where its head says', async () => {
    const path = '/provisioning/audit/a.test';
    const seen: { seq: number; hash: string; actor: string }[] = [];
    let query = '?limit=7';
    while (query !== '') {
      const { body } = await ask(api, 'GET', `${path}${query}`, { token });
      seen.push(...(body.entries as typeof seen));
      query = body.nextToken === undefined ? '' : `?limit=7&nextToken=${String(body.nextToken)}`;
    }
    expect(seen.map((entry) => entry.seq)).toEqual(seen.map((_, index) => index + 1));
    const head = await ask(api, 'GET', `${path}/head`, { token });
    expect(head.body).toMatchObject({ success: true, seq: seen.length, hash: seen.at(-1)?.hash });
    const back: number[] = [];
    query = '?order=newest&limit=7';
    while (query !== '') {
      const { body } = await ask(api, 'GET', `${path}${query}`, { token });
      back.push(...(body.entries as { seq: number }[]).map((entry) => entry.seq));
      query = body.nextToken === undefined ? '' : `?order=newest&limit=7&nextToken=${String(body.nextToken)}`;
    }
    expect(back).toEqual(seen.map(({ seq }) => seq).toReversed());
    const actor = seen.at(-1)?.actor ?? '';
    const own: number[] = [];
    const asked = `?actor=${encodeURIComponent(actor)}&limit=2`;
    query = asked;
    while (query !== '') {
      const { body } = await ask(api, 'GET', `${path}${query}`, { token });
      own.push(...(body.entries as { seq: number }[]).map((entry) => entry.seq));
      query = body.nextToken === undefined ? '' : `${asked}&nextToken=${String(body.nextToken)}`;
    }
    const expected = seen.filter((entry) => entry.actor === actor).map(({ seq }) => seq);
    expect(expected.length).toBeGreaterThan(2);
    expect(own).toEqual(expected.toReversed());
    const none = await ask(api, 'GET', `${path}?actor=key%3Anone`, { token });
    expect(none.body).toMatchObject({ success: true, entries: [] });
    const both = await ask(api, 'GET', `${path}?actor=${actor}&entity=device&entityId=d-1`, { token });
    expect(both).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
    expect((await ask(api, 'GET', `${path}?order=random`, { token })).status).toBe(400);
    const foreign = await ask(
      api,
      'GET',
      `${path}?nextToken=${Buffer.from('[1,"x"]').toString('base64url')}`,
      { token },
    );
    expect(foreign.status).toBe(400);
  });

  test('health: alive, ready, measured', async () => {
    expect(await ask(api, 'GET', '/healthz', { token: null })).toMatchObject({ status: 200 });
    expect(await ask(api, 'GET', '/readyz', { token: null })).toMatchObject({ status: 200 });
    const { headers, body } = await ask(api, 'GET', '/metrics', { token: null });
    expect(headers.get('Content-Type')).toContain('text/plain');
    expect(body.text).toMatch(
      /^carillon_http_request_seconds_count\{method="PUT",route="\/provisioning\/device\/:domain",status="200"\} \d+$/m,
    );
    expect(body.text).toContain('carillon_extra 1\n');
    expect(body.text).not.toContain('a.test');
  });

  test('not ready says why; metrics off loopback take the token of the owner', async () => {
    const away = await openApi({ listenerOnLoopback: false, readiness: [async () => 'the broker is away'] });
    expect(await ask(away, 'GET', '/readyz', { token: null })).toMatchObject({
      status: 503,
      body: { success: false, reason: 'the broker is away' },
    });
    expect((await ask(away, 'GET', '/metrics', { token: null })).status).toBe(401);
    expect((await ask(away, 'GET', '/metrics', { token: await makeTenant(away, 'm.test') })).status).toBe(
      403,
    );
    expect((await ask(away, 'GET', '/metrics')).status).toBe(200);
    await away.close();
  });

  test('/openapi.json is OpenAPI 3.1 with the callbacks; the page that tries it loads only from here', async () => {
    const { body } = await ask(api, 'GET', '/openapi.json', { token: null });
    expect(body).toMatchObject({
      openapi: '3.1.0',
      webhooks: {
        newAlarmbridgeEvent: { post: expect.anything() as object },
        platformAlarm: { post: expect.anything() as object },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    const operations = Object.values(body.paths as object).flatMap((item: object) => Object.values(item)) as {
      operationId: string;
    }[];
    const names = operations.map((operation) => operation.operationId);
    expect(names).toContain('patchProvisioningDeviceByDeviceId');
    expect(new Set(names).size).toBe(names.length);
    const page = await ask(api, 'GET', '/docs/try', { token: null });
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    const links = [...String(page.body.text).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) =>
      String(match[1]),
    );
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const asset = await ask(api, 'GET', link, { token: null });
      expect([link, asset.status]).toEqual([link, 200]);
      expect(asset.headers.get('Content-Security-Policy')).toContain("'self'");
    }
    const start = String((await ask(api, 'GET', '/docs/try/start.js', { token: null })).body.text);
    expect(start).toContain('validatorUrl: null');
    // Folded: 250 operations that are unfolded take seconds to draw.
    expect(start).toContain("docExpansion: 'none'");
    const out = ['package.json', '../package.json', '%2e%2e/package.json'];
    for (const path of out.flatMap((each) => [`/docs/${each}`, `/docs/try/${each}`]))
      expect((await ask(api, 'GET', path, { token: null })).status).toBe(404);
  });
});
