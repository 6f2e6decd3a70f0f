import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactScopes, type Feed } from '#cloud/feed/index.ts';
import {
  changesSince,
  currentRevision,
  insertSite,
  rowsOfScope,
  tenantByDomain,
} from '#cloud/store/index.ts';
import { type Manifest, manifestSchema } from '#shared/contract/feed/index.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';
import { FeedHost, payloadOf, testFeed } from './feed-host.ts';

// A host that was away for any time comes to the same rows, whatever the cloud has forgotten meanwhile.

const DOMAIN = 'a.test';
const DAY = 86_400_000;
const DAYS = 60;

let api: TestApi;
let token: string;
let tenant: string;
let feed: Feed;
/** By the day on which each was cut off. */
const hosts = new Map<number, FeedHost>();

beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  const { store } = api.database;
  tenant = (await tenantByDomain(store, DOMAIN))?.id ?? '';
  await store.withTx((tx) => {
    const given = { name: null, profile: 'high', reachable: false, keyPublic: {}, keySealed: '' } as const;
    return insertSite(tx, { tenant, siteId: 'north', ...given, createdAt: 1 });
  });
  feed = testFeed(store, () => api.clock.now);
});
afterAll(async () => {
  for (const host of hosts.values()) host.end();
  await api.close();
});

const send = async (method: string, path: string, body?: unknown): Promise<void> => {
  expect((await ask(api, method, path, { token, body })).status).toBe(200);
};
const put = (n: number, description: string) =>
  send('PUT', `/provisioning/device/${DOMAIN}`, { ...DEVICE, deviceId: `d-${n}`, description });

async function arrive(): Promise<FeedHost> {
  const host = new FeedHost(tenant, DOMAIN);
  await host.join(api.database.store, api.clock.now);
  await host.pullHost(feed);
  await host.pull(feed);
  return host;
}

const compact = () =>
  compactScopes({ store: api.database.store, nowMs: () => api.clock.now, breathe: async () => undefined });
const changes = async () => (await changesSince(api.database.store, 'tenant', tenant, 0, 10_000)).length;
const rows = async () => {
  const rev = await currentRevision(api.database.store, 'tenant', tenant);
  return (await rowsOfScope(api.database.store, 'tenant', tenant, rev)).map(
    ({ id, hash }) => `${id} ${hash}`,
  );
};
const manifestFrom = async (host: FeedHost, since: number): Promise<Manifest> =>
  manifestSchema.parse(JSON.parse(payloadOf((await feed.manifest(host.uid, 'tenant', since))?.jws ?? '')));

test('rows that no delta can name any more go, and every host comes to the same rows', async () => {
  for (let day = 0; day < DAYS; day++) {
    api.clock.now += DAY;
    await put(day % 7, `as of day ${day}`);
    // Some of them have left the history already.
    if (day % 3 === 2)
      await ask(api, 'DELETE', `/provisioning/device/${DOMAIN}/d-${(day * 5) % 7}`, { token });
    // Two rows without a change for long: one stays as it was last, one is deleted.
    if (day < 2) for (const n of [20, 21]) await put(n, `as of day ${day}`);
    if (day === 3) await send('DELETE', `/provisioning/device/${DOMAIN}/d-21`);
    if (day % 6 === 0) hosts.set(day, await arrive());
  }
  const before = { changes: await changes(), rows: await rows() };
  const removed = await compact();
  // Deletions that were the last word go when nothing older is left of them.
  await compact();
  expect(await compact()).toBe(0);
  expect(removed).toBeGreaterThan(20);
  expect(await changes()).toBeLessThan(before.changes - 20);
  expect(await rows()).toEqual(before.rows);
  for (const [day, host] of hosts) {
    const { kind } = await manifestFrom(host, host.revs.tenant);
    expect(`${day} ${kind}`).toBe(`${day} ${DAYS - day > 31 ? 'snapshot' : 'delta'}`);
    await host.pullHost(feed);
    expect(await host.pull(feed)).toEqual([]);
  }
  const fresh = await arrive();
  hosts.set(DAYS, fresh);
  expect(fresh.revs.tenant).toBe(await currentRevision(api.database.store, 'tenant', tenant));
}, 120_000);

test('a row that may go still reaches a host that was away for longer than a delta lasts', async () => {
  const host = await arrive();
  hosts.set(-1, host);
  await send('DELETE', `/provisioning/device/${DOMAIN}`, { confirmDeleteAll: true });
  api.clock.now += 40 * DAY;
  await put(1, 'after all');
  await compact();
  await compact();
  expect(await manifestFrom(host, host.revs.tenant)).toMatchObject({ kind: 'snapshot', massChange: true });
}, 60_000);
