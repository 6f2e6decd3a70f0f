import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Feed } from '#cloud/feed/index.ts';
import { insertSite, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';
import { MAPPER, SAMPLES, SECRET } from '../http/resource-sample.ts';
import { FeedHost, testFeed } from './feed-host.ts';

// From the API of the cloud to what the engines of a site look up: the real feed and the real replica, no network.

const DOMAIN = 'a.test';

let api: TestApi;
let token: string;
let feed: Feed;
let site: FeedHost;

/** False when there is nothing newer. */
async function pull(): Promise<boolean> {
  await site.pullHost(feed);
  const faults = await site.pull(feed);
  if (faults !== undefined) expect(faults).toEqual([]);
  return faults !== undefined;
}

beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  const { store } = api.database;
  const tenant = (await tenantByDomain(store, DOMAIN))?.id ?? '';
  const at = api.clock.now;
  await store.withTx(async (tx) => {
    const given = { name: null, profile: 'high', reachable: false, keyPublic: {}, keySealed: '' } as const;
    await insertSite(tx, { tenant, siteId: 'north', ...given, createdAt: at });
  });
  site = new FeedHost(tenant, DOMAIN);
  await site.join(store, at);
  feed = testFeed(store, () => api.clock.now);
});
afterAll(async () => {
  site.end();
  await api.close();
});

const send = async (method: string, path: string, body?: unknown) => {
  const answer = await ask(api, method, path, { token, body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const create = async (base: string, body: object, query = '') =>
  String((await send('POST', `${base}/${DOMAIN}${query}`, body)).id);

test('every kind reaches the engines, with its secrets', async () => {
  const ids = new Map<string, string>();
  for (const { base, member, body } of SAMPLES) ids.set(member, await create(base, body));
  await send('PUT', `/provisioning/device/${DOMAIN}`, DEVICE);
  expect(await pull()).toBe(true);
  const { model } = site;
  const id = (member: string) => ids.get(member) ?? '';
  expect(model.bridge(id('alarmbridge'))?.restAuthentication?.[0]?.secret).toBe(SECRET);
  expect(model.mapper(id('alarmeventmapper'))?.targetEndpoint).toMatchObject(MAPPER.targetEndpoint);
  expect(model.cloudSipUa(id('cloudsipua'))?.restAuthentication?.[0]?.secret).toBe(SECRET);
  expect(model.trunk(id('trunk'))).toMatchObject({ password: SECRET, trunkKey: SECRET });
  expect(model.mediaServicesById.get(id('mediaservice'))?.codecs).toEqual(['PCMA', 'PCMU']);
  expect(model.recordingServicesById.get(id('callrecording'))?.retention).toBe(72);
  expect(model.protocolProfile(id('protocolprofile'))?.content).toEqual({ collect: { interDigitMs: 900 } });
  expect(model.byId(DEVICE.deviceId)?.authType).toBe('deviceid');
  expect(await pull()).toBe(false);
});

test('no draft reaches a site, whatever happens to it; promotion is one revision', async () => {
  const draft = '?provisory=true';
  const mapper = await create('/provisioning/alarmeventmapper', MAPPER, draft);
  const bridge = { ...BRIDGE, name: 'Draft', alarmEventMapperId: mapper };
  const drafts = [
    await create('/provisioning/alarmbridge', bridge, draft),
    mapper,
    await create('/provisioning/cloudsipua', { ...SAMPLES[2]?.body, name: 'Draft' }, draft),
    await create('/provisioning/trunk', { ...SAMPLES[3]?.body, name: 'Draft' }, draft),
  ];
  const [working] = site.model.bridges;
  const path = `/provisioning/alarmbridge/${DOMAIN}/${String(working?.id)}`;
  await send('PUT', `${path}${draft}`, { ...BRIDGE, name: 'Draft of a working one' });
  await send('PATCH', `${path}${draft}`, [{ op: 'replace', path: '/name', value: 'Changed draft' }]);
  expect(await pull()).toBe(false);

  // Something else is changed: even then nothing of the drafts travels with it.
  await send('PUT', `/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: 'other' });
  expect(await pull()).toBe(true);
  const there = () => {
    const { bridges, mappers, cloudSipUas, trunks } = site.model;
    return [...bridges, ...mappers, ...cloudSipUas, ...trunks];
  };
  expect(there().filter(({ id, name }) => drafts.includes(id) || name.includes('raft'))).toEqual([]);

  const before = site.revs.tenant;
  await send('POST', `/provisioning/configuration/${DOMAIN}/promote`);
  expect(await pull()).toBe(true);
  expect(site.revs.tenant).toBe(before + 1);
  for (const id of drafts) expect(there().map((row) => row.id)).toContain(id);
  expect(site.model.bridge(String(working?.id))?.name).toBe('Changed draft');
});

test('a restored configuration is one revision too, and lets many go at once', async () => {
  const whole = (await send('GET', `/provisioning/configuration/${DOMAIN}`)).configuration as object;
  const before = site.revs.tenant;
  await send('PUT', `/provisioning/configuration/${DOMAIN}`, {
    ...whole,
    alarmbridges: [],
    alarmeventmappers: [],
  });
  expect(await pull()).toBe(true);
  expect([site.revs.tenant, site.model.bridges, site.model.mappers]).toEqual([before + 1, [], []]);
  expect(site.model.trunks).toHaveLength(2);
});
