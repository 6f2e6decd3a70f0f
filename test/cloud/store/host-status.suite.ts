import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DialectName,
  insertHost,
  insertSite,
  insertTenant,
  openAlarmsWith,
  type ReportedStatus,
  readHostStatus,
  sitesOf,
  updateObservedStatus,
  updateObservedStatuses,
} from '#cloud/store/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import type { TestDatabase } from './database.ts';
import { openTestDatabase } from './database.ts';

const HOSTS = ['h1', 'h2', 'h3', 'h4'] as const;
const SEEN: ReportedStatus = {
  ...{ revTenant: 7, revSite: 6, revHost: 5, revPlatform: 4 },
  facts: { svc: { sip: 'ok' }, roles: ["l'eader"] },
  conditions: { disk: { severity: 'minor', message: 'ü "quoted"', since: 12 } } as never,
  sid: 'connection',
  lastSeen: 1_795_988_698_149,
  flap: { penalty: 1_000.5, unstable: true, losses: 3, at: 9, told: false, suppressed: 2 },
};
const NEVER_SEEN: ReportedStatus = {
  ...SEEN,
  facts: {},
  conditions: {},
  sid: null,
  lastSeen: null,
  flap: null,
};

/** The status of many hosts in one statement, and the sites and alarms of many hosts in one. */
export function hostStatusSuite(dialect: DialectName): void {
  describe(`status of hosts on ${dialect}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
      await database.store.withTx(async (tx) => {
        for (const tenant of ['t1', 't2']) {
          await insertTenant(tx, {
            id: tenant,
            domain: `${tenant}.test`,
            name: null,
            createdAt: 1,
            notBefore: 0,
          });
          for (const siteId of ['north', 'south'])
            await insertSite(tx, {
              ...{ tenant, siteId, name: null, reachable: false, keyPublic: {}, keySealed: '', createdAt: 1 },
              profile: siteId === 'north' ? 'high' : 'standard',
            });
        }
        for (const uid of HOSTS)
          await insertHost(tx, {
            ...HOST_ROW,
            ...{ uid, sh: '00', tenant: 't1', siteId: 'north', hostId: uid, createdAt: 1 },
            ...{ lifecycle: 'active', lifecycleSince: 1 },
          });
      });
    });
    afterAll(() => database.close());

    test('is what one statement for each would write, and no other host has it', async () => {
      const { store } = database;
      const untouched = await readHostStatus(store, 'h4');
      await store.withTx(async (tx) => {
        await updateObservedStatus(tx, 'h1', SEEN);
        await updateObservedStatuses(tx, [
          { uid: 'h2', ...NEVER_SEEN },
          { uid: 'h3', ...SEEN },
          { uid: 'of no host', ...SEEN },
        ]);
      });
      const [one, two, three] = await Promise.all(
        ['h1', 'h2', 'h3'].map((uid) => readHostStatus(store, uid)),
      );
      expect(one).toMatchObject(SEEN);
      expect(three).toEqual({ ...one, uid: 'h3' });
      expect(two).toMatchObject(NEVER_SEEN);
      expect(await readHostStatus(store, 'h4')).toEqual(untouched);
      expect(await readHostStatus(store, 'of no host')).toBeUndefined();
    });

    test('is left alone where there is nothing to write', async () => {
      await database.store.withTx((tx) => updateObservedStatuses(tx, []));
      expect(await sitesOf(database.store, [], ['north'])).toEqual([]);
      expect(await openAlarmsWith(database.store, 'noHeartbeatReply', [])).toEqual([]);
    });

    test('sites come with their profiles, of these tenants only', async () => {
      const sites = await sitesOf(database.store, ['t1'], ['north', 'south', 'west']);
      expect(sites.map(({ tenant, siteId, profile }) => [tenant, siteId, profile]).sort()).toEqual([
        ['t1', 'north', 'high'],
        ['t1', 'south', 'standard'],
      ]);
    });
  });
}
