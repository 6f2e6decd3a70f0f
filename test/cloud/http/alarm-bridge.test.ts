import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changesSince, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

const DOMAIN = 'a.test';
const all = `/provisioning/alarmbridge/${DOMAIN}`;

describe('alarm bridges', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, DOMAIN);
    tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
  });
  afterAll(() => api.close());
  beforeEach(() => {
    api.defects.length = 0;
  });

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    ask(api, method, path, { token, body, ...(headers === undefined ? {} : { headers }) });
  const create = async (body: unknown = BRIDGE, query = ''): Promise<string> =>
    String((await send('POST', `${all}${query}`, body)).body.id);
  const revision = () => currentRevision(api.database.store, 'tenant', tenant);
  const changes = (since: number) => changesSince(api.database.store, 'tenant', tenant, since, 1000);

  test('POST, then GET shows it with defaults and without its secret', async () => {
    const made = await send('POST', all, BRIDGE);
    expect(made).toMatchObject({ status: 200, body: { success: true, id: expect.any(String) as string } });
    const read = await send('GET', `${all}/${String(made.body.id)}`);
    expect(read.status).toBe(200);
    expect(read.headers.get('ETag')).toBe(made.headers.get('ETag'));
    expect(read.body).toMatchObject({
      success: true,
      alarmbridge: {
        ...BRIDGE,
        id: made.body.id,
        callbackId: expect.any(String) as string,
        callbackTimeout: 15_000,
        controlCommandsEnabled: true,
        restAuthentication: [{ sub: 'carillon', secret: '<secret>', type: 'HS256' }],
      },
    });
  });

  test('take by PUT what GET gave, and the stored secret stays', async () => {
    const id = await create();
    const { alarmbridge } = (await send('GET', `${all}/${id}`)).body;
    const before = await revision();
    expect((await send('PUT', `${all}/${id}`, alarmbridge)).body).toMatchObject({ success: true, id });
    const [row] = await changes(before);
    expect(row?.body).toMatchObject({ id, restAuthentication: [{ secret: 'do-not-show' }] });
  });

  test('a secret placeholder with nothing behind it is refused', async () => {
    const body = { ...BRIDGE, restAuthentication: [{ secret: '<secret>', type: 'HS256' }] };
    expect(await send('POST', all, body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: 'secretUnknown', path: '/restAuthentication/0/secret' } },
    });
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ['an unknown property', { ...BRIDGE, callbackTimout: 1 }, '/callbackTimout'],
    ['an unknown property inside', { ...BRIDGE, toneSettings: { dtmf: 1 } }, '/toneSettings/dtmf'],
    ['a callback without TLS', { ...BRIDGE, callbackBaseUrl: 'http://arc.example' }, '/callbackBaseUrl'],
    ['a pattern that is none', { ...BRIDGE, destinationMatch: 'a(' }, '/destinationMatch'],
    [
      'a heartbeat below five minutes',
      { ...BRIDGE, defaultHeartbeatInterval: 299_999 },
      '/defaultHeartbeatInterval',
    ],
    ['an unknown protocol', { ...BRIDGE, protocol: 'pigeon' }, '/protocol'],
    ['a missing name', { protocol: 'scaip', destinationMatch: 'x' }, '/name'],
    [
      'an event map that cannot run',
      { ...BRIDGE, customEventMap: { rules: [{ when: { sipFrom: '/(/' } }] } },
      '/customEventMap/rules/0/when/sipFrom',
    ],
    ['a list', [BRIDGE], ''],
  ];
  test.each(refused)('%s is refused with its place', async (_name, body, path) => {
    expect(await send('POST', all, body)).toMatchObject({
      status: 400,
      body: { success: false, reason: expect.any(String) as string, error: { code: 'invalid', path } },
    });
  });

  test('the list comes in pages, in order of id, and ends', async () => {
    const other = 'pages.test';
    const theirs = await makeTenant(api, other);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      api.clock.now += 1;
      const answer = await ask(api, 'POST', `/provisioning/alarmbridge/${other}`, {
        token: theirs,
        body: BRIDGE,
      });
      made.push(String(answer.body.id));
    }
    const seen: string[] = [];
    let query = '?limit=2';
    let pages = 0;
    while (query !== '') {
      const page = await ask(api, 'GET', `/provisioning/alarmbridge/${other}${query}`, { token: theirs });
      pages += 1;
      seen.push(...(page.body.alarmbridges as { id: string }[]).map((bridge) => bridge.id));
      query = page.body.nextToken === undefined ? '' : `?limit=2&nextToken=${String(page.body.nextToken)}`;
    }
    expect(seen).toEqual(made);
    expect(pages).toBe(3);
  });

  test.each(['limit=0', 'limit=101', 'limit=ten', 'nextToken=no', 'provisory=yes', 'limits=1'])(
    'the list refuses %s',
    async (query) => {
      expect(await send('GET', `${all}?${query}`)).toMatchObject({ status: 400, body: { success: false } });
    },
  );

  test('an unknown id is 404 for every verb', async () => {
    const patch = [{ op: 'remove', path: '/description' }];
    const answers = await Promise.all([
      send('GET', `${all}/nobody`),
      send('PUT', `${all}/nobody`, BRIDGE),
      send('PATCH', `${all}/nobody`, patch),
      send('DELETE', `${all}/nobody`),
      send('PUT', `${all}/nobody?provisory=true`, BRIDGE),
    ]);
    expect(answers.map((answer) => [answer.status, (answer.body.error as { code: string }).code])).toEqual(
      answers.map(() => [404, 'notFound']),
    );
  });

  test('If-Match guards PUT, PATCH and DELETE', async () => {
    const id = await create();
    const etag = (await send('GET', `${all}/${id}`)).headers.get('ETag') ?? '';
    const patch = [{ op: 'replace', path: '/name', value: 'Other' }];
    const stale = { 'If-Match': '"0123"' };
    for (const answer of [
      await send('PUT', `${all}/${id}`, BRIDGE, stale),
      await send('PATCH', `${all}/${id}`, patch, stale),
      await send('DELETE', `${all}/${id}`, undefined, stale),
    ])
      expect(answer).toMatchObject({ status: 412, body: { error: { code: 'preconditionFailed' } } });
    const patched = await send('PATCH', `${all}/${id}`, patch, { 'If-Match': `"x", ${etag}` });
    expect(patched).toMatchObject({ status: 200, body: { success: true } });
    expect(patched.headers.get('ETag')).not.toBe(etag);
    expect((await send('DELETE', `${all}/${id}`, undefined, { 'If-Match': etag })).status).toBe(412);
    expect((await send('DELETE', `${all}/${id}`, undefined, { 'If-Match': '*' })).status).toBe(200);
  });

  test('testconfiguration: lowest order, then lowest id; a percent-encoded destination is decoded', async () => {
    const late = await create({ ...BRIDGE, destinationMatch: 'zulu', order: 2000 });
    const early = await create({ ...BRIDGE, destinationMatch: '^zulu lap$', order: 5 });
    expect((await send('GET', `${all}/testconfiguration/zulu%20lap`)).body.receiver).toBe(early);
    expect((await send('GET', `${all}/testconfiguration/zulu-tango`)).body.receiver).toBe(late);
    expect((await send('GET', `${all}/testconfiguration/nobody-at-all`)).status).toBe(404);
  });

  test('trymap runs the stored map', async () => {
    const customEventMap = {
      rules: [
        {
          when: { sipFrom: '/^\\+46/' },
          path: '/swedish',
          body: { unit: '{{alarmEvent.controllerId}}' },
          headers: { 'X-Kind': 'se' },
        },
        { when: { sipFrom: 'mute' }, drop: true },
      ],
    };
    const id = await create({ ...BRIDGE, customEventMap });
    const event = (sipFrom: string) => ({
      sessionId: 's',
      ivrServer: '192.0.2.1',
      domain: DOMAIN,
      sourceAlarmProtocol: 'scaip',
      protocol: 'scaip',
      sipFrom,
      calledParty: 'scaip',
      callingParty: sipFrom,
      serviceProvider: 'scaip',
      alarmEvent: {
        eventType: 'common',
        controllerId: 'c-1',
        deviceType: 'personalTrigger',
        statusCode: 'alarmManual',
        systemConfig: 'localUnitAndController',
        audio: 'duplex',
        priority: 0,
      },
      sourceAlarmEvent: {
        protocol: 'scaip',
        raw: '',
        fields: {},
        check: { policy: 'ignore', result: 'none' },
        warnings: [],
      },
      replyId: 'r',
      traceId: 't',
    });
    const run = async (sipFrom: string) => (await send('POST', `${all}/${id}/trymap`, event(sipFrom))).body;
    expect(await run('+46123')).toEqual({
      success: true,
      rule: 0,
      path: '/swedish',
      body: { unit: 'c-1' },
      headers: { 'X-Kind': 'se' },
      drop: false,
    });
    expect(await run('mute')).toMatchObject({ success: true, rule: 1, body: null, drop: true });
    expect(await run('other')).toMatchObject({
      success: true,
      rule: null,
      path: '/newAlarmbridgeEvent',
      body: { sipFrom: 'other' },
    });
  });

  test('deleting the last bridge allows the mass change', async () => {
    const other = 'last.test';
    const theirs = await makeTenant(api, other);
    const path = `/provisioning/alarmbridge/${other}`;
    const ids: string[] = [];
    for (let i = 0; i < 2; i++)
      ids.push(String((await ask(api, 'POST', path, { token: theirs, body: BRIDGE })).body.id));
    const owner = (await tenantByDomain(api.database.store, other))?.id ?? '';
    const before = await currentRevision(api.database.store, 'tenant', owner);
    for (const id of ids) await ask(api, 'DELETE', `${path}/${id}`, { token: theirs });
    const rows = await changesSince(api.database.store, 'tenant', owner, before, 10);
    expect(rows.map((row) => [row.op, row.massChange])).toEqual([
      ['delete', false],
      ['delete', true],
    ]);
  });
});
