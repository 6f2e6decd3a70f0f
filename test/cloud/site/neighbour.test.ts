import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Lifecycle, updateHost } from '#cloud/store/index.ts';
import { actorAt, callAt, NOW, openSiteStage, type SiteStage } from './stage.ts';

let stage: SiteStage;
let hosts: Record<'one' | 'two' | 'far', string>;

beforeAll(async () => {
  stage = await openSiteStage();
  await stage.sites.site.create(callAt(NOW), { siteId: 'south', profile: 'standard', reachable: false });
  hosts = {
    one: await host('north', 'one'),
    two: await host('north', 'two'),
    far: await host('south', 'far'),
  };
});
afterAll(() => stage.close());

async function host(siteId: string, hostId: string): Promise<string> {
  const request = { expiresIn: 3600, uses: 1, autoCommission: true };
  const claim = await stage.sites.claim.create(callAt(NOW), siteId, request);
  const machine = await stage.machine(claim.ok ? claim.value.claimCode : '', hostId);
  const made = await stage.sites.enrolment.claim(machine, actorAt(NOW));
  return made.ok && 'uid' in made.value ? String(made.value.uid) : '';
}

const live = (uid: string, lifecycle: Lifecycle): Promise<unknown> =>
  stage.store.withTx((tx) => updateHost(tx, uid, { lifecycle }));

it('a host fetches for itself and for another one of its site, and for no other', async () => {
  const { fetchesFor } = stage.sites;
  expect(new Set(Object.values(hosts)).size).toBe(3);
  for (const uid of [hosts.one, hosts.two]) await live(uid, 'active');
  await live(hosts.far, 'active');
  expect(await fetchesFor(hosts.one, hosts.one)).toBe(hosts.one);
  expect(await fetchesFor(hosts.one, hosts.two)).toBe(hosts.two);
  expect(await fetchesFor(hosts.one, hosts.far)).toBeUndefined();
  expect(await fetchesFor(hosts.one, 'nobody')).toBeUndefined();
});

it.each(['quarantined', 'decommissioning', 'claimed'] as const)(
  'one that is %s neither fetches for others nor is fetched for',
  async (lifecycle) => {
    await live(hosts.two, lifecycle);
    expect(await stage.sites.fetchesFor(hosts.one, hosts.two)).toBeUndefined();
    expect(await stage.sites.fetchesFor(hosts.two, hosts.one)).toBeUndefined();
    await live(hosts.two, 'active');
  },
);
