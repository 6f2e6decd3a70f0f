import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, openPublicListener } from '#cloud/io/listener/index.ts';
import { setDeviceHeartbeat, tenantByDomain } from '#cloud/store/index.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';

const PATH = '/provisioning/device/a.test/scaip-0001';

let api: TestApi;
let token: string;
let foreign: string;
let short: Listener;
let usual: Listener;
/** Requests that the application got from the listener with the short way. */
let passedOn: number;

async function open(rateLimits: boolean): Promise<void> {
  api = await openApi({ rateLimits });
  token = await makeTenant(api, 'a.test');
  foreign = await makeTenant(api, 'b.test');
  for (const body of [DEVICE, { ...DEVICE, deviceId: 'north:c1:d+1~x', description: 'Café "Ü"' }])
    await ask(api, 'PUT', '/provisioning/device/a.test', { token, body });
  const secret = { deviceId: 'with-secret', authType: 'credentials', srtp: 'never' };
  await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: secret });
  const { store } = api.database;
  const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await store.withTx((tx) => setDeviceHeartbeat(tx, tenant, 'with-secret', 'online', 1_900_000_000_000));
  short = await openPublicListener({ host: '127.0.0.1', port: 0 }, undefined);
  usual = await openPublicListener({ host: '127.0.0.1', port: 0 }, undefined);
  passedOn = 0;
  const counted: typeof api.app.fetch = (...request) => {
    passedOn += 1;
    return api.app.fetch(...request);
  };
  short.serve(counted, api.fastPath);
  usual.serve(api.app.fetch);
}
afterEach(async () => {
  await short.close();
  await usual.close();
  await api.close();
});

/** The answer as it came; neither the listener's clock nor the order of headers (RFC 9110 5.3) is part of the answer. */
async function raw({ port }: Listener, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  let answer = '';
  for await (const chunk of socket) answer += (chunk as Buffer).toString('latin1');
  const end = answer.indexOf('\r\n\r\n');
  const [status = '', ...headers] = answer
    .slice(0, end)
    .replace(/^Date: .*$/m, 'Date')
    .split('\r\n');
  return `${[status, ...headers.toSorted()].join('\r\n')}${answer.slice(end)}`;
}

const request = (path: string, headers: readonly string[] = [], method = 'GET'): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...(headers.some((each) => /^host:/i.test(each)) ? [] : ['Host: 127.0.0.1:8080']),
    'X-Request-Id: the-same',
    'Connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n');

const bearer = (value = token): string => `Authorization: Bearer ${value}`;

describe('the fast path to a device', () => {
  beforeEach(() => open(false));

  it.each([
    ['a device', PATH],
    ['an id with every sign', '/provisioning/device/a.test/north:c1:d+1~x'],
    ['a device with a secret and a heartbeat', '/provisioning/device/a.test/with-secret'],
  ])('gives %s as the application does, and does not ask it', async (_, path) => {
    const answer = await raw(short, request(path, [bearer()]));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toBe(await raw(usual, request(path, [bearer()])));
    expect(passedOn).toBe(0);
  });

  it('leaves to the application whatever is unusual, and the answer is the same', async () => {
    const unusual = [
      request(PATH),
      request(PATH, [bearer('ct_nobody')]),
      request(PATH, [bearer(foreign)]),
      request(PATH, ['Authorization: Basic dTpw']),
      request(PATH, [`authorization:bearer   ${token}  `, 'Content-Type: application/json']),
      request(PATH, [bearer(), 'Content-Encoding: gzip']),
      request(PATH, [bearer(), 'Content-Length: 3']).concat('{}\n'),
      request(PATH, [bearer(), 'Host: 127.0.0.1:8080/x']),
      request(PATH, [bearer(), 'Host: [::1]:80']),
      request(PATH, [bearer()], 'HEAD'),
      request(PATH, [bearer()], 'OPTIONS'),
      request(PATH, [bearer()], 'DELETE'),
      request(`${PATH}?x=1`, [bearer()]),
      request(`${PATH}/`, [bearer()]),
      request('/provisioning/device/a.test/none', [bearer()]),
      request('/provisioning/device/a.test/', [bearer()]),
      request('/provisioning/device/a.test/scaip%2D0001', [bearer()]),
      request('/provisioning/device/a.test/..', [bearer()]),
      request('/provisioning/device/../device/scaip-0001', [bearer()]),
      request(`/provisioning/device/a.test/${'x'.repeat(257)}`, [bearer()]),
      request('/provisioning/device/A.test/scaip-0001', [bearer()]),
      request('/provisioning/device/c.test/scaip-0001', [bearer()]),
    ];
    // The one that deletes is asked once more after the row is deleted: both listeners have one database.
    for (const each of unusual) {
      const [before, path] = [passedOn, each.split('\r\n')[0]];
      const wasDeletion = each.startsWith('DELETE');
      const answer = await raw(short, each);
      if (wasDeletion) await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: DEVICE });
      expect(answer, path).toBe(await raw(usual, each));
      if (wasDeletion) await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: DEVICE });
      // A host that is none is refused before anybody is asked.
      if (!each.includes('8080/x')) expect(passedOn, path).toBe(before + 1);
    }
  });

  it('shows at once what was changed, and refuses at once whom it knew', async () => {
    const { body } = await ask(api, 'POST', '/provisioning/apitoken/a.test', { token, body: {} });
    const brief = bearer(String(body.token));
    expect(await raw(short, request(PATH, [brief]))).toContain('"srtp":"negotiated"');
    await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: { ...DEVICE, srtp: 'never' } });
    expect(await raw(short, request(PATH, [brief]))).toContain('"srtp":"never"');
    expect(passedOn).toBe(0);
    await ask(api, 'DELETE', `/provisioning/apitoken/a.test/${String(body.id)}`, { token });
    expect(await raw(short, request(PATH, [brief]))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('refuses a token without the scope, and is counted in the metrics', async () => {
    const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', {
      token,
      body: { scope: 'runtime' },
    });
    expect(await raw(short, request(PATH, [bearer(String(made.body.token))]))).toMatch(/^HTTP\/1\.1 403 /);
    expect(passedOn).toBe(1);
    await raw(short, request(PATH, [bearer()]));
    expect(passedOn).toBe(1);
    const { body } = await ask(api, 'GET', '/metrics');
    expect(body.text).toContain(
      '_count{method="GET",route="/provisioning/device/:domain/:deviceId",status="200"} 1\n',
    );
  });
});

describe('the fast path with rate limits', () => {
  beforeEach(() => open(true));

  it('counts in the same buckets, says what is left, and refuses as the application does', async () => {
    const remaining = (answer: string) => Number(/^RateLimit-Remaining: (\d+)/m.exec(answer)?.[1]);
    const first = await raw(short, request(PATH, [bearer()]));
    const second = await raw(usual, request(PATH, [bearer()]));
    expect(remaining(first) - remaining(second)).toBe(1);
    expect(first.replace(/^RateLimit-Re.*$/gm, '')).toBe(second.replace(/^RateLimit-Re.*$/gm, ''));
    const [headers, socket] = [
      { host: 'localhost', authorization: `Bearer ${token}` },
      { remoteAddress: '127.0.0.1' },
    ];
    for (let left = remaining(second); left > 0; left--)
      expect(await api.fastPath({ method: 'GET', url: PATH, headers, socket })).toBeDefined();
    expect(await api.fastPath({ method: 'GET', url: PATH, headers, socket })).toBeUndefined();
    expect(await raw(short, request(PATH, [bearer()]))).toMatch(
      /^HTTP\/1\.1 429 [\s\S]*^Retry-After: 1\r$/im,
    );
    api.clock.now += 1_000;
    expect(await raw(short, request(PATH, [bearer()]))).toMatch(/^HTTP\/1\.1 200 /);
  });
});
