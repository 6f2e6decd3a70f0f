import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, tenantByDomain } from '#cloud/store/index.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';
import { type Browser, browse, browserOf, makePerson, PASSWORD, pathOf, signIn } from './people.ts';

const USERS = '/provisioning/user/a.test';
interface Shown {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
}

describe('people of a tenant', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi();
    for (const domain of ['a.test', 'b.test', 'c.test']) await makeTenant(api, domain);
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const list = async (): Promise<Shown[]> => {
    const { users } = (await ask(api, 'GET', USERS)).body as { users: Shown[] };
    return users;
  };
  const idOf = async (email: string) => (await list()).find((user) => user.email === email)?.id ?? '';
  const take = (link: unknown, body: object) => ask(api, 'POST', pathOf(link), { token: null, body });
  const invite = (email: string, role: string, domain = 'a.test') =>
    ask(api, 'POST', `/provisioning/user/${domain}`, { body: { email, role } });

  test('an invitation waits with its role, is taken up once, and shows who came', async () => {
    const invited = await invite('  Ada@Care.example ', 'operator');
    expect(invited).toMatchObject({
      status: 200,
      body: {
        success: true,
        link: expect.stringMatching(/^https:\/\/cloud\.carillon\.test\/setup\/[\w-]{27}$/) as string,
      },
    });
    expect(await list()).toEqual([
      expect.objectContaining({
        id: invited.body.id,
        email: 'ada@care.example',
        role: 'operator',
        status: 'invited',
      }),
    ]);
    expect((await signIn(api, 'ada@care.example')).status).toBe(401);
    const other = await take(invited.body.link, { email: 'eve@care.example', password: PASSWORD });
    expect(other).toMatchObject({ status: 400, body: { error: { path: '/email' } } });
    const short = await take(invited.body.link, { email: 'ada@care.example', password: 'seven77' });
    expect(short).toMatchObject({ status: 400, body: { error: { path: '/password' } } });
    const body = { email: 'ada@care.example', password: PASSWORD, firstName: 'Ada', lastName: 'B' };
    expect((await take(invited.body.link, body)).body).toEqual({ success: true });
    expect(await take(invited.body.link, body)).toMatchObject({
      status: 404,
      body: { error: { code: 'notFound' } },
    });
    expect(await list()).toMatchObject([{ email: 'ada@care.example', status: 'active', firstName: 'Ada' }]);
    expect((await invite('ada@care.example', 'viewer')).status).toBe(409);
  });

  test('the page behind a link loads nothing from anywhere', async () => {
    const invited = await invite('<b>@care.example', 'viewer');
    expect(invited.status).toBe(400);
    const { body } = await invite('page@care.example', 'viewer');
    const page = await api.app.request(pathOf(body.link));
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('a.test');
    expect(html).toContain('value="page@care.example"');
    expect(html).not.toMatch(/src=|<link/);
    // A way to the sign-in is no load, and stays at this address.
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(['/console/']);
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? '?';
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(policy).toContain("default-src 'none'");
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    const none = await api.app.request('/setup/none');
    expect([none.status, (await none.text()).includes('<form')]).toEqual([404, false]);
  });

  test('an invitation made again has a new link, and the old one is dead', async () => {
    const first = await invite('twice@care.example', 'viewer');
    const second = await invite('twice@care.example', 'operator');
    expect(second.body.id).toBe(first.body.id);
    const body = { email: 'twice@care.example', password: PASSWORD };
    expect((await take(first.body.link, body)).status).toBe(404);
    expect((await take(second.body.link, body)).status).toBe(200);
    expect((await list()).find(({ email }) => email === 'twice@care.example')?.role).toBe('operator');
  });

  test('an invitation ends after a week', async () => {
    const invited = await invite('late@care.example', 'viewer');
    api.clock.now += 7 * 86_400_000;
    const answer = await take(invited.body.link, { email: 'late@care.example', password: PASSWORD });
    expect(answer.status).toBe(404);
  });

  test('a tenant that invites the owner of an account gets no access to the account', async () => {
    await makePerson(api, 'a.test', 'both@care.example', 'viewer');
    const { body } = await invite('both@care.example', 'admin', 'b.test');
    const foreign = await take(body.link, { email: 'both@care.example', password: 'another password' });
    expect(foreign).toMatchObject({ status: 403, body: { error: { path: '/password' } } });
    const before = await browserOf(api, 'both@care.example');
    expect((await browse(api, before, 'GET', '/provisioning/device/b.test')).status).toBe(403);
    expect((await take(body.link, { email: 'both@care.example', password: PASSWORD })).status).toBe(200);
    const tenants = await browse(api, before, 'GET', '/provisioning/currentuser/tenants');
    expect(tenants.body).toEqual({
      success: true,
      tenants: [
        { role: 'viewer', domain: 'a.test' },
        { role: 'admin', domain: 'b.test' },
      ],
    });
  });

  test('two links of one newcomer: the second tenant does not choose the password the first one finds', async () => {
    const ofA = await invite('new@care.example', 'viewer');
    const ofB = await invite('new@care.example', 'viewer', 'b.test');
    const email = 'new@care.example';
    expect((await take(ofB.body.link, { email, password: 'chosen by b' })).status).toBe(200);
    expect((await take(ofA.body.link, { email, password: 'chosen by a' })).status).toBe(403);
    const browser = await browserOf(api, email, 'chosen by b');
    expect((await browse(api, browser, 'GET', '/provisioning/device/a.test')).status).toBe(403);
  });

  test('each role may what the table says', async () => {
    const may: Readonly<Record<string, readonly [number, number, number, number]>> = {
      viewer: [200, 403, 403, 403],
      operator: [200, 403, 403, 403],
      technician: [200, 403, 403, 403],
      admin: [200, 200, 200, 200],
      owner: [200, 200, 200, 200],
    };
    for (const [role, expected] of Object.entries(may)) {
      const browser = await makePerson(api, 'c.test', `${role}@care.example`, role);
      const answers = await Promise.all([
        browse(api, browser, 'GET', '/provisioning/device/c.test'),
        browse(api, browser, 'PUT', '/provisioning/device/c.test', { body: DEVICE }),
        browse(api, browser, 'GET', '/provisioning/user/c.test'),
        browse(api, browser, 'GET', '/provisioning/audit/c.test'),
      ]);
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, ...expected]);
    }
  });

  describe('owners', () => {
    let owner: Browser;
    let admin: Browser;
    beforeAll(async () => {
      owner = await makePerson(api, 'a.test', 'owner@care.example', 'owner');
      admin = await makePerson(api, 'a.test', 'admin@care.example', 'admin');
    });

    test('an admin makes, changes and removes no owner', async () => {
      const body = { email: 'more@care.example', role: 'owner' };
      expect((await browse(api, admin, 'POST', USERS, { body })).status).toBe(403);
      const path = `${USERS}/${await idOf('owner@care.example')}`;
      expect((await browse(api, admin, 'PUT', path, { body: { role: 'viewer' } })).status).toBe(403);
      expect((await browse(api, admin, 'DELETE', path)).status).toBe(403);
      const own = `${USERS}/${await idOf('admin@care.example')}`;
      expect((await browse(api, admin, 'PUT', own, { body: { role: 'owner' } })).status).toBe(403);
    });

    test('the last owner stays, until there is another', async () => {
      const path = `${USERS}/${await idOf('owner@care.example')}`;
      for (const answer of [
        await browse(api, owner, 'PUT', path, { body: { role: 'admin' } }),
        await browse(api, owner, 'DELETE', path),
        await ask(api, 'DELETE', path),
      ])
        expect(answer).toMatchObject({ status: 409, body: { error: { code: 'lastOwner' } } });
      // One who was only invited is no owner yet.
      const invited = await invite('second@care.example', 'owner');
      expect((await browse(api, owner, 'DELETE', path)).status).toBe(409);
      await take(invited.body.link, { email: 'second@care.example', password: PASSWORD });
      expect((await browse(api, owner, 'PUT', path, { body: { role: 'admin' } })).status).toBe(200);
    });
  });

  test('a removed person is out at once, and sites learn that its tokens are removed', async () => {
    const browser = await makePerson(api, 'a.test', 'gone@care.example', 'admin');
    const made = await browse(api, browser, 'POST', '/provisioning/apitoken/a.test', { body: {} });
    const { store } = api.database;
    const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
    const ofToken = async () =>
      (await changesSince(store, 'tenant', tenant, 0, 10_000)).filter(({ id }) => id === made.body.id);
    const path = `${USERS}/${await idOf('gone@care.example')}`;
    await ask(api, 'PUT', path, { body: { role: 'viewer' } });
    // Its token lives: the person goes only with it, or when another person takes it over.
    expect((await ask(api, 'DELETE', path)).status).toBe(409);
    await ask(api, 'DELETE', `${path}?revoke=true`);
    expect(await ofToken()).toMatchObject([
      { op: 'put', body: { role: 'admin' } },
      { op: 'put', body: { role: 'viewer' } },
      { op: 'delete' },
    ]);
    expect((await browse(api, browser, 'GET', '/provisioning/device/a.test')).status).toBe(401);
    expect((await signIn(api, 'gone@care.example')).status).toBe(401);
    expect((await ask(api, 'DELETE', path)).status).toBe(404);
  });

  test('the list goes on behind nextToken, members and invited in one order', async () => {
    const all = await list();
    const paged: Shown[] = [];
    let next: unknown;
    do {
      const query = next === undefined ? '' : `&nextToken=${String(next)}`;
      const { body } = await ask(api, 'GET', `${USERS}?limit=2${query}`);
      paged.push(...(body.users as Shown[]));
      next = body.nextToken;
    } while (next !== undefined);
    expect(paged).toEqual(all);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['active', 'invited']));
  });

  test('a repeated invitation under one idempotency key does not show the link again', async () => {
    const asked = {
      body: { email: 'once@care.example', role: 'viewer' },
      headers: { 'Idempotency-Key': 'invite-1' },
    };
    const first = await ask(api, 'POST', USERS, asked);
    expect(first).toMatchObject({ status: 200 });
    const again = await ask(api, 'POST', USERS, asked);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'tokenShownOnce' } } });
    const body = { email: 'once@care.example', password: PASSWORD };
    expect((await take(first.body.link, body)).status).toBe(200);
  });
});
