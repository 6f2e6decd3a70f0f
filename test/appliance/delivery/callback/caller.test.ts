import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callbackUrl, retryAfter } from '#appliance/delivery/callback/caller.ts';
import { type CallbackCall, type Caller, createCaller } from '#appliance/delivery/callback/index.ts';
import { type CallbackClient, createCallbackClient, createSigner } from '#appliance/io/http/index.ts';
import { CallbackReceiver, makeAuthority } from '../../io/http/callback-receiver.ts';

const old = generateKeyPairSync('ed25519');
const current = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (pair: typeof old) => pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

const call: CallbackCall = {
  traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
  path: '/newAlarmbridgeEvent',
  headers: { 'X-Kind': 'fall' },
  body: '{"sessionId":"s1","alarm":"å"}',
  eventSeq: 2,
  shape: 'default',
};
const delivery = { id: 'row-1', attempt: 1, firstCredential: 0, late: false };
const entries = [
  { sub: 'carillon', scope: 'alarm', type: 'EdDSA', secret: pem(old) },
  {
    sub: 'carillon',
    scope: 'alarm',
    type: 'ES256',
    secret: pem(current),
    requestHeaders: { 'X-Api-Version': '2' },
  },
];

let authority: Awaited<ReturnType<typeof makeAuthority>>;
let receiver: CallbackReceiver;
let client: CallbackClient;
let caller: Caller;

beforeAll(async () => {
  authority = await makeAuthority();
});
beforeEach(async () => {
  receiver = new CallbackReceiver(authority);
  await receiver.listen();
  client = createCallbackClient({ allowPrivate: ['127.0.0.1'], extraCas: [authority.ca] });
  caller = createCaller({
    post: client.postJson,
    sign: createSigner(),
    sha256Hex,
    random: randomBytes,
    clock: { wallMs: Date.now, monoMs: () => performance.now() },
  });
});
afterEach(async () => {
  await client.close();
  await receiver.close();
});

const target = (change: object = {}) => ({
  domain: 'care.example',
  url: receiver.url('/hooks'),
  restAuthentication: entries,
  timeoutMs: 5_000,
  ...change,
});
const bearer = (index: number): string =>
  (receiver.received[index]?.headers.authorization ?? '').replace(/^Bearer /, '');

describe('a call over the wire', () => {
  it('carries a token for this body, this tenant and this receiver, and the headers of the delivery', async () => {
    receiver.answer = (_request, response) => response.end('{"action":"drop"}');
    expect(await caller(target(), call, delivery)).toEqual({
      kind: 'answered',
      status: 200,
      body: '{"action":"drop"}',
      credential: 0,
    });
    const [request] = receiver.received;
    expect(request).toMatchObject({
      url: '/hooks/newAlarmbridgeEvent',
      body: call.body,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'row-1',
        'x-trace-id': call.traceId,
        'x-event-seq': '2',
        'x-delivery-attempt': '1',
        'x-kind': 'fall',
        traceparent: expect.stringMatching(/^00-5f0c9f2e6f2a4c4e9a3e2b1f6d0a7c11-[0-9a-f]{16}-01$/),
      },
    });
    const { payload } = await jwtVerify(bearer(0), old.publicKey, { algorithms: ['EdDSA'] });
    const nowS = Date.now() / 1000;
    expect(payload).toEqual({
      sub: 'carillon',
      scope: 'alarm',
      iss: 'care.example',
      aud: receiver.url('').replace(/\/$/, ''),
      iat: expect.closeTo(nowS, -1),
      exp: (payload.iat ?? 0) + 300,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bodySha256: sha256Hex(call.body),
    });
  });

  it('goes on with the next credential at once when the first is refused', async () => {
    receiver.answer = ({ headers }, response) => {
      const alg = JSON.parse(
        Buffer.from((headers.authorization ?? '').slice(7).split('.')[0] ?? '', 'base64').toString(),
      );
      response.writeHead(alg.alg === 'ES256' ? 200 : 401).end('{"action":"callEmergencyCenter"}');
    };
    expect(await caller(target(), call, delivery)).toMatchObject({ status: 200, credential: 1 });
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received.map(({ headers }) => headers['x-api-version'])).toEqual([undefined, '2']);
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    const ids = await Promise.all([
      jwtVerify(bearer(0), old.publicKey),
      jwtVerify(bearer(1), current.publicKey),
    ]);
    expect(ids[0].payload.jti).not.toBe(ids[1].payload.jti);
    // The one that worked comes first next time.
    await caller(target(), call, { ...delivery, firstCredential: 1 });
    expect(receiver.received).toHaveLength(3);
  });

  it('is one failed attempt when all credentials are refused', async () => {
    receiver.answer = (_request, response) => response.writeHead(403).end();
    expect(await caller(target(), call, delivery)).toMatchObject({ kind: 'answered', status: 403 });
    expect(receiver.received).toHaveLength(2);
  });

  it('passes over an entry whose key is broken', async () => {
    const restAuthentication = [{ type: 'RS256', secret: 'broken' }, entries[1]];
    expect(await caller(target({ restAuthentication }), call, delivery)).toMatchObject({ credential: 1 });
    const none = await caller(target({ restAuthentication: [{ secret: 'broken' }] }), call, delivery);
    expect(none).toMatchObject({ kind: 'failed', code: 'keyInvalid' });
    expect(receiver.received).toHaveLength(1);
  });

  it('sends extra headers as given, but never those of the connection, and an own Authorization stays', async () => {
    const requestHeaders = {
      Authorization: 'ApiKey abc',
      Host: 'evil.example',
      Connection: 'close',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '1',
      Upgrade: 'h2c',
      'X-Two\r\nLines': 'x',
      'X-Broken': 'a\r\nb',
      'X-Given': 'yes',
      'Idempotency-Key': 'theirs',
    };
    await caller(target({ restAuthentication: [{ requestHeaders }] }), call, delivery);
    const headers = receiver.received[0]?.headers ?? {};
    expect(headers).toMatchObject({
      authorization: 'ApiKey abc',
      host: `127.0.0.1:${receiver.port}`,
      'x-given': 'yes',
      'idempotency-key': 'row-1',
      'content-length': String(Buffer.byteLength(call.body)),
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers).not.toHaveProperty('upgrade');
    expect(headers).not.toHaveProperty('x-broken');
    expect(receiver.received[0]?.body).toBe(call.body);
  });

  it('has no Authorization when nothing is configured', async () => {
    await caller(target({ restAuthentication: [] }), call, delivery);
    expect(receiver.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('says late in the default shape, and leaves a body of an event map alone', async () => {
    await caller(target(), call, { ...delivery, late: true, attempt: 4 });
    await caller(target(), { ...call, shape: 'custom' }, { ...delivery, late: true });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ ...JSON.parse(call.body), late: true });
    expect(receiver.received[0]?.headers['x-delivery-attempt']).toBe('4');
    const { payload } = await jwtVerify(bearer(0), old.publicKey);
    expect(payload.bodySha256).toBe(sha256Hex(receiver.received[0]?.body ?? ''));
    expect(receiver.received[1]?.body).toBe(call.body);
  });

  it('survives a kept connection that the receiver closes', async () => {
    let first = true;
    receiver.answer = (_request, response, socket) => {
      if (first) socket.destroy();
      else response.end('{}');
      first = false;
    };
    expect(await caller(target(), call, delivery)).toMatchObject({ kind: 'answered', status: 200 });
    expect(receiver.received).toHaveLength(2);
  });

  it('ends within the timeout, with all credentials together', async () => {
    // The connection is there already: the short time is for the answers alone.
    await caller(target(), call, delivery);
    let asked = 0;
    receiver.answer = (_request, response) => {
      if (asked++ === 0) response.writeHead(401).end();
    };
    expect(await caller(target({ timeoutMs: 400 }), call, delivery)).toMatchObject({
      kind: 'failed',
      code: 'timeout',
    });
    expect(asked).toBe(2);
  });

  it('gives a hint of the receiver on when to come again', async () => {
    receiver.answer = (_request, response) => response.writeHead(503, { 'Retry-After': '17' }).end();
    expect(await caller(target(), call, delivery)).toMatchObject({ status: 503, retryAfterS: 17 });
  });
});

describe('address of a call', () => {
  it.each([
    ['https://app.example', '/a', 'https://app.example/a'],
    ['https://app.example/x/', '/a', 'https://app.example/x/a'],
    ['https://app.example/x?k=v', '/a', 'https://app.example/x/a?k=v'],
    ['https://app.example/exact?k=v#part', '', 'https://app.example/exact?k=v'],
  ])('%s with %s', (base, path, url) => {
    expect(callbackUrl(base, path)).toBe(url);
  });

  it('is a value when it is none', async () => {
    expect(callbackUrl('nonsense', '/a')).toBeUndefined();
    expect(await caller(target({ url: 'nonsense' }), call, delivery)).toMatchObject({
      code: 'addressRefused',
    });
  });
});

describe('Retry-After', () => {
  const wallMs = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  it.each([
    ['120', 120],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%s is %s s', (value, seconds) => {
    expect(retryAfter(value, wallMs)).toBe(seconds);
  });
});
