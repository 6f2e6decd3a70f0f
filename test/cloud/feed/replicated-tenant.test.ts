import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  judgeStaged,
  removalsOf,
  replacesAll,
  StagedReading,
  TenantModel,
} from '#appliance/replica/index.ts';
import { createFeed, type Feed } from '#cloud/feed/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { insertHost, insertSite, tenantByDomain } from '#cloud/store/index.ts';
import { type HashedRow, manifestSchema, shardOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';
import { MAPPER, SAMPLES, SECRET } from '../http/resource-sample.ts';

// From the API of the cloud to what the engines of a site look up: the real feed and the real replica, no network.

const DOMAIN = 'a.test';
const { sha256 } = digest;

let api: TestApi;
let token: string;
let feed: Feed;
let site: Site;

/** A host that takes every revision as the appliance does. */
class Site {
  readonly model = new TenantModel(DOMAIN);
  readonly uid = ulid(Date.UTC(2030, 0, 1), digest.random(10));
  rev = 0;
  #rows: readonly HashedRow[] = [];

  /** False when there is nothing newer. */
  async pull(): Promise<boolean> {
    const answer = await feed.manifest(this.uid, 'tenant', this.rev);
    if (answer === undefined) return false;
    const manifest = manifestSchema.parse(JSON.parse(answer.jws));
    const reading = new StagedReading(replacesAll(manifest) ? [] : this.#rows, sha256);
    const after = new Map(
      replacesAll(manifest) ? [] : this.#rows.map((row) => [`${row.entity} ${row.id}`, row]),
    );
    for (const page of manifest.pages) {
      const bytes = await feed.page(this.uid, page.sha256);
      for (const operation of reading.add(gunzipSync(bytes ?? new Uint8Array()).toString()) ?? []) {
        const { entity, id } = operation;
        if (operation.op === 'put') after.set(`${entity} ${id}`, { entity, id, rowHash: operation.rowHash });
        else after.delete(`${entity} ${id}`);
      }
    }
    expect(reading.faults).toEqual([]);
    const rows = [...after.values()];
    expect(judgeStaged(manifest, this.#rows, rows, sha256)).toEqual({ kind: 'good' });
    this.model.apply([...(replacesAll(manifest) ? removalsOf(this.#rows, rows) : []), ...reading.changes]);
    this.#rows = rows;
    this.rev = manifest.to;
    return true;
  }
}

beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  site = new Site();
  const { store } = api.database;
  const tenant = (await tenantByDomain(store, DOMAIN))?.id ?? '';
  const at = api.clock.now;
  await store.withTx(async (tx) => {
    const given = { name: null, profile: 'high', reachable: false, keyPublic: {}, keySealed: '' } as const;
    await insertSite(tx, { tenant, siteId: 'north', ...given, createdAt: at });
    await insertHost(tx, {
      uid: site.uid,
      tenant,
      siteId: 'north',
      hostId: 'a',
      sh: shardOf(site.uid, sha256),
      lifecycle: 'active',
      lifecycleSince: at,
      labels: [],
      serial: null,
      publicKey: '',
      sealKey: {},
      certSerial: null,
      certNext: null,
      certSince: 0,
      certExpires: null,
      generation: 1,
      version: '0.1.0',
      siteBaseUrl: null,
      network: null,
      course: null,
      operation: null,
      claim: '',
      twinRev: 0,
      twinBody: null,
      createdAt: at,
    });
  });
  feed = createFeed({
    store,
    nowMs: () => api.clock.now,
    sha256,
    sha256Bytes: (bytes) => sha256(Buffer.from(bytes).toString('base64')),
    gzip: async (text) => gzipSync(text),
    sign: async (_typ, payload) => JSON.stringify(payload),
    publish: async () => undefined,
    after: () => undefined,
    log: () => undefined,
  });
});
afterAll(() => api.close());

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
  expect(await site.pull()).toBe(true);
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
  expect(await site.pull()).toBe(false);
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
  expect(await site.pull()).toBe(false);

  // Something else is changed: even then nothing of the drafts travels with it.
  await send('PUT', `/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: 'other' });
  expect(await site.pull()).toBe(true);
  const there = () => {
    const { bridges, mappers, cloudSipUas, trunks } = site.model;
    return [...bridges, ...mappers, ...cloudSipUas, ...trunks];
  };
  expect(there().filter(({ id, name }) => drafts.includes(id) || name.includes('raft'))).toEqual([]);

  const before = site.rev;
  await send('POST', `/provisioning/configuration/${DOMAIN}/promote`);
  expect(await site.pull()).toBe(true);
  expect(site.rev).toBe(before + 1);
  for (const id of drafts) expect(there().map((row) => row.id)).toContain(id);
  expect(site.model.bridge(String(working?.id))?.name).toBe('Changed draft');
});

test('a restored configuration is one revision too, and lets many go at once', async () => {
  const whole = (await send('GET', `/provisioning/configuration/${DOMAIN}`)).configuration as object;
  const before = site.rev;
  await send('PUT', `/provisioning/configuration/${DOMAIN}`, {
    ...whole,
    alarmbridges: [],
    alarmeventmappers: [],
  });
  expect(await site.pull()).toBe(true);
  expect([site.rev, site.model.bridges, site.model.mappers]).toEqual([before + 1, [], []]);
  expect(site.model.trunks).toHaveLength(2);
});
