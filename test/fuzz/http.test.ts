import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, type NamedOperation, type OpenApi, operationsOf } from '#installer/build/openapi.ts';
import { openWholeCloud, type WholeCloud } from '#test/cloud/whole-cloud.ts';
import { BODIES, bent, type Chance, nested, pick, SEGMENTS, seeded, valueFor } from './http-input.ts';

const ROUNDS = 12;
const MIB = 1_048_576;
const DOMAIN = 'fuzz.example';

let cloud: WholeCloud;
let document: OpenApi;
let operations: NamedOperation[];
let token: string;

interface Asked {
  readonly token?: string | null;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

async function send(method: string, path: string, asked: Asked = {}) {
  const { body, type = 'application/json', headers = {} } = asked;
  const bearer = asked.token === undefined ? token : asked.token;
  const asking = () =>
    fetch(`${cloud.api}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'Content-Type': type }),
        ...headers,
      },
      ...(body === undefined || method === 'GET' ? {} : { body }),
    });
  // A client that sends too much may be cut off while it still sends (RFC 9110 15.5.14), and this client then tries the next
  // request on the same connection: that one is sent again (RFC 9112 9.3.1).
  const answer = await asking().catch(async () => ((body?.length ?? 0) > MIB ? undefined : await asking()));
  if (answer === undefined)
    return { status: 413, text: '{"success":false,"reason":"cut off","error":{"code":"x"}}' };
  // A stream has no end: what it begins with is its answer.
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await answer.body?.cancel();
    return { status: answer.status, text: '' };
  }
  return { status: answer.status, text: await answer.text() };
}

/** The tenant has no host here: an operation that only a host can do says so with 503, and nothing else of ours may. */
const isUnanswered = (status: number, text: string): boolean =>
  status === 503 && /"code":"(ownerUnreachable|hostUnreachable)"/.test(text);

/** Rule for every answer: no defect of ours, and a refusal that says why. */
function judge(what: string, { status, text }: { status: number; text: string }): void {
  expect([what, status < 500 || isUnanswered(status, text), text.slice(0, 300)]).toEqual([
    what,
    true,
    text.slice(0, 300),
  ]);
  if (status < 400) return;
  const body = JSON.parse(text) as { success?: unknown; reason?: unknown; error?: { code?: unknown } };
  expect([what, body.success, typeof body.error?.code]).toEqual([what, false, 'string']);
  expect([what, String(body.reason).length]).toEqual([
    what,
    expect.toSatisfy((length: number) => length > 3),
  ]);
  expect(text).not.toMatch(/\bat .*\.ts:\d+/);
}

beforeAll(async () => {
  cloud = await openWholeCloud();
  document = (await (await fetch(`${cloud.api}/openapi.json`)).json()) as OpenApi;
  operations = operationsOf(document);
  const post = async (path: string, body: unknown) =>
    JSON.parse((await send('POST', path, { token: cloud.owner, body: JSON.stringify(body) })).text) as {
      token: string;
    };
  for (const domain of [DOMAIN, 'other.example']) await post('/platform/tenant', { domain });
  ({ token } = await post(`/provisioning/apitoken/${DOMAIN}`, {}));
});
afterAll(() => cloud.close());

/** The path with its parameters filled in, and a query that its parameters may or may not know. */
function pathFor({ path, parameters = [] }: NamedOperation, chance: Chance): string {
  const filled = path
    .replace('{domain}', DOMAIN)
    .replace(/\{\w+\}/g, () => (chance() < 0.7 ? `id-${Math.floor(chance() * 5)}` : pick(chance, SEGMENTS)));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && chance() < 0.4)
    .map(({ name, schema = {} }) => {
      const value = chance() < 0.5 ? valueFor(document, schema, chance) : bent('x', chance);
      return `${name}=${encodeURIComponent(
        JSON.stringify(value)
          ?.replace(/\\ud[89a-f]../gi, '')
          .slice(0, 2_000) ?? '',
      )}`;
    });
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

describe('every operation of the document', () => {
  test('takes whatever its own schema lets through, and what is bent, without a defect', async () => {
    const seen = { done: 0, refused: 0 };
    for (const [index, operation] of operations.entries()) {
      const chance = seeded(7_001 + index);
      const content = contentOf(operation.requestBody?.content);
      for (let round = 0; round < ROUNDS; round++) {
        const value = content === undefined ? undefined : valueFor(document, content.schema, chance);
        const body = content === undefined ? undefined : chance() < 0.45 ? value : bent(value, chance);
        const path = pathFor(operation, chance);
        const asked = content === undefined ? {} : { body: JSON.stringify(body) ?? '', type: content.type };
        const answer = await send(operation.method, path, asked);
        judge(`${operation.method} ${path.slice(0, 200)} seed ${7_001 + index} round ${round}`, answer);
        if (answer.status < 300) seen.done += 1;
        else seen.refused += 1;
      }
    }
    // Both kinds, or it would have proved little.
    expect(seen.done).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(300);
  }, 120_000);

  test('refuses bodies that are no JSON, bottomless, too large or of another kind', async () => {
    const chance = seeded(42);
    for (const operation of operations.filter(({ requestBody }) => requestBody !== undefined))
      for (const body of [...BODIES].filter(() => chance() < 0.5)) {
        const type =
          chance() < 0.85
            ? 'application/json'
            : pick(chance, ['text/xml', 'application/x-json', 'text/csv', '']);
        judge(
          `${operation.method} ${operation.path} ${body.slice(0, 40)}`,
          await send(operation.method, pathFor(operation, chance), { body, type }),
        );
      }
  }, 120_000);

  test('answers 403 to a token of another tenant, whatever the body', async () => {
    // A display has a token of its own, and one of the API is none.
    const bound = operations.filter(({ path }) => path.includes('{domain}') && !path.endsWith('/display'));
    expect(bound.length).toBeGreaterThan(60);
    for (const { method, path } of bound)
      for (const domain of ['other.example', 'nobody.example']) {
        const at = path.replace('{domain}', domain).replace(/\{\w+\}/g, 'some-id');
        const answer = await send(method, at, { body: '{}' });
        expect([method, at, answer.status]).toEqual([method, at, 403]);
      }
  }, 60_000);
});

describe('the listener', () => {
  /** Bytes as they are: no client would send some of these. */
  async function raw(text: string): Promise<string> {
    const { port } = new URL(cloud.api);
    const socket = connect(Number(port), '127.0.0.1');
    socket.setTimeout(5_000, () => socket.destroy());
    socket.write(text);
    let answer = '';
    try {
      for await (const chunk of socket) answer += String(chunk);
    } catch {
      // Cut off is an answer too; what counts is who is still there afterwards.
    }
    return answer;
  }

  test('strange paths are 4xx with a reason, and none leads out of the API', async () => {
    for (const segment of SEGMENTS)
      for (const path of [
        `/provisioning/device/${segment}`,
        `/provisioning/device/${DOMAIN}/${segment}`,
        `/docs/${segment}`,
        `/${segment}/${segment}`,
      ]) {
        const answer = await raw(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
        );
        expect([path.slice(0, 80), answer.slice(0, 12)]).toEqual([
          path.slice(0, 80),
          expect.stringMatching(/^HTTP\/1\.1 [234]/),
        ]);
        expect(answer).not.toContain('root:');
      }
  });

  test('broken requests harm no other', async () => {
    for (const text of [
      'GET / HTTP/9.9\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\nConnection: close\r\n\r\n',
      'POST /session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      `${'\u0000'.repeat(1_000)}\r\n\r\n`,
    ])
      await raw(text);
    expect((await send('GET', '/healthz')).status).toBe(200);
  });

  test('no pattern holds up others: ten bombs at once, and a read beside them', async () => {
    const bombs = [
      '(a+)+$',
      '(a|a)*b',
      '((a{1,50}){1,50}){1,50}',
      'a'.repeat(513),
      `(${'x?'.repeat(250)})${'x'.repeat(10)}`,
    ];
    const startMs = performance.now();
    const answers = await Promise.all([
      ...bombs.flatMap((destinationMatch) => {
        const body = JSON.stringify({
          protocol: 'scaip',
          name: 'n',
          destinationMatch,
          callbackBaseUrl: 'https://a.example',
          restAuthentication: [{ sub: 's', secret: 's', type: 'HS256' }],
        });
        return [
          send('POST', `/provisioning/alarmbridge/${DOMAIN}`, { body }),
          send('GET', `/provisioning/alarmbridge/${DOMAIN}/testconfiguration/${'a'.repeat(256)}`),
        ];
      }),
      send('GET', '/healthz'),
    ]);
    for (const [index, answer] of answers.entries()) judge(`bomb ${index}`, answer);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  test('a JSON Patch that goes deep, wide or to the prototype is refused or done, never a defect', async () => {
    const device = { deviceId: 'patched', authType: 'deviceid', srtp: 'never' };
    await send('PUT', `/provisioning/device/${DOMAIN}`, { body: JSON.stringify(device) });
    const chance = seeded(99);
    for (let round = 0; round < 120; round++) {
      const op = pick(chance, ['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']);
      const pointer = pick(chance, [
        '',
        '/',
        '/description',
        '/__proto__/x',
        '/constructor',
        '/serviceData/a/b',
        '/~2',
        '/deviceId',
        `/${'a/'.repeat(200)}`,
      ]);
      const patch = Array.from({ length: 1 + Math.floor(chance() * 4) }, () => ({
        op,
        path: pointer,
        from: '/description',
        value: chance() < 0.3 ? nested(60) : bent('v', chance),
      }));
      judge(
        `patch ${JSON.stringify(patch).slice(0, 200)}`,
        await send('PATCH', `/provisioning/device/${DOMAIN}/patched`, {
          body: JSON.stringify(patch),
          type: 'application/json-patch+json',
        }),
      );
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
