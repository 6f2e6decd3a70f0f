import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, BRIDGE, DEVICE, makeTenant, OWNER_TOKEN, openApi, type TestApi } from './api.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tenantBound: boolean;
}

/** Every operation of the document that takes a token, its path filled in for one tenant. */
function operations(api: TestApi, domain: string): Operation[] {
  const { paths } = api.app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } });
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { security?: unknown[] }>)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replace('{domain}', domain).replace(/\{[^}]+\}/g, 'some-id'),
        tenantBound: path.includes('{domain}'),
      })),
  );
}

/** A person's questions about himself belong to no tenant: a token of any tenant may. */
const isForeign = ({ path }: Operation): boolean =>
  !/^\/(session|promptfile|provisioning\/currentuser)/.test(path);

/** Paths anybody may ask, for they are how one comes in. */
const OPEN = ['POST /session', 'POST /setup/{code}', 'POST /authorize', 'GET /promptfile'];

describe('the gate', () => {
  let api: TestApi;
  let ofA: string;
  let reader: string;
  let ofRuntime: string;
  beforeAll(async () => {
    api = await openApi();
    ofA = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    reader = await makeTenant(api, 'a.test', 'read');
    ofRuntime = await makeTenant(api, 'a.test', 'runtime');
  });
  afterAll(() => api.close());

  test('knows routes to ask', () => {
    expect(operations(api, 'b.test').filter((operation) => operation.tenantBound).length).toBeGreaterThan(25);
  });

  test('only the public routes are open', () => {
    const { paths } = api.app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } });
    const open = Object.entries(paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { security?: unknown[] }>)
        .filter(([, { security }]) => security?.length === 0)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(open.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(OPEN.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  test('every route answers 403 to the token of another tenant, whether that one exists or not', async () => {
    for (const domain of ['b.test', 'nobody.test', 'A.test', '%61.test%20'])
      for (const { method, path } of operations(api, domain).filter(isForeign)) {
        const answer = await ask(api, method, path, { token: ofA });
        expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 403`);
        expect(answer.body).toMatchObject({ success: false, error: { code: 'forbidden' } });
      }
  });

  test('every route answers 401 without a token, or with an unknown one', async () => {
    for (const token of [null, 'ct_unknown', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'])
      for (const { method, path } of operations(api, 'a.test')) {
        const answer = await ask(api, method, path, { token });
        expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 401`);
        expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer');
      }
  });

  test('a token without the scope reads with `read` and does nothing with another area', async () => {
    for (const { method, path } of operations(api, 'a.test').filter((operation) =>
      operation.path.startsWith('/provisioning'),
    )) {
      const byReader = await ask(api, method, path, { token: reader });
      const reading = (method === 'GET' && !/\/(audit|user)\//.test(path)) || path.endsWith('/trymap');
      if (!reading) expect(`${method} ${path} ${byReader.status}`).toBe(`${method} ${path} 403`);
      else expect(`${method} ${path} ${byReader.status}`).not.toMatch(/ 40[13]$/);
      const byRuntime = await ask(api, method, path, { token: ofRuntime });
      expect(`${method} ${path} ${byRuntime.status}`).toBe(`${method} ${path} 403`);
      expect(`${method} ${path} ${String(byRuntime.body.reason)}`).toMatch(
        / lacks the scope \w+( or read)?\. /,
      );
    }
  });

  test('the platform owner is owner everywhere, and hears of unknown tenants', async () => {
    const put = await ask(api, 'PUT', '/provisioning/device/b.test', { token: OWNER_TOKEN, body: DEVICE });
    expect(put.status).toBe(200);
    expect(await ask(api, 'GET', '/provisioning/device/nobody.test')).toMatchObject({
      status: 404,
      body: { error: { code: 'notFound' } },
    });
  });

  test('no one hands out more scope than he has', async () => {
    const path = '/provisioning/apitoken/a.test';
    const maker = String(
      (await ask(api, 'POST', path, { token: ofA, body: { scope: 'provisioning read' } })).body.token,
    );
    expect((await ask(api, 'POST', path, { token: maker, body: { scope: 'runtime' } })).status).toBe(403);
    const heir = await ask(api, 'POST', path, { token: maker, body: {} });
    expect(heir.status).toBe(200);
    const { apitokens } = (await ask(api, 'GET', path, { token: ofA })).body as {
      apitokens: { id: string; scope?: string }[];
    };
    expect(apitokens.find((token) => token.id === heir.body.id)?.scope).toBe('provisioning read');
  });

  test('an API token expires, is listed without itself, and is removed when deleted', async () => {
    const path = '/provisioning/apitoken/a.test';
    const made = await ask(api, 'POST', path, { token: ofA, body: { name: 'short', expiresIn: 60 } });
    expect(made.body.expiresAt).toBe(api.clock.now + 60_000);
    const token = String(made.body.token);
    expect((await ask(api, 'GET', path, { token })).status).toBe(200);
    api.clock.now += 60_000;
    expect(await ask(api, 'GET', path, { token })).toMatchObject({
      status: 401,
      body: { reason: expect.stringContaining('expired') as string },
    });

    const listed = await ask(api, 'GET', path, { token: ofA });
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect(listed.body.apitokens).toContainEqual({
      id: made.body.id,
      name: 'short',
      createdAt: api.clock.now - 60_000,
      expiresAt: api.clock.now,
      maker: expect.stringMatching(/^token:/) as string,
    });

    const second = (await ask(api, 'POST', path, { token: ofA, body: {} })).body as {
      id: string;
      token: string;
    };
    expect((await ask(api, 'DELETE', `${path}/${second.id}`, { token: ofA })).status).toBe(200);
    expect((await ask(api, 'GET', path, { token: second.token })).status).toBe(401);
    expect((await ask(api, 'DELETE', `${path}/${second.id}`, { token: ofA })).status).toBe(404);
  });

  test('rate limits: address, key and tenant; 429 says when to come again', async () => {
    const limited = await openApi({ rateLimits: true });
    const token = await makeTenant(limited, 'r.test');
    const path = '/provisioning/device/r.test';
    const answers = await Promise.all(
      Array.from({ length: 501 }, () => ask(limited, 'GET', path, { token })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(500);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused).toMatchObject({ body: { success: false, error: { code: 'tooManyRequests' } } });
    expect(refused?.headers.get('Retry-After')).toBe('1');
    expect(refused?.headers.get('RateLimit-Remaining')).toBe('0');
    const writing = await ask(limited, 'POST', '/provisioning/alarmbridge/r.test', { token, body: BRIDGE });
    expect(writing.status).toBe(200);
    limited.clock.now += 1_000;
    expect((await ask(limited, 'GET', path, { token })).status).toBe(200);
    await limited.close();
  });
});
