import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, currentRevision, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';
import { MAPPER, PROFILE } from './resource-sample.ts';

const DOMAIN = 'a.test';
const bridges = `/provisioning/alarmbridge/${DOMAIN}`;
const mappers = `/provisioning/alarmeventmapper/${DOMAIN}`;
const profiles = `/provisioning/protocolprofile/${DOMAIN}`;
const promotion = `/provisioning/configuration/${DOMAIN}/promote`;

let api: TestApi;
let token: string;
let tenant: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
});
afterAll(() => api.close());

const send = (method: string, path: string, body?: unknown) => ask(api, method, path, { token, body });
const create = async (path: string, body: object): Promise<string> => {
  const answer = await send('POST', path, body);
  expect(answer).toMatchObject({ status: 200 });
  return String(answer.body.id);
};
const refused = (code: string, path?: string) => ({
  status: code === 'conflict' ? 409 : 400,
  body: { success: false, error: { code, ...(path === undefined ? {} : { path }) } },
});
let names = 0;
const profile = (more: object = {}) => {
  names += 1;
  return { ...PROFILE, name: `own-${names}`, ...more };
};
const mapping = (more: object = {}) =>
  profile({ kind: 'siaMapping', extends: 'default', content: {}, ...more });

describe('a name that leads nowhere', () => {
  test.each([
    ['no mapper', bridges, { ...BRIDGE, alarmEventMapperId: 'nobody' }, '/alarmEventMapperId'],
    ['no profile', bridges, { ...BRIDGE, protocolProfile: 'nobody' }, '/protocolProfile'],
    [
      'a mapping is no way of speaking',
      bridges,
      { ...BRIDGE, protocolProfile: 'default' },
      '/protocolProfile',
    ],
    ['no profile', mappers, { ...MAPPER, protocolProfile: 'nobody' }, '/protocolProfile'],
    [
      'no mapping',
      mappers,
      { ...MAPPER, targetEndpoint: { ...MAPPER.targetEndpoint, siaMapping: 'bs8521' } },
      '/targetEndpoint/siaMapping',
    ],
    ['nothing to extend', profiles, profile({ extends: 'nobody' }), '/extends'],
    ['another kind', profiles, profile({ extends: 'scaip' }), '/extends'],
    [
      'a window no engine keeps',
      profiles,
      profile({ content: { collect: { interDigitMs: 1 } } }),
      '/content/collect/interDigitMs',
    ],
    ['a key without effect', profiles, profile({ content: { collet: {} } }), '/content/collet'],
    [
      'an unknown protocol',
      profiles,
      profile({ extends: 'siaFsk', content: { enabled: true } }),
      '/content/enabled',
    ],
    [
      'a code of no list',
      profiles,
      profile({ kind: 'codes', extends: 'scaip-stc', content: { rows: [{ code: '1', receive: 'fine' }] } }),
      '/content/rows/0/receive',
    ],
    [
      'an unknown class',
      profiles,
      mapping({ content: { statusClass: { odd: [] } } }),
      '/content/statusClass/odd',
    ],
    ['itself', profiles, profile({ name: 'self', extends: 'self' }), '/extends'],
  ])('%s', async (_what, path, body, at) => {
    expect(await send('POST', path, body)).toMatchObject(refused('invalid', at));
  });

  test('is refused in PUT and PATCH as well, and in the provisory set', async () => {
    const id = await create(bridges, BRIDGE);
    const wrong = { ...BRIDGE, alarmEventMapperId: 'nobody' };
    const patch = [{ op: 'add', path: '/alarmEventMapperId', value: 'nobody' }];
    expect(await send('PUT', `${bridges}/${id}`, wrong)).toMatchObject(
      refused('invalid', '/alarmEventMapperId'),
    );
    expect(await send('PATCH', `${bridges}/${id}`, patch)).toMatchObject(
      refused('invalid', '/alarmEventMapperId'),
    );
    expect(await send('POST', `${bridges}?provisory=true`, wrong)).toMatchObject(refused('invalid'));
  });
});

test('built-in and own names are taken, one by one built upon the other', async () => {
  const first = await create(profiles, profile());
  const second = await create(profiles, profile({ extends: first }));
  const ofSecond = profile({ extends: second, content: { nak: [] } });
  expect(await send('POST', profiles, ofSecond)).toMatchObject(refused('invalid', '/content/nak'));
  const inPlace = await create(profiles, { ...PROFILE, name: 'tt92', extends: 'tt92' });
  const siaMapping = await create(profiles, mapping());
  const mapper = await create(mappers, {
    ...MAPPER,
    targetEndpoint: { ...MAPPER.targetEndpoint, siaMapping },
  });
  for (const protocolProfile of [first, second, inPlace, 'ttnew'])
    await create(bridges, { ...BRIDGE, protocolProfile, alarmEventMapperId: mapper });
  expect(
    await send('PUT', `${profiles}/${first}`, { ...PROFILE, name: first, extends: second }),
  ).toMatchObject(refused('invalid', '/extends'));
});

test('a profile is known by its name, which cannot change', async () => {
  const name = await create(profiles, profile());
  expect(await send('POST', profiles, profile({ name }))).toMatchObject(refused('conflict', '/name'));
  expect(await send('PUT', `${profiles}/${name}`, profile())).toMatchObject(refused('invalid', '/name'));
  expect(
    await send('PATCH', `${profiles}/${name}`, [{ op: 'replace', path: '/name', value: 'x' }]),
  ).toMatchObject(refused('invalid', '/name'));
});

test('keeps its target from removal and from becoming something else', async () => {
  const siaMapping = await create(profiles, mapping());
  const mapper = await create(mappers, {
    ...MAPPER,
    targetEndpoint: { ...MAPPER.targetEndpoint, siaMapping },
  });
  const bridge = await create(bridges, { ...BRIDGE, alarmEventMapperId: mapper });
  const removed = await send('DELETE', `${mappers}/${mapper}`);
  expect(removed).toMatchObject(refused('conflict'));
  expect(removed.body.reason).toContain(`alarm bridge ${bridge} (/alarmEventMapperId)`);
  expect(await send('DELETE', `${profiles}/${siaMapping}`)).toMatchObject(refused('conflict'));
  const other = { ...PROFILE, name: siaMapping, kind: 'tone', extends: 'tt92' };
  expect(await send('PUT', `${profiles}/${siaMapping}`, other)).toMatchObject(refused('conflict'));
  for (const path of [`${bridges}/${bridge}`, `${mappers}/${mapper}`, `${profiles}/${siaMapping}`])
    expect((await send('DELETE', path)).status).toBe(200);
});

test('drafts may name drafts; promoted together they are one revision', async () => {
  const draft = '?provisory=true';
  const mapper = await create(`${mappers}${draft}`, MAPPER);
  const bridge = await create(`${bridges}${draft}`, { ...BRIDGE, alarmEventMapperId: mapper });
  const agent = await create(`/provisioning/cloudsipua/${DOMAIN}${draft}`, {
    name: 'a',
    destinationMatch: 'a',
    callbackBaseUrl: 'https://app.example',
  });
  const before = await currentRevision(api.database.store, 'tenant', tenant);

  const alone = await send('POST', promotion, { alarmbridges: [bridge] });
  expect(alone).toMatchObject(refused('invalid', '/alarmbridges'));
  expect(alone.body.reason).toContain(mapper);
  expect(await currentRevision(api.database.store, 'tenant', tenant)).toBe(before);

  const both = await send('POST', promotion);
  expect(both.body).toEqual({
    success: true,
    alarmbridges: [bridge],
    alarmeventmappers: [mapper],
    cloudsipuas: [agent],
    trunks: [],
  });
  const rows = await changesSince(api.database.store, 'tenant', tenant, before, 10);
  expect(rows.map(({ rev, id, massChange }) => [rev, id, massChange]).toSorted()).toEqual(
    [bridge, mapper, agent].map((id) => [before + 1, id, true]).toSorted(),
  );
});

test('a list that is not named promotes nothing beside one that is', async () => {
  const mapper = await create(`${mappers}?provisory=true`, MAPPER);
  await create(`${bridges}?provisory=true`, BRIDGE);
  const answer = await send('POST', promotion, { alarmeventmappers: [mapper] });
  expect(answer.body).toMatchObject({ alarmeventmappers: [mapper], alarmbridges: [] });
  expect(await send('POST', promotion, { trunks: ['nobody'] })).toMatchObject({ status: 404 });
});

describe('the objects that name another one', () => {
  const referrers = async (path: string) => (await send('GET', `${path}/referrer`)).body.referrers;

  test('are bridges for a mapper, and drafts of them, each with its field', async () => {
    const mapper = await create(mappers, MAPPER);
    expect(await referrers(`${mappers}/${mapper}`)).toEqual([]);
    const named = { ...BRIDGE, name: 'Night', destinationMatch: '^named$', alarmEventMapperId: mapper };
    const bridge = await create(bridges, named);
    const draft = await create(`${bridges}?provisory=true`, { ...named, name: 'Day' });
    const field = { entity: 'alarmbridge', path: '/alarmEventMapperId' };
    expect(await referrers(`${mappers}/${mapper}`)).toEqual([
      { ...field, id: bridge, name: 'Night', draft: false },
      { ...field, id: draft, name: 'Day', draft: true },
    ]);
    await send('DELETE', `${bridges}/${bridge}`);
    await send('DELETE', `${bridges}/${draft}?provisory=true`);
    expect(await referrers(`${mappers}/${mapper}`)).toEqual([]);
  });

  test('are bridges, mappers and profiles for a profile, also under the name of a built-in one', async () => {
    const base = profile({ name: 'bs8521' });
    await create(profiles, base);
    const heir = profile({ extends: 'own-heir-base' });
    await create(profiles, { ...base, name: 'own-heir-base' });
    await create(profiles, heir);
    expect(await referrers(`${profiles}/own-heir-base`)).toEqual([
      { entity: 'protocolprofile', id: heir.name, name: heir.name, path: '/extends', draft: false },
    ]);
    const bridge = await create(bridges, {
      ...{ ...BRIDGE, name: 'Tones', destinationMatch: '^tones$' },
      ...{ protocol: 'bs8521', protocolProfile: 'bs8521' },
    });
    expect(await referrers(`${profiles}/bs8521`)).toEqual([
      { entity: 'alarmbridge', id: bridge, name: 'Tones', path: '/protocolProfile', draft: false },
    ]);
    await send('DELETE', `${bridges}/${bridge}`);
    await send('DELETE', `${profiles}/bs8521`);
  });

  test('are of no object that does not exist, and are shown to a reader', async () => {
    expect(await send('GET', `${mappers}/absent/referrer`)).toMatchObject({
      status: 404,
      body: { error: { code: 'notFound' } },
    });
    const reader = await makeTenant(api, DOMAIN, 'read');
    const mapper = await create(mappers, MAPPER);
    expect((await ask(api, 'GET', `${mappers}/${mapper}/referrer`, { token: reader })).status).toBe(200);
  });
});

describe('testconfiguration', () => {
  const tested = async (kind: string, destination: string) =>
    (await send('GET', `/provisioning/${kind}/${DOMAIN}/testconfiguration/${destination}`)).body;

  test('answers the same for bridge and mapper', async () => {
    const mapper = await create(mappers, MAPPER);
    const bridge = await create(bridges, {
      ...BRIDGE,
      destinationMatch: '^mapped$',
      alarmEventMapperId: mapper,
    });
    for (const kind of ['alarmbridge', 'alarmeventmapper'])
      expect(await tested(kind, 'mapped')).toMatchObject({ success: true, receiver: bridge, sender: mapper });
  });

  test('for user agents names the agent and where it is called', async () => {
    const agent = {
      name: 'a',
      destinationMatch: '^door-1$',
      callbackBaseUrl: 'https://app.example/cb',
      order: 5,
    };
    const id = await create(`/provisioning/cloudsipua/${DOMAIN}`, agent);
    await create(`/provisioning/cloudsipua/${DOMAIN}`, { ...agent, destinationMatch: '^door', order: 6 });
    expect(await tested('cloudsipua', 'door-1')).toMatchObject({
      success: true,
      receiver: id,
      sender: agent.callbackBaseUrl,
    });
    expect(await tested('cloudsipua', 'nobody')).toMatchObject({
      success: false,
      error: { code: 'notFound' },
    });
  });
});
