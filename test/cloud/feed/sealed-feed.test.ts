import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostKeys } from '#appliance/io/edge/identity/host-key.ts';
import type { Feed } from '#cloud/feed/index.ts';
import {
  auditAfter,
  configKeysOf,
  insertHost,
  insertSite,
  readHost,
  recordChange,
  type Store,
  tenantByDomain,
  updateHost,
} from '#cloud/store/index.ts';
import { parsePage, type Twin, twinSchema } from '#shared/contract/feed/index.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';
import { SAMPLES, SECRET } from '../http/resource-sample.ts';
import { FeedHost, payloadOf, testFeed } from './feed-host.ts';

const DOMAIN = 'a.test';
const DAY_MS = 86_400_000;
const HA1 = 'c0ffee'.padEnd(32, '0');
const DC09_KEY = 'ab'.repeat(16);

let api: TestApi;
let token: string;
let tenant: string;
let store: Store;
let feed: Feed;
let published: string[];
let hosts: FeedHost[];

beforeEach(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  ({ store } = api.database);
  tenant = (await tenantByDomain(store, DOMAIN))?.id ?? '';
  const given = { name: null, profile: 'high', reachable: false, keyPublic: {}, keySealed: '' } as const;
  await store.withTx((tx) => insertSite(tx, { tenant, siteId: 'north', ...given, createdAt: api.clock.now }));
  published = [];
  hosts = [];
  feed = await startedFeed();
});
afterEach(async () => {
  feed.stop();
  await feed.idle();
  for (const host of hosts) host.end();
  await api.close();
});

/** As the process does at start. */
async function startedFeed(): Promise<Feed> {
  const made = testFeed(store, () => api.clock.now, {
    publish: async (topic, payload) => void published.push(`${topic} ${payload}`),
    after: (_, run) => setImmediate(run),
  });
  await made.start({ ca: 'PEM', verifyKeys: [], publicUrl: 'https://cloud.test' });
  return made;
}

async function restart(): Promise<void> {
  feed.stop();
  await feed.idle();
  feed = await startedFeed();
}

async function joined(): Promise<FeedHost> {
  const host = new FeedHost(tenant, DOMAIN);
  hosts.push(host);
  await host.join(store, api.clock.now);
  return host;
}

/** Its own scope, then the tenant's. */
async function pulled(host: FeedHost) {
  await host.pullHost(feed);
  return await host.pull(feed);
}

const put = async (path: string, body: object, method = 'PUT') => {
  const answer = await ask(api, method, path, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

const TRUNK = SAMPLES.find(({ member }) => member === 'trunk')?.body ?? {};
const addTrunk = async (more: object = {}) =>
  String((await put(`/provisioning/trunk/${DOMAIN}`, { ...TRUNK, ...more }, 'POST')).id);

/** The host is a member no more, as its life in `cloud/site` writes it. */
async function leave(host: FeedHost, lifecycle: 'decommissioned' | 'quarantined'): Promise<void> {
  const owner = `${tenant}/north`;
  await store.withTx(async (tx) => {
    await updateHost(tx, host.uid, { lifecycle });
    const at = api.clock.now;
    await recordChange(tx, { scope: 'site', owner, entity: 'host', id: host.uid, op: 'delete', at });
  });
}

const versions = async () => (await configKeysOf(store, tenant)).map(({ version }) => version);

/** Resolves when the noticed changes have been announced. */
async function reported(): Promise<void> {
  const hasRotated = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await feed.idle();
  };
  for (let round = 0; round < 5; round++) await hasRotated();
}

describe('no secret in the clear', () => {
  it('in manifests, pages, bundles or twins, of any kind of row', async () => {
    for (const { base, body } of SAMPLES) await put(`${base}/${DOMAIN}`, body, 'POST');
    const credentials = { ...DEVICE, authType: 'credentials', deviceId: 'phone', ha1: HA1 };
    await put(`/provisioning/device/${DOMAIN}`, credentials);
    const withKey = {
      ...DEVICE,
      deviceId: 'panel',
      serviceData: { alarmBridge: { dc09: { key: DC09_KEY } } },
    };
    await put(`/provisioning/device/${DOMAIN}`, withKey);
    const password = 'correct horse battery';
    await put(`/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: 'app', authType: 'userid', password });
    await put(`/provisioning/notificationsettings/${DOMAIN}`, {
      alarmEventsRestEndpoint: 'https://app.example/alarm',
      restAuthentication: [{ sub: 's', secret: SECRET, type: 'HS256' }],
    });
    const [one, two] = [await joined(), await joined()];
    for (const host of [one, two]) expect(await pulled(host)).toEqual([]);
    // A delta, too.
    await addTrunk({ name: 'Second' });
    for (const host of [one, two]) expect(await pulled(host)).toEqual([]);
    feed.hostChanged(one.uid);
    await reported();
    const bundle = await feed.bundle(tenant, 'north');
    const packed = Object.values(bundle?.pages ?? {}).map((page) =>
      gunzipSync(Buffer.from(page, 'base64')).toString(),
    );
    const signed = [...(bundle?.manifests ?? []), ...Object.values(bundle?.twins ?? {}), ...published];
    expect(Object.keys(bundle?.twins ?? {})).toHaveLength(2);
    const documents = [...signed.map(payloadOf), JSON.stringify(bundle), ...packed];
    const seen = [...one.came, ...two.came, ...published, ...documents].join('\n');
    expect(published.length).toBeGreaterThan(0);
    expect(seen).toContain('"hashSalt":"sealed:1:');
    const passwordHash = one.model.byId('app')?.passwordHash ?? 'there is one';
    const digest = one.model.byId('phone')?.digest?.md5 ?? 'there is one';
    for (const secret of [SECRET, HA1, DC09_KEY, password, passwordHash, digest]) {
      expect(seen.includes(secret), secret).toBe(false);
      expect(seen.includes(Buffer.from(secret).toString('base64')), secret).toBe(false);
    }
    // And the engines have all of it.
    expect(digest).toBe(HA1);
    expect(passwordHash).toMatch(/^\$argon2id\$/);
    expect(one.model.trunks.map((trunk) => trunk.password)).toEqual([SECRET, SECRET]);
    expect(one.model.byId('panel')?.serviceData?.alarmBridge?.dc09?.key).toBe(DC09_KEY);
  });

  it('and no hash that lets a weak one be guessed: the same row has another hash in another tenant', async () => {
    const host = await joined();
    const first = await addTrunk({ name: 'Twin' });
    const second = await addTrunk({ name: 'Twin' });
    await pulled(host);
    const hashes = host.came
      .flatMap((text) => parsePage(text) ?? [])
      .filter(({ id }) => [first, second].includes(id))
      .map((operation) => (operation.op === 'put' ? operation.rowHash : ''));
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('and the same bytes for every host, so that pages are kept once', async () => {
    const [one, two] = [await joined(), await joined()];
    await addTrunk();
    await pulled(one);
    await pulled(two);
    const pages = (host: FeedHost) => host.came.filter((text) => text.includes('"entity":"trunk"'));
    expect(pages(one)).toEqual(pages(two));
    expect(pages(one)).toHaveLength(1);
    expect([...one.keyRows.values()]).not.toEqual([...two.keyRows.values()]);
  });
});

describe('keys of a tenant', () => {
  it('last over a restart of the cloud, and are made once', async () => {
    const host = await joined();
    await addTrunk();
    expect(await pulled(host)).toEqual([]);
    await restart();
    await addTrunk({ name: 'After' });
    expect(await pulled(host)).toEqual([]);
    expect(host.model.trunks.map(({ password }) => password)).toEqual([SECRET, SECRET]);
    expect(await versions()).toEqual([1]);
    expect(host.keyRows.size).toBe(1);
    const [key] = await configKeysOf(store, tenant);
    expect(key?.sealed).toMatch(/^v1:/);
  });

  it.each(['decommissioned', 'quarantined'] as const)(
    'change when a host is %s: who stays opens what comes, who left does not',
    async (lifecycle) => {
      const [stays, leaves] = [await joined(), await joined()];
      await addTrunk();
      for (const host of [stays, leaves]) expect(await pulled(host)).toEqual([]);
      await leave(leaves, lifecycle);
      await reported();
      expect(await versions()).toEqual([1, 2]);
      await addTrunk({ name: 'After' });
      expect(await pulled(stays)).toEqual([]);
      expect(stays.model.trunks).toHaveLength(2);
      expect([...stays.keyRows.keys()]).toEqual(['1', '2']);
      // The twin announced it to the host that stays; the other one got nothing.
      expect(published.some((message) => message.includes(`${stays.uid}/dn/twin`))).toBe(true);
      await leaves.pullHost(feed);
      expect([...leaves.keyRows.keys()]).toEqual(['1']);
      // A page that it overhears does not open for it.
      const page = stays.came.findLast((text) => text.includes('"entity":"trunk"')) ?? '';
      const manifest = JSON.parse(stays.came.findLast((text) => text.includes('"scope":"tenant"')) ?? '');
      expect(await leaves.take(manifest, [page])).toEqual([
        {
          code: 'keyMissing',
          path: '/configkey/2',
          msg: 'secrets are sealed with key version 2, which this host was not given',
        },
      ]);
      const audit = await auditAfter(store, tenant, 0, 1_000);
      expect(audit.filter(({ entity }) => entity === 'configkey').map(({ action }) => action)).toEqual([
        'create',
        'rotate',
      ]);
    },
  );

  it('change at the next start when the process died right after a host had left', async () => {
    const [stays, leaves] = [await joined(), await joined()];
    await addTrunk();
    for (const host of [stays, leaves]) await pulled(host);
    feed.stop();
    await leave(leaves, 'decommissioned');
    expect(await versions()).toEqual([1]);
    feed = await startedFeed();
    expect(await versions()).toEqual([1, 2]);
    // Died again before anyone was given it: who asks is given it then.
    await restart();
    await addTrunk({ name: 'After' });
    expect(await pulled(stays)).toEqual([]);
    expect(await versions()).toEqual([1, 2]);
  });

  it('go 30 days after they were replaced, and not before', async () => {
    const [stays, leaves] = [await joined(), await joined()];
    await addTrunk();
    for (const host of [stays, leaves]) await pulled(host);
    await leave(leaves, 'decommissioned');
    await reported();
    await pulled(stays);
    api.clock.now += 29 * DAY_MS;
    await restart();
    expect(await versions()).toEqual([1, 2]);
    api.clock.now += 2 * DAY_MS;
    await restart();
    expect(await versions()).toEqual([2]);
    await addTrunk({ name: 'After' });
    expect(await pulled(stays)).toEqual([]);
    expect([...stays.keyRows.keys()]).toEqual(['2']);
    expect(stays.model.trunks).toHaveLength(2);
  });

  it('are given again to a host that lost its seal key and enrolled again', async () => {
    const host = await joined();
    await addTrunk();
    expect(await pulled(host)).toEqual([]);
    rmSync(join(host.folder, 'seal.key'));
    const { sealKey } = hostKeys(host.folder);
    await addTrunk({ name: 'After' });
    expect(await pulled(host)).toEqual([
      {
        code: 'keyUnreadable',
        path: '/configkey/1',
        msg: "key version 1 is sealed for another seal key than this machine's: enrol it anew",
      },
    ]);
    // It serves on with what it has.
    expect(host.model.trunks).toHaveLength(1);
    await store.withTx((tx) => updateHost(tx, host.uid, { sealKey: { ...sealKey } }));
    expect(await pulled(host)).toEqual([]);
    expect(host.model.trunks.map(({ password }) => password)).toEqual([SECRET, SECRET]);
    expect(await versions()).toEqual([1]);
  });

  it('come back to a host whose disk is an older one', async () => {
    const [host, leaves] = [await joined(), await joined()];
    await addTrunk();
    for (const each of [host, leaves]) await pulled(each);
    const older = { keyRows: new Map(host.keyRows), rev: host.revs.host };
    await leave(leaves, 'quarantined');
    await reported();
    await addTrunk({ name: 'After' });
    expect(await pulled(host)).toEqual([]);
    host.keyRows = older.keyRows;
    host.revs.host = older.rev;
    expect((await host.pull(feed, 0))?.map(({ code }) => code)).toEqual(['keyMissing', 'keyMissing']);
    await host.pullHost(feed);
    expect(await host.pull(feed, 0)).toEqual([]);
    expect(host.model.trunks).toHaveLength(2);
  });

  it('are not made for a key that cannot be sealed for, and the host learns why', async () => {
    const host = new FeedHost(tenant, DOMAIN);
    hosts.push(host);
    const sealKey = { kty: 'OKP', crv: 'X25519', x: Buffer.alloc(32).toString('base64url') };
    await store.withTx((tx) => insertHost(tx, host.row(api.clock.now, { sealKey })));
    await addTrunk();
    expect((await pulled(host))?.map(({ code }) => code)).toEqual(['keyMissing']);
    expect((await readHost(store, host.uid))?.lifecycle).toBe('active');
  });
});

describe('a sealed secret', () => {
  it('does not open in another row', async () => {
    const host = await joined();
    const [first, second] = [await addTrunk(), await addTrunk({ name: 'Second', password: 'another' })];
    await host.pullHost(feed);
    const answer = await feed.manifest(host.uid, 'tenant', 0);
    const manifest = JSON.parse(payloadOf(answer?.jws ?? ''));
    const bytes = await feed.page(host.uid, manifest.pages[0].sha256);
    const text = gunzipSync(bytes ?? new Uint8Array()).toString();
    const passwords = text.match(/"password":"sealed:[^"]+"/g) ?? [];
    expect(passwords).toHaveLength(2);
    const swapped = text.replace(passwords[0] ?? '', 'X').replace(passwords[1] ?? '', passwords[0] ?? '');
    const faults = await host.take(manifest, [swapped.replace('X', passwords[1] ?? '')]);
    expect(faults.map(({ code }) => code)).toEqual(['secretDamaged', 'secretDamaged']);
    expect(faults.map(({ path }) => path).toSorted()).toEqual(
      [`/trunk/${first}`, `/trunk/${second}`].toSorted(),
    );
  });

  it('is no concern of the twin, which names revisions only', async () => {
    const host = await joined();
    await addTrunk();
    const { twin } = (await feed.twin(host.uid)) ?? {};
    expect(Object.keys(twinSchema.parse(twin satisfies Twin | undefined).cfg)).toEqual([
      'tenant',
      'site',
      'host',
      'platform',
    ]);
    expect(twin?.cfg.host.rev).toBe(1);
  });
});
