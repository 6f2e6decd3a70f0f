import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeReplyId } from '#appliance/delivery/callback/index.ts';
import { createOperations } from '#appliance/engine/operations.ts';
import { type HttpsListener, listenHttps } from '#appliance/io/https-listener/index.ts';
import { bearerCrypto, siteKeys, sitePages } from '#appliance/io/site-listener/index.ts';
import type { RunningAlarms } from '#appliance/operation/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { type HandshakeEntry, handshakeAnswerSchema } from '#shared/contract/runtime/index.ts';
import { fail, ok } from '#shared/result.ts';

const DOMAIN = 'care.example';
const PATH = `/alarmbridge/${DOMAIN}/devicecommand`;
const NOW = Date.UTC(2030, 0, 1);
const folder = mkdtempSync(join(tmpdir(), 'carillon-runtime-door-'));
const keys = siteKeys(undefined);
const crypto = bearerCrypto();
let listener: HttpsListener;
let ca: string;
let tenant: TenantModel;
let alarms: RunningAlarms;
const ENTRY: HandshakeEntry = {
  kind: 'device',
  key: 'a',
  protocol: 'bs8521',
  calls: 1,
  firstTry: 1,
  retried: 0,
  failed: 0,
  requests: 1,
  badStrings: 0,
  digits: 27,
  levelDbm0: -9.5,
  lastMs: NOW,
};

const SESSION = {
  ...{ sessionId: 'session-1', mediaserviceId: 'service-1', traceId: 't', siteId: 'north', hostId: 'h1' },
  ...{ siteBaseUrl: 'https://site', startTime: NOW, callingParty: 'anna', calledParty: 'ivr', replyId: 'r' },
};
const QUEUE = {
  ...{ mediaserviceId: 'service-1', siteId: 'north', hostId: 'h1', queue: 'support' },
  ...{ waiting: 2, alarmsWaiting: 1, longestWait: 40, entered: 9, answered: 5, abandoned: 1, overflowed: 1 },
  ...{ meanWait: 12, meanService: 180, agents: [{ agent: 'anna', state: 'talking' as const, since: 60 }] },
};
const COUNTS = { participantCount: 1, connectionCount: 1 };

let done: unknown[];
let messages: unknown[];

beforeAll(async () => {
  const authority = await demoAuthority(folder);
  ca = readFileSync(authority.file, 'utf8');
  const operate = createOperations(
    {
      clock: { wallMs: () => NOW, monoMs: () => 0 },
      tenant: () => tenant,
      place: { siteId: 'north', hostId: 'h1', siteBaseUrl: 'https://site', address: '127.0.0.1', epoch: 1 },
    },
    {
      commands: {
        command: (session, said) => alarms.command(session, said),
        hangUp: (session) => alarms.hangUp(session),
        take: (said) => alarms.take(said),
        release: (session) => alarms.release(session),
      },
      alarmStreams: { start: () => ok({ streamId: 'stream-1' }), stop: () => undefined },
      sender: {
        send: async (said, key) => {
          done.push([said.eventReceiver, key]);
          return said.eventReceiver === 'north'
            ? ok({ traceId: 't', sessionId: 's', message: 'stored', replyId: 'r' })
            : fail('noReceiver', 'nobody matches', '/eventReceiver');
        },
      },
      messages: {
        send: async (message) => {
          messages.push(message);
          return ok(undefined);
        },
      },
      handshakes: { list: ({ kind, limit }) => [{ ...ENTRY, kind: kind ?? 'device', calls: limit }] },
      media: { operate: () => undefined },
      mediaSessions: {
        list: ({ limit, mediaserviceId }) => ({
          sessions: mediaserviceId === 'none' ? [] : [{ ...SESSION, ...COUNTS }],
          ...(limit === 1 && { nextToken: SESSION.sessionId }),
        }),
        queues: ({ mediaserviceId }) => (mediaserviceId === 'none' ? [] : [QUEUE]),
        byId: (id) =>
          id === SESSION.sessionId ? { ...SESSION, participants: [], connections: [] } : undefined,
      },
      remote: { operate: () => undefined },
      crypto,
      verifyReply: keys.verify,
    },
  );
  const pages = sitePages({
    operate,
    authorize: async () => fail('unauthorized', 'nobody'),
    health: { reasons: () => [], mayHaveAddress: () => true, figures: () => ({}) },
    wallMs: () => NOW,
  });
  const certificate = await authority.issue(['127.0.0.1']);
  listener = await listenHttps({ host: '127.0.0.1', port: 0, certificate }, pages);
});
afterAll(async () => {
  await listener.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  messages = [];
  tenant = new TenantModel(DOMAIN);
  tenant.put('apitoken', 't', { id: 't', hash: crypto.sha256Hex('ct_right'), role: 'operator' });
  done = [];
  alarms = {
    command: async (session, { command }) => {
      done.push([session, command]);
      return ok(undefined);
    },
    hangUp: async (session) => {
      done.push([session, 'hangUp']);
      return ok(undefined);
    },
    take: ({ sessionId, destination }) => {
      done.push([sessionId, destination]);
      return ok(undefined);
    },
    release: (session) => {
      done.push([session, 'release']);
      return ok(undefined);
    },
  };
});

interface Asked extends Pick<RequestOptions, 'method' | 'path' | 'headers'> {
  readonly body?: unknown;
  readonly raw?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function ask({ method = 'POST', path = PATH, headers = {}, body, raw }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = raw ?? (body === undefined ? '' : JSON.stringify(body));
    const options: RequestOptions = {
      host: '127.0.0.1',
      port: listener.port,
      ca,
      method,
      path,
      agent: false,
      headers: {
        authorization: 'Bearer ct_right',
        'content-type': 'application/json',
        ...headers,
      },
    };
    const request = httpsRequest(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) });
    });
    request.on('error', reject);
    request.end(sent);
  });
}

const deep = (levels: number): string => (levels === 0 ? '1' : `{"a":${deep(levels - 1)}}`);

const replyId = (change: { host?: string; session?: string; iat?: number } = {}): string =>
  makeReplyId(
    { domain: DOMAIN, host: 'h1', epoch: 1, session: 's1', refers: 'alarm', iat: NOW / 1000, ...change },
    keys.sign,
  );
const volumeUp = (id = replyId()) => ({ replyId: id, sessionId: 's1', command: 'volumeUp' });
const refused = (status: number, code: string, path?: string) => ({
  status,
  body: {
    success: false,
    reason: expect.stringMatching(/\w/),
    error: { code, ...(path === undefined ? {} : { path }) },
  },
});

describe('runtime operations over HTTPS of the site', () => {
  test('are answered when they are done', async () => {
    expect(await ask({ body: volumeUp() })).toMatchObject({ status: 200, body: { success: true } });
    const path = `/alarmbridge/${DOMAIN}/hangupalarmcall`;
    const body = { replyId: replyId(), sessionId: 's1' };
    expect(await ask({ path, body })).toMatchObject({ status: 200, body: { success: true } });
    expect(done).toEqual([
      ['s1', 'volumeUp'],
      ['s1', 'hangUp'],
    ]);
  });

  test.each([
    ['noVoiceCall', 409],
    ['controlCommandsDisabled', 409],
    ['commandNotSupported', 400],
    ['deviceSilent', 504],
  ] as const)('say what became of them: %s is %i', async (code, status) => {
    alarms = { ...alarms, command: async () => fail(code, 'so it is') };
    expect(await ask({ body: volumeUp() })).toMatchObject(refused(status, code));
  });

  describe('show the running sessions of media services', () => {
    const read = (path: string, more: Partial<Asked> = {}) =>
      ask({ method: 'GET', path: `/mediaservice/${DOMAIN}/session${path}`, ...more });

    test('a page of them, and one', async () => {
      expect(await read('')).toMatchObject({
        status: 200,
        body: { success: true, sessions: [{ ...SESSION, ...COUNTS }] },
      });
      expect(await read('?limit=1')).toMatchObject({ body: { nextToken: 'session-1' } });
      expect(await read('?mediaserviceId=none')).toMatchObject({ body: { sessions: [] } });
      expect(await read('/session-1')).toMatchObject({
        status: 200,
        body: { session: { ...SESSION, participants: [] } },
      });
    });

    test.each([
      ['one that does not run', '/session-2', {}, 404, 'sessionUnknown'],
      ['too many', '?limit=101', {}, 400, 'invalid'],
      ['a word that is none', '?state=ringing', {}, 400, 'invalid'],
      ['a stranger', '', { headers: { authorization: 'Bearer ct_wrong' } }, 401, 'unauthorized'],
      ['another tenant', '', { path: '/mediaservice/other.test/session' }, 403, 'forbidden'],
      ['another method', '/session-1', { method: 'DELETE' }, 405, 'methodNotAllowed'],
    ] as const)('%s: refused', async (_, path, more, status, code) => {
      expect(await read(path, more)).toMatchObject({ status, body: { success: false, error: { code } } });
    });
  });

  test('show the queues of media services', async () => {
    const read = (query: string) => ask({ method: 'GET', path: `/mediaservice/${DOMAIN}/queue${query}` });
    expect(await read('')).toMatchObject({ status: 200, body: { success: true, queues: [QUEUE] } });
    expect(await read('?mediaserviceId=none')).toMatchObject({ body: { queues: [] } });
    expect(await read('?limit=1')).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
  });

  test('start and end streams of alarm calls', async () => {
    const path = `/alarmbridge/${DOMAIN}/startstream`;
    const body = { replyId: replyId(), sessionId: 's1', streamTarget: { url: 'wss://ai.example/in' } };
    expect(await ask({ path, body })).toMatchObject({ status: 200, body: { streamId: 'stream-1' } });
    const other = { ...body, replyId: replyId({ session: 's2' }) };
    expect(await ask({ path, body: other })).toMatchObject(refused(400, 'replyIdInvalid', '/sessionId'));
    const { streamTarget: _, ...stop } = body;
    expect(
      await ask({ path: `/alarmbridge/${DOMAIN}/stopstream`, body: { ...stop, streamId: 'x' } }),
    ).toMatchObject(refused(409, 'noVoiceCall'));
  });

  const MESSAGE = {
    reqUri: 'sip:unit@192.0.2.1:5060',
    from: 'sip:unit@a.test',
    contentType: 'text/plain',
    body: 'hello',
  };
  const message = (body: object) => ask({ path: `/sipmessage/${DOMAIN}/message`, body });

  test('send SIP messages, as they are or from JSON as XML', async () => {
    expect(await message(MESSAGE)).toMatchObject({ status: 200, body: { success: true } });
    const answer = { mrs: { ref: '7', snu: 0, tnu: ['sip:a@b', 'gsm:<1>'], mre: null } };
    const json = { ...MESSAGE, contentType: 'application/json; charset=utf-8', body: JSON.stringify(answer) };
    expect(await message({ ...json, convertJSONtoXML: true })).toMatchObject({ status: 200 });
    expect(await message({ ...json, convertJSONtoXML: false, replyId: 'any' })).toMatchObject({
      status: 200,
    });
    const { reqUri, from } = MESSAGE;
    const xml = '<mrs><ref>7</ref><snu>0</snu><tnu>sip:a@b</tnu><tnu>gsm:&lt;1&gt;</tnu><mre></mre></mrs>';
    expect(messages).toEqual([
      { reqUri, from, contentType: 'text/plain', body: 'hello' },
      { reqUri, from, contentType: 'application/xml', body: xml },
      { reqUri, from, contentType: json.contentType, body: json.body },
    ]);
  });

  test.each<readonly [string, object]>([
    ['/reqUri', { reqUri: 'tel:+4612345' }],
    ['/reqUri', { reqUri: undefined }],
    ['/from', { from: 'unit' }],
    ['/contentType', { contentType: 'text' }],
    ['/contentType', { contentType: 'text/plain', convertJSONtoXML: true }],
    ['/body', { body: 'x'.repeat(60_001) }],
    ['/body', { body: 7 }],
    ['/convertJSONtoXML', { convertJSONtoXML: 'yes' }],
    ['/more', { more: 1 }],
    ...['{', '[]', '{}', '{"a":1,"b":2}', '{"a":[1]}', '{"a b":1}', '{"a":{"b":[[1]]}}', deep(17)].map(
      (body) => ['/body', { contentType: 'application/json', convertJSONtoXML: true, body }] as const,
    ),
  ])('a message says what is wrong at %s', async (path, change) => {
    expect(await message({ ...MESSAGE, ...change })).toMatchObject(refused(400, 'invalid', path));
    expect(messages).toEqual([]);
  });

  test('show how calls of tone devices began', async () => {
    const list = (body: object) => ask({ path: `/alarmbridge/${DOMAIN}/handshakes`, body });
    const answer = await list({ kind: 'trunk', limit: 7 });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(handshakeAnswerSchema.parse(answer.body).entries).toEqual([{ ...ENTRY, kind: 'trunk', calls: 7 }]);
    expect((await list({})).body).toMatchObject({ entries: [{ calls: 100 }] });
    for (const [path, body] of [
      ['/kind', { kind: 'line' }],
      ['/limit', { limit: 101 }],
      ['/key', { key: '' }],
    ] as const)
      expect(await list(body)).toMatchObject(refused(400, 'invalid', path));
  });

  test('are refused when their session is not here', async () => {
    const none = () => undefined;
    alarms = { command: none, hangUp: none, take: none, release: none };
    expect(await ask({ body: volumeUp() })).toMatchObject(refused(409, 'noVoiceCall'));
    expect(await ask({ body: volumeUp(replyId({ host: 'h2' })) })).toMatchObject(
      refused(503, 'ownerUnreachable'),
    );
  });

  test('take the replyId of this session, made here, and no older than a session can be', async () => {
    const foreign = makeReplyId(
      { domain: DOMAIN, host: 'h1', epoch: 1, session: 's1', refers: 'alarm', iat: NOW / 1000 },
      siteKeys(undefined).sign,
    );
    for (const id of ['none', foreign, replyId({ iat: NOW / 1000 - 604_801 })])
      expect(await ask({ body: volumeUp(id) })).toMatchObject(refused(400, 'replyIdInvalid', '/replyId'));
    expect(await ask({ body: volumeUp(replyId({ session: 's2' })) })).toMatchObject(
      refused(400, 'replyIdInvalid', '/sessionId'),
    );
    expect(done).toEqual([]);
  });

  test('need a token, before anybody looks at the body', async () => {
    for (const authorization of ['', 'Bearer ct_wrong', 'Basic ct_right']) {
      const answer = await ask({ headers: { authorization }, raw: '{' });
      expect(answer).toMatchObject(refused(401, 'unauthorized'));
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="carillon"');
    }
    const path = '/alarmbridge/other.example/devicecommand';
    expect(await ask({ path, raw: '{' })).toMatchObject(refused(403, 'forbidden'));
    tenant.put('apitoken', 't', { id: 't', hash: crypto.sha256Hex('ct_right'), role: 'viewer' });
    expect(await ask({ body: volumeUp() })).toMatchObject(refused(403, 'forbidden'));
    tenant.remove('apitoken', 't');
    expect(await ask({ body: volumeUp() })).toMatchObject(refused(401, 'unauthorized'));
  });

  test('say what is wrong with a body', async () => {
    expect(await ask({ raw: '{' })).toMatchObject(refused(400, 'malformed'));
    expect(await ask({ body: { ...volumeUp(), volume: 3 } })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', path: '/volume' } },
    });
    const tones = { ...volumeUp(), command: 'sendTones' };
    expect(await ask({ body: tones })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', path: '/parameters/toneString' } },
    });
    const plain = await ask({ headers: { 'content-type': 'text/plain' }, body: volumeUp() });
    expect(plain).toMatchObject(refused(415, 'unsupportedMediaType'));
    const packed = await ask({ headers: { 'content-encoding': 'gzip' }, body: volumeUp() });
    expect(packed).toMatchObject(refused(415, 'unsupportedMediaType'));
  });

  test('are refused beyond 1 MiB, said or not', async () => {
    const raw = JSON.stringify({ ...volumeUp(), more: 'x'.repeat(1024 * 1024) });
    expect(await ask({ raw })).toMatchObject(refused(413, 'tooLarge'));
    expect(await ask({ raw, headers: { 'transfer-encoding': 'chunked' } })).toMatchObject(
      refused(413, 'tooLarge'),
    );
    expect(done).toEqual([]);
  });

  test('answer OPTIONS for browsers, and other methods with what is allowed', async () => {
    const options = await ask({ method: 'OPTIONS', headers: { authorization: '' } });
    expect(options).toMatchObject({
      status: 200,
      body: {},
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
      },
    });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await ask({ method });
      expect(answer).toMatchObject(refused(405, 'methodNotAllowed'));
      expect(answer.headers.allow).toBe('POST, OPTIONS');
    }
    expect((await ask({ body: volumeUp() })).headers['access-control-allow-origin']).toBe('*');
  });

  test('are those of document 2 only', async () => {
    for (const path of ['/alarmbridge/care.example/reboot', '/alarmbridge/%zz/devicecommand', '/alarmbridge'])
      expect(await ask({ method: 'GET', path })).toMatchObject({ status: 404 });
  });
});

describe('sendalarmevent at the site', () => {
  const path = `/alarmbridge/${DOMAIN}/sendalarmevent`;
  const event = { eventReceiver: 'north', alarmEvent: { controllerId: '55667788' } };

  test('is answered with trace and session once it is taken; its key goes along', async () => {
    const answer = await ask({ path, body: event, headers: { 'idempotency-key': 'k1' } });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, traceId: 't', sessionId: 's', message: 'stored', replyId: 'r' },
    ]);
    expect(done).toEqual([['north', 'k1']]);
  });

  test('names the field that is wrong, and a receiver that is not there', async () => {
    const wrong = await ask({ path, body: { ...event, protocol: 'morse' } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { path: '/protocol' } } });
    const unaddressed = await ask({ path, body: { ...event, eventReceiver: 'south' } });
    expect(unaddressed).toMatchObject({
      status: 404,
      body: { error: { code: 'noReceiver', path: '/eventReceiver' } },
    });
    expect((await ask({ path, body: event, headers: { authorization: 'Bearer ct_wrong' } })).status).toBe(
      401,
    );
  });
});
