import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changesSince, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { type Answer, ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

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

  test('what GET gave can be PUT, and the stored secret stays', async () => {
    const id = await create();
    const { alarmbridge } = (await send('GET', `${all}/${id}`)).body;
    const before = await revision();
    expect((await send('PUT', `${all}/${id}`, alarmbridge)).body).toEqual({ success: true, id });
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
        (await send('PATCH', `${all}/${id}`, patch, { 'Content-Type': 'application/json-patch+json' }))
          .status,
      ).toBe(200);
      for (const type of ['text/plain', 'application/merge-patch+json', 'application/xml']) {
        const answer = await send('PATCH', `${all}/${id}`, patch, { 'Content-Type': type });
        expect(answer).toMatchObject({
          status: 415,
          body: { success: false, error: { code: 'unsupportedMediaType' } },
        });
      }
    });
  });

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
      expect(promoted.body).toEqual({ success: true, alarmbridges: [id] });
      expect((await send('GET', `${all}/testconfiguration/draft`)).body).toEqual({
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
      expect((await send('PUT', `${all}/${working}?provisory=true`, draft)).body).toEqual({
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
      expect(left.body.configuration).toEqual({ alarmbridges: [] });
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
