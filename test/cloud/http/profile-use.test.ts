import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putItem, readItem, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';
import { MAPPER } from './resource-sample.ts';

/* A protocol profile that would have no effect on the bridge or mapper that names it. */

let api: TestApi;
let token: string;
let tenant: string;
let domain: string;
let tenants = 0;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  domain = `use-${++tenants}.test`;
  token = await makeTenant(api, domain);
  tenant = (await tenantByDomain(api.database.store, domain))?.id ?? '';
});
afterAll(() => api.close());

const at = (kind: string, rest = '') => `/provisioning/${kind}/${domain}${rest}`;
const send = (method: string, path: string, body?: unknown) => ask(api, method, path, { token, body });
const bridge = (protocolProfile: string, protocol = 'bs8521') => ({ ...BRIDGE, protocol, protocolProfile });
const mapper = (protocolProfile: string) => ({ ...MAPPER, protocolProfile });
const row = (name: string, root: string, content: object, kind = 'tone') => ({
  name,
  kind,
  extends: root,
  content,
});
const profile = async (...given: Parameters<typeof row>) =>
  expect(await send('POST', at('protocolprofile'), row(...given))).toMatchObject({ status: 200 });
const create = async (kind: string, body: object): Promise<string> => {
  const answer = await send('POST', at(kind), body);
  expect(answer).toMatchObject({ status: 200 });
  return String(answer.body.id);
};
const refused = {
  status: 400,
  body: { success: false, error: { code: 'invalid', path: '/protocolProfile' } },
};
const conflict = { status: 409, body: { error: { code: 'conflict' } } };
const ON = { enabled: true };

describe('a bridge that names a profile', () => {
  test.each([
    [
      'tt-burst',
      'tt-burst',
      'tt92',
      /cannot receive that protocol: name a profile of another protocol, or none/,
    ],
    ['bsiaFastFormat', 'bsiaFastFormat', 'contactId', /cannot receive/],
    ['siaFsk', 'siaFsk', 'multiprotocol', /cannot receive/],
    ['rb2000', 'rb2000', 'rb2000', /no public description; the profile must be completed/],
    ['twon-text', 'twon-text', 'multiprotocol', /is off.*has enabled true/],
    ['lacs', 'lacs', 'lacs', /is off/],
  ])('built-in %s hears that it says nothing', async (_, named, protocol, sentence) => {
    const answer = await send('POST', at('alarmbridge'), bridge(named, protocol));
    expect(answer).toMatchObject(refused);
    expect(answer.body.reason).toMatch(/^\/protocolProfile: /);
    expect(answer.body.reason).toMatch(sentence);
    expect(await send('POST', at('alarmbridge', '?provisory=true'), bridge(named, protocol))).toMatchObject(
      refused,
    );
  });

  test('is notified for a profile of its own, too, down to the built-in one', async () => {
    await profile('burst', 'tt-burst', { ack: [] });
    await profile('burst-2', 'burst', { settleMs: 5 });
    await profile('rb', 'rb2000', { settleMs: 5 });
    await profile('no-bs', 'bs8521', { enabled: false });
    for (const named of ['burst', 'burst-2', 'rb', 'no-bs'])
      expect(await send('POST', at('alarmbridge'), bridge(named)), named).toMatchObject(refused);
    const id = await create('alarmbridge', BRIDGE);
    expect(await send('PUT', at('alarmbridge', `/${id}`), bridge('rb'))).toMatchObject(refused);
    const patch = [{ op: 'add', path: '/protocolProfile', value: 'rb' }];
    expect(await send('PATCH', at('alarmbridge', `/${id}`), patch)).toMatchObject(refused);
  });

  test('is taken where it has an effect', async () => {
    await profile('rb', 'rb2000', ON);
    await profile('rb-3', 'rb', { settleMs: 3 });
    await profile('no-p100', 'p100', { enabled: false });
    await profile('places', 'bs8521-location', { rows: [] }, 'codes');
    for (const [named, protocol] of [
      ['rb', 'rb2000'],
      ['rb-3', 'rb2000'],
      // Such a number is not asked in P100.
      ['no-p100', 'multiprotocol'],
      ['places', 'bs8521'],
      ['dc07', 'dc09'],
    ] as const)
      await create('alarmbridge', bridge(named, protocol));
    // The row of the built-in's name says it for the whole tenant.
    await profile('twon-text', 'twon-text', ON);
    await create('alarmbridge', bridge('twon-text', 'multiprotocol'));
  });

  test('may be of rb2000 without one: its calls are events by themselves', async () => {
    await create('alarmbridge', { ...BRIDGE, protocol: 'rb2000' });
  });
});

test('a mapper is notified of a profile without a sender', async () => {
  for (const named of ['p100', 'contactId', 'rb2000', 'siaFsk', 'multiprotocol', 'lacs']) {
    const answer = await send('POST', at('alarmeventmapper'), mapper(named));
    expect(answer, named).toMatchObject(refused);
    expect(answer.body.reason).toContain(
      'does not send that protocol: name a profile of scaip, nowip, bs8521, tt92',
    );
  }
  for (const named of ['tt92', 'ttnew', 'bs8521', 'scaip', 'nowip', 'dc09', 'scaip-dty'])
    await create('alarmeventmapper', mapper(named));
});

describe('a profile that is named', () => {
  test('cannot be switched off, nor become an unread one', async () => {
    await profile('rb', 'rb2000', ON);
    await profile('rb-2', 'rb', { settleMs: 5 });
    const id = await create('alarmbridge', bridge('rb-2', 'rb2000'));
    for (const other of [row('rb', 'rb2000', {}), row('rb', 'tt-burst', {})]) {
      const answer = await send('PUT', at('protocolprofile', '/rb'), other);
      expect(answer).toMatchObject(conflict);
      expect(answer.body.reason).toContain(`alarm bridge ${id} (/protocolProfile rb-2)`);
    }
    const off = [{ op: 'replace', path: '/content/enabled', value: false }];
    expect(await send('PATCH', at('protocolprofile', '/rb'), off)).toMatchObject(conflict);
    expect(
      await send('PUT', at('protocolprofile', '/rb'), row('rb', 'rb2000', { ...ON, settleMs: 9 })),
    ).toMatchObject({ status: 200 });
    expect(await send('DELETE', at('alarmbridge', `/${id}`))).toMatchObject({ status: 200 });
    expect(await send('PATCH', at('protocolprofile', '/rb'), off)).toMatchObject({ status: 200 });
  });

  test('stays under the name of a built-in one while a bridge lives by it', async () => {
    await profile('rb2000', 'rb2000', ON);
    await create('alarmbridge', bridge('rb2000', 'rb2000'));
    expect(await send('DELETE', at('protocolprofile', '/rb2000'))).toMatchObject(conflict);
  });

  test('by a mapper cannot become one without a sender', async () => {
    await profile('ours', 'bs8521', {});
    await create('alarmeventmapper', mapper('ours'));
    expect(await send('PUT', at('protocolprofile', '/ours'), row('ours', 'p100', {}))).toMatchObject(
      conflict,
    );
  });
});

describe('a whole configuration', () => {
  const restore = (body: object) => send('PUT', at('configuration'), body);

  test('is refused with the place of the name', async () => {
    expect(await restore({ alarmbridges: [{ ...bridge('tt-burst'), id: 'b' }] })).toMatchObject({
      status: 400,
      body: { error: { path: '/alarmbridges/0/protocolProfile' } },
    });
  });

  test('with a name from before is given back as it was, and cannot get another', async () => {
    const { store } = api.database;
    const id = await create('alarmbridge', BRIDGE);
    const where = { tenant, set: 'working' } as const;
    const stored = await readItem(store, 'alarmBridge', where, id);
    const body = { ...(stored?.body as object), protocolProfile: 'tt-burst' };
    await store.withTx((tx) => putItem(tx, 'alarmBridge', { ...where, id, body, updatedAt: 0 }));
    const { configuration } = (await send('GET', at('configuration'))).body;
    const { alarmbridges } = configuration as { readonly alarmbridges: readonly object[] };
    expect(alarmbridges).toMatchObject([{ protocolProfile: 'tt-burst' }]);
    expect(await restore({ alarmbridges })).toMatchObject({ status: 200 });
    const [one] = alarmbridges;
    expect(await restore({ alarmbridges: [{ ...one, protocolProfile: 'siaFsk' }] })).toMatchObject({
      status: 400,
    });
    // Another row, and a profile that has nothing to do with it, are as free as ever.
    await profile('mine', 'bs8521', {});
    await create('alarmbridge', bridge('mine'));
    expect(await send('PUT', at('alarmbridge', `/${id}`), BRIDGE)).toMatchObject({ status: 200 });
  });
});
