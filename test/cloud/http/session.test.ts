import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAfter } from '#cloud/store/index.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';
import { type Browser, browse, browserOf, makePerson, PASSWORD, signIn } from './people.ts';

const DEVICES = '/provisioning/device/a.test';

describe('people sign in', () => {
  let api: TestApi;
  let ada: Browser;
  beforeAll(async () => {
    api = await openApi();
    await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    ada = await makePerson(api, 'a.test', 'ada@care.example', 'admin');
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  test('the cookie is out of reach of scripts, other sites and plain http', async () => {
    const answer = await signIn(api, 'ada@care.example');
    const [browser = '', cookie = ''] = answer.headers.getSetCookie();
    expect(browser).toMatch(
      /^__Host-carillon-browser=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(cookie).toMatch(
      /^__Host-carillon=cs_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(JSON.stringify(answer.body)).not.toContain(/=(cs_[^;]+)/.exec(cookie)?.[1]);
    expect(answer.body).toMatchObject({
      success: true,
      person: { email: 'ada@care.example', platformOwner: false },
      authenticatedAt: api.clock.now,
      expiresAt: api.clock.now + 12 * 3_600_000,
    });
  });

  test('it opens the tenants of the person, with the role there, and no other', async () => {
    expect((await browse(api, ada, 'GET', DEVICES)).status).toBe(200);
    expect((await browse(api, ada, 'PUT', DEVICES, { body: DEVICE })).status).toBe(200);
    expect(await browse(api, ada, 'GET', '/provisioning/device/b.test')).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
    expect((await browse(api, ada, 'GET', '/provisioning/device/nobody.test')).status).toBe(403);
    expect((await browse(api, ada, 'GET', '/platform/tenant')).status).toBe(403);
  });

  test('a write without the CSRF token, or with that of another session, is refused', async () => {
    const other = await browserOf(api, 'ada@care.example');
    for (const csrfToken of ['', 'x', other.csrfToken]) {
      const answer = await browse(api, { ...ada, csrfToken }, 'PUT', DEVICES, { body: DEVICE });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'csrfTokenWrong' } } });
    }
    expect((await browse(api, { ...ada, csrfToken: '' }, 'DELETE', '/session')).status).toBe(403);
  });

  test('a bearer token beside the cookie is what counts', async () => {
    const answer = await browse(api, ada, 'GET', DEVICES, { headers: { Authorization: 'Bearer nobody' } });
    expect(answer.status).toBe(401);
  });

  test('GET /session answers a page that was loaded again; DELETE ends it for good', async () => {
    const mine = await browserOf(api, 'ada@care.example');
    const shown = await browse(api, mine, 'GET', '/session');
    expect(shown.body).toMatchObject({ csrfToken: mine.csrfToken, person: { email: 'ada@care.example' } });
    const ended = await browse(api, mine, 'DELETE', '/session');
    expect(ended.status).toBe(200);
    expect(ended.headers.get('Set-Cookie')).toMatch(/^__Host-carillon=; Max-Age=0;/);
    expect((await browse(api, mine, 'GET', DEVICES)).status).toBe(401);
    expect((await browse(api, mine, 'GET', '/session')).status).toBe(401);
  });

  test('a session ends after 12 h, whatever is done in it', async () => {
    const mine = await browserOf(api, 'ada@care.example');
    api.clock.now += 12 * 3_600_000 - 1;
    expect((await browse(api, mine, 'GET', DEVICES)).status).toBe(200);
    api.clock.now += 1;
    expect(await browse(api, mine, 'GET', DEVICES)).toMatchObject({
      status: 401,
      body: { reason: expect.stringContaining('Sign in again') as string },
    });
    ada = await browserOf(api, 'ada@care.example');
  });

  test('an unknown name and a wrong password look alike, also when locked', async () => {
    const reported = async (email: string) => {
      const answers = [];
      for (let i = 0; i < 6; i++) {
        const { status, body, headers } = await signIn(api, email, `wrong ${i}`);
        answers.push({ status, body, retry: headers.get('Retry-After') });
      }
      return answers;
    };
    const known = await reported('ada@care.example');
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(known.at(-1)?.retry).toBe('900');
    expect(await reported('nobody@care.example')).toEqual(known);
    // The right password does not help while it is locked, and capitals are no other name.
    expect((await signIn(api, 'ADA@care.example')).status).toBe(429);
    api.clock.now += 15 * 60_000;
    expect((await signIn(api, 'ADA@care.example')).status).toBe(200);
  });

  test('guesses from elsewhere lock neither another network nor the browser that is known', async () => {
    await makePerson(api, 'a.test', 'mia@care.example', 'viewer');
    const tries = (address: string, password: string, headers = {}) => {
      const body = { email: 'mia@care.example', password };
      return ask(api, 'POST', '/session', { token: null, body, address, headers });
    };
    for (let i = 0; i < 6; i++) await tries('203.0.113.9', 'wrong');
    expect((await tries('203.0.113.9', PASSWORD)).status).toBe(429);
    const owner = await tries('192.0.2.1', PASSWORD);
    expect(owner).toMatchObject({
      status: 200,
      body: { wrongTries: { count: 5, lastSource: '203.0.113.9' } },
    });
    // The browser of the owner comes in from the very network that is locked.
    const [browser = ''] = owner.headers.getSetCookie();
    const headers = { Cookie: browser.split(';', 1)[0] ?? '' };
    expect((await tries('203.0.113.9', PASSWORD, headers)).status).toBe(200);
    const forged = { Cookie: `${headers.Cookie}x` };
    expect((await tries('203.0.113.9', PASSWORD, forged)).status).toBe(429);
    const locked = async () =>
      (await auditAfter(api.database.store, '', 0, 1000)).filter(({ action }) => action === 'sign in locked');
    await expect.poll(async () => (await locked()).map(({ address }) => address)).toContain('203.0.113.9');
  });

  test('an hour of parallel guessing gets five guesses', async () => {
    await makePerson(api, 'a.test', 'guess@care.example', 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => signIn(api, 'guess@care.example', i === 39 ? PASSWORD : `w${i}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });

  test('making keys and tokens takes a password less than 5 minutes old', async () => {
    const mine = await browserOf(api, 'ada@care.example');
    const make = (browser: Browser) =>
      browse(api, browser, 'POST', '/provisioning/apitoken/a.test', { body: {} });
    api.clock.now += 5 * 60_000 - 1;
    expect((await make(mine)).status).toBe(200);
    api.clock.now += 1;
    expect(await make(mine)).toMatchObject({
      status: 403,
      body: { error: { code: 'reauthenticationRequired' } },
    });
    const stale = await browse(api, mine, 'DELETE', '/provisioning/apikey/a.test/some-kid');
    expect(stale.body).toMatchObject({ error: { code: 'reauthenticationRequired' } });
    const all = await browse(api, mine, 'DELETE', DEVICES, { body: { confirmDeleteAll: true } });
    expect(all.body).toMatchObject({ error: { code: 'reauthenticationRequired' } });
    expect((await browse(api, mine, 'DELETE', DEVICES, { body: {} })).status).toBe(200);
    expect((await make(await browserOf(api, 'ada@care.example'))).status).toBe(200);
  });

  test('a sign-in stands in the log of the platform', async () => {
    const rows = await auditAfter(api.database.store, '', 0, 1000);
    expect(rows.findLast(({ action }) => action === 'sign in')).toMatchObject({
      actor: expect.stringMatching(/^person:/) as string,
      entity: 'session',
    });
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  test('an API token made in a session acts with the role its person has now', async () => {
    const eve = await makePerson(api, 'a.test', 'eve@care.example', 'admin');
    const made = await browse(api, eve, 'POST', '/provisioning/apitoken/a.test', { body: {} });
    const token = String(made.body.token);
    expect((await ask(api, 'PUT', DEVICES, { token, body: DEVICE })).status).toBe(200);
    const { users } = (await ask(api, 'GET', '/provisioning/user/a.test')).body as {
      users: { id: string; email: string }[];
    };
    const id = users.find(({ email }) => email === 'eve@care.example')?.id ?? '';
    await ask(api, 'PUT', `/provisioning/user/a.test/${id}`, { body: { role: 'viewer' } });
    expect((await ask(api, 'PUT', DEVICES, { token, body: DEVICE })).status).toBe(403);
    expect((await ask(api, 'GET', DEVICES, { token })).status).toBe(200);
    await ask(api, 'DELETE', `/provisioning/user/a.test/${id}?revoke=true`);
    expect((await ask(api, 'GET', DEVICES, { token })).status).toBe(401);
    expect((await browse(api, eve, 'GET', DEVICES)).status).toBe(401);
  });

  test('sign-ins are limited by address: five at once, then one each 12 s', async () => {
    const limited = await openApi({ rateLimits: true });
    const tries = [];
    for (let i = 0; i < 6; i++) tries.push(await signIn(limited, `n${i}@care.example`));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(tries.at(-1)?.headers.get('Retry-After')).toBe('12');
    expect(tries.at(-1)?.headers.get('RateLimit-Limit')).toBe('5');
    await limited.close();
  });
});
