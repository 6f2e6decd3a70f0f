import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alarmCallRouter } from '#cloud/http/index.ts';
import { isSiteSignature } from '#cloud/io/key/index.ts';
import { createRuntimeRelay, type RuntimeRelayPort } from '#cloud/site/index.ts';
import { type HostRow, insertHost, insertSite, tenantByDomain } from '#cloud/store/index.ts';
import { fail, ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const NORTH = generateKeyPairSync('ed25519');
const SOUTH = generateKeyPairSync('ed25519');
const PATH = '/alarmbridge/a.test/devicecommand';

const replyId = (key: typeof NORTH, claims: object = {}): string => {
  const head = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'carillon-reply' })).toString('base64url');
  const said = { domain: 'a.test', host: 'h1', epoch: 1, session: 's1', refers: 'alarm', iat: 1, ...claims };
  const text = `${head}.${Buffer.from(JSON.stringify(said)).toString('base64url')}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
};

const command = (of: string, more: object = {}) => ({
  body: { replyId: of, sessionId: 's1', command: 'volumeUp', ...more },
});

describe('runtime operations at the cloud', () => {
  let api: TestApi;
  let token: string;
  let asked: Parameters<RuntimeRelayPort['ask']>[];
  let posted: Parameters<RuntimeRelayPort['post']>[0][];
  let hear: Awaited<ReturnType<RuntimeRelayPort['ask']>>;
  let get: Awaited<ReturnType<RuntimeRelayPort['post']>>;
  /** The answer of a host over the management connection. */
  const received = (status: number, body: object) =>
    ok({
      v: 1 as const,
      id: '01jc7z5t3k9q8w6m4n2p0r1s5v',
      ok: true,
      data: { status, body },
      part: 1,
      last: true,
    });

  beforeEach(async () => {
    asked = [];
    posted = [];
    hear = received(200, { success: true });
    get = ok({ status: 200, body: '{"success":true}' });
    api = await openApi({
      routers: [
        (gate) =>
          alarmCallRouter((call) =>
            createRuntimeRelay({
              store: api.database.store,
              isSiteSignature,
              ask: async (...question) => {
                asked.push(question);
                return hear;
              },
              post: async (request) => {
                posted.push(request);
                return get;
              },
            })(call),
          )(gate),
      ],
    });
    token = await makeTenant(api, 'a.test');
    const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    await api.database.store.withTx(async (tx) => {
      for (const [siteId, key, reachable] of [
        ['north', NORTH, false],
        ['south', SOUTH, true],
      ] as const) {
        const keyPublic = key.publicKey.export({ format: 'jwk' }) as Record<string, string>;
        const row = { tenant, siteId, name: null, profile: 'standard' as const, reachable, keyPublic };
        await insertSite(tx, { ...row, keySealed: '', createdAt: 1 });
        await insertHost(tx, host(tenant, siteId));
      }
    });
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const host = (tenant: string, siteId: string): HostRow => ({
    uid: `01jc7z5t3k9q8w6m4n2p0${siteId}`,
    sh: '00',
    tenant,
    siteId,
    hostId: 'h1',
    lifecycle: 'active',
    lifecycleSince: 1,
    ...HOST_ROW,
    certSince: 1,
    siteBaseUrl: `https://${siteId}.a.test/`,
    createdAt: 1,
  });

  test('go to the host whose site signed the replyId, with the token of the caller', async () => {
    const answer = await ask(api, 'POST', PATH, { token, ...command(replyId(NORTH)) });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(asked).toMatchObject([
      [
        '01jc7z5t3k9q8w6m4n2p0north',
        {
          op: 'api.relay',
          forMs: 18_000,
          by: expect.stringMatching(/^user:token:/),
          args: {
            operation: 'devicecommand',
            domain: 'a.test',
            authorization: `Bearer ${token}`,
            body: { replyId: replyId(NORTH), sessionId: 's1', command: 'volumeUp' },
          },
        },
      ],
    ]);
    expect(posted).toEqual([]);
  });

  const MESSAGE = {
    reqUri: 'sip:unit@192.0.2.1',
    from: 'sip:unit@a.test',
    contentType: 'text/plain',
    body: 'hello',
  };

  const ENTRY = {
    kind: 'trunk',
    key: 'carrier',
    protocol: 'bs8521',
    calls: 4,
    firstTry: 3,
    retried: 1,
    failed: 0,
    requests: 5,
    badStrings: 1,
    digits: 100,
    levelDbm0: -12,
    twistDb: 1,
    lastMs: 1_000,
  };

  test('show handshakes of all hosts added up, levels weighed by their digits', async () => {
    hear = received(200, { success: true, entries: [ENTRY] });
    const south = { ...ENTRY, calls: 2, firstTry: 2, retried: 0, digits: 300, levelDbm0: -20, lastMs: 2_000 };
    const other = { ...ENTRY, key: 'other', lastMs: 1_500 };
    get = ok({ status: 200, body: JSON.stringify({ success: true, entries: [south, other] }) });
    const answer = await ask(api, 'POST', '/alarmbridge/a.test/handshakes', { token, body: {} });
    expect(answer.body).toEqual({
      success: true,
      entries: [
        {
          ...south,
          calls: 6,
          firstTry: 5,
          retried: 1,
          requests: 10,
          badStrings: 2,
          digits: 400,
          levelDbm0: -18,
        },
        other,
      ],
    });
  });

  test('show handshakes of the hosts that are there, and say which are not', async () => {
    hear = fail('late', 'nobody');
    get = ok({ status: 200, body: JSON.stringify({ success: true, entries: [ENTRY] }) });
    const some = await ask(api, 'POST', '/alarmbridge/a.test/handshakes', { token, body: {} });
    expect(some.body).toEqual({ success: true, entries: [ENTRY], missingHosts: ['north/h1'] });
    get = fail('unreachable', 'nobody');
    const none = await ask(api, 'POST', '/alarmbridge/a.test/handshakes', { token, body: {} });
    expect(none).toMatchObject({ status: 503, body: { success: false } });
  });

  test('that name no host go to the hosts of the tenant, until one can do it', async () => {
    hear = received(409, { success: false, reason: 'nobody here', error: { code: 'noRoute' } });
    const answer = await ask(api, 'POST', '/sipmessage/a.test/message', { token, body: MESSAGE });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(asked).toMatchObject([
      ['01jc7z5t3k9q8w6m4n2p0north', { args: { operation: 'message', body: MESSAGE } }],
    ]);
    expect(posted.map(({ url }) => url)).toEqual(['https://south.a.test/sipmessage/a.test/message']);
  });

  test('that no host can do are answered by what one said', async () => {
    hear = received(409, { success: false, reason: 'nobody here', error: { code: 'noRoute' } });
    get = fail('unreachable', 'the site is away');
    const answer = await ask(api, 'POST', '/sipmessage/a.test/message', { token, body: MESSAGE });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'noRoute' } } });
  });

  test('that may have been done are not asked of another host', async () => {
    hear = fail('late', 'no answer');
    const answer = await ask(api, 'POST', '/sipmessage/a.test/message', { token, body: MESSAGE });
    expect(answer).toMatchObject({ status: 504 });
    expect(posted).toEqual([]);
  });

  test('go by HTTPS where the site is marked reachable', async () => {
    const path = '/alarmbridge/a.test/hangupalarmcall';
    const body = { replyId: replyId(SOUTH), sessionId: 's1' };
    expect(await ask(api, 'POST', path, { token, body })).toMatchObject({ status: 200 });
    expect(asked).toEqual([]);
    expect(posted).toEqual([
      {
        url: 'https://south.a.test/alarmbridge/a.test/hangupalarmcall',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
        timeoutMs: 18_000,
      },
    ]);
    get = ok({ status: 302, body: 'elsewhere' });
    expect(await ask(api, 'POST', path, { token, body })).toMatchObject({
      status: 502,
      body: { error: { code: 'ownerAnswerInvalid' } },
    });
  });

  test('go by HTTPS to the path that the site has, whatever the caller names it', async () => {
    const body = { replyId: replyId(SOUTH), sessionId: 's1', streamId: 'x' };
    const path = '/alarmbridge/a.test/stopstream';
    expect(await ask(api, 'POST', path, { token, body })).toMatchObject({ status: 200 });
    expect(posted.map(({ url }) => url)).toEqual(['https://south.a.test/alarmbridge/a.test/stopstream']);
  });

  test('give the answer of the host as it is, and 502 for one that makes no sense', async () => {
    const refused = { success: false, reason: 'no call', error: { code: 'noVoiceCall' } };
    hear = received(409, refused);
    const request = { token, ...command(replyId(NORTH)) };
    expect(await ask(api, 'POST', PATH, request)).toMatchObject({ status: 409, body: refused });
    for (const strange of [
      received(418, refused),
      received(409, { teapot: true }),
      received(99, refused),
      ok({ ...received(200, {}).value, ok: false, error: { code: 'unknownOperation', reason: 'old' } }),
    ]) {
      hear = strange;
      expect(await ask(api, 'POST', PATH, request)).toMatchObject({
        status: 502,
        body: { success: false, error: { code: 'ownerAnswerInvalid' } },
      });
    }
  });

  test('are 503 without a connection and 504 without an answer', async () => {
    const request = { token, ...command(replyId(NORTH)) };
    hear = fail('unreachable', 'no connection');
    expect(await ask(api, 'POST', PATH, request)).toMatchObject({
      status: 503,
      body: { error: { code: 'ownerUnreachable' } },
    });
    hear = fail('late', 'too late');
    expect(await ask(api, 'POST', PATH, request)).toMatchObject({
      status: 504,
      body: { error: { code: 'ownerSilent' } },
    });
    const lost = { token, ...command(replyId(NORTH, { host: 'h9' })) };
    expect(await ask(api, 'POST', PATH, lost)).toMatchObject({ status: 503 });
  });

  test('are refused here when the replyId is forged, foreign or none', async () => {
    const stranger = generateKeyPairSync('ed25519');
    const bad = [replyId(stranger), replyId(NORTH, { domain: 'b.test' }), 'nothing', 'a.b.c'];
    for (const id of bad)
      expect(await ask(api, 'POST', PATH, { token, ...command(id) })).toMatchObject({
        status: 400,
        body: { error: { code: 'replyIdInvalid', path: '/replyId' } },
      });
    expect(asked).toEqual([]);
  });

  test('are refused here for a bad body, one that is too long, and callers whom no host knows', async () => {
    const request = command(replyId(NORTH), { volume: 3 });
    expect(await ask(api, 'POST', PATH, { token, ...request })).toMatchObject({
      status: 400,
      body: { error: { path: '/volume' } },
    });
    const long = command(replyId(NORTH), { sessionId: 'x'.repeat(61 * 1024) });
    expect(await ask(api, 'POST', PATH, { token, ...long })).toMatchObject({
      status: 413,
      body: { error: { code: 'tooLarge' } },
    });
    expect(await ask(api, 'POST', PATH, command(replyId(NORTH)))).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
    expect(asked).toEqual([]);
  });

  test('take the scope runtime, and answer OPTIONS and other methods as every path', async () => {
    const reader = await makeTenant(api, 'a.test', 'read');
    const body = command(replyId(NORTH));
    expect(await ask(api, 'POST', PATH, { token: reader, ...body })).toMatchObject({ status: 403 });
    const runtime = await makeTenant(api, 'a.test', 'runtime');
    expect(await ask(api, 'POST', PATH, { token: runtime, ...body })).toMatchObject({ status: 200 });
    const options = await ask(api, 'OPTIONS', PATH, { token: null });
    expect(options).toMatchObject({ status: 200, body: {} });
    expect(options.headers.get('access-control-allow-methods')).toContain('POST');
    const got = await ask(api, 'GET', PATH, { token });
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  describe('sendalarmevent, which names no host', () => {
    const EVENT = {
      eventReceiver: 'north',
      alarmEvent: { controllerId: '55667788', deviceType: 'fallDetector' },
    };
    const TAKEN = { success: true, traceId: 't', sessionId: 's', message: 'stored', replyId: 'r' };
    const send = (body: object, headers: Record<string, string> = {}) =>
      ask(api, 'POST', '/alarmbridge/a.test/sendalarmevent', { token, body, headers });

    test('goes to a host of the tenant with its key, and brings back what it said', async () => {
      hear = received(200, TAKEN);
      const answer = await send(EVENT, { 'idempotency-key': 'order-4711' });
      expect([answer.status, answer.body]).toEqual([200, TAKEN]);
      expect(asked[0]?.[1].args).toMatchObject({
        operation: 'sendalarmevent',
        idempotencyKey: 'order-4711',
        body: { eventReceiver: 'north', alarmEvent: { controllerId: '55667788', priority: 0 } },
      });
    });

    test('goes on to the next host when one has no such receiver', async () => {
      hear = received(404, { success: false, reason: 'no', error: { code: 'noReceiver' } });
      get = ok({ status: 200, body: JSON.stringify(TAKEN) });
      expect((await send(EVENT)).body).toEqual(TAKEN);
      expect([asked.length, posted.length]).toEqual([1, 1]);
      expect(posted[0]?.url).toBe('https://south.a.test/alarmbridge/a.test/sendalarmevent');
    });

    test('is refused before any host is asked when a field is wrong: the field and its rule are named', async () => {
      const answer = await send({ ...EVENT, alarmEvent: { controllerId: '1', priority: 12 } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ success: false, error: { path: '/alarmEvent/priority' } });
      expect(asked).toEqual([]);
    });
  });
});
