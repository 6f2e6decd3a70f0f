import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  alarmsToRepeat,
  claimRelays,
  countHostsInLifecycle,
  hasMassChange,
  hostByName,
  hostsInLifecycle,
  hostsOf,
  insertAlarm,
  insertClaim,
  insertHost,
  insertRelay,
  insertSite,
  insertSiteEvents,
  insertTenant,
  laneSeqs,
  listAlarms,
  listSites,
  nextRelayAt,
  openAlarm,
  readClaim,
  recordChange,
  relaysOfAlarm,
  rowsOfScope,
  type SiteEventRow,
  setClaimUsed,
  setLaneSeq,
  updateAlarm,
  updateHost,
  updateHostStatus,
  updateRelay,
} from '#cloud/store/index.ts';
import { ulid } from '#shared/id.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { dialects, openTestDatabase } from '../store/database.ts';

const TENANT = '01jtenant0000000000000000t';
const id = () => ulid(1_770_000_000_000, randomBytes(10));

const host = (uid: string, hostId: string) => ({
  uid,
  tenant: TENANT,
  siteId: 'north',
  hostId,
  sh: '2a',
  lifecycle: 'active' as const,
  lifecycleSince: 1,
  ...HOST_ROW,
  labels: ['a=b'],
  publicKey: 'PEM',
  sealKey: { kty: 'OKP' },
  network: { ifs: ['10.0.0.5'], prefix: 24 },
  claim: 'c',
  createdAt: 1,
});

describe.each(dialects)('sites on %s', (dialect) => {
  it('say the same to every question', async () => {
    const { store, close } = await openTestDatabase(dialect);
    const [a, b] = [id(), id()].sort();
    if (a === undefined || b === undefined) throw new Error('no ids');
    await store.withTx(async (tx) => {
      await insertTenant(tx, { id: TENANT, domain: 'a.test', name: null, createdAt: 1, notBefore: 0 });
      await insertSite(tx, {
        tenant: TENANT,
        siteId: 'north',
        name: null,
        profile: 'economy',
        reachable: true,
        keyPublic: { x: 'x' },
        keySealed: 's',
        createdAt: 1,
      });
      await insertClaim(tx, {
        hash: 'c',
        longHash: 'long',
        longSalt: 'salt',
        tenant: TENANT,
        siteId: 'north',
        hostId: null,
        uses: 2,
        used: 0,
        serials: ['A1'],
        labels: [],
        autoCommission: false,
        createdAt: 1,
        expiresAt: 2,
        maker: null,
      });
      await setClaimUsed(tx, 'c', 1);
      await insertHost(tx, host(a, 'box-a'));
      await insertHost(tx, host(b, 'box-b'));
    });
    expect(await listSites(store, TENANT, '', 10)).toMatchObject([{ siteId: 'north', reachable: true }]);
    expect(await readClaim(store, 'c')).toMatchObject({ used: 1, serials: ['A1'], autoCommission: false });
    await expect(store.withTx((tx) => setClaimUsed(tx, 'c', 3))).rejects.toThrow();

    await store.withTx((tx) => updateHost(tx, b, { lifecycle: 'decommissioned' }));
    expect((await hostsOf(store, TENANT)).map((row) => row.host.uid)).toEqual([a]);
    expect(await hostByName(store, TENANT, 'north', 'box-b')).toBeUndefined();
    expect(
      (await hostsInLifecycle(store, ['active', 'decommissioned'], '', 10)).map((row) => row.host.uid),
    ).toEqual([a, b]);
    expect(await hostsInLifecycle(store, ['active'], '', 10, ['00'])).toEqual([]);
    expect(await hostsInLifecycle(store, ['active'], a, 10)).toEqual([]);
    expect(await countHostsInLifecycle(store, ['active'])).toBe(1);
    await store.withTx((tx) =>
      updateHostStatus(tx, a, { nacked: { tenant: 4 }, lastSeen: 9, facts: { calls: 1 } }),
    );
    expect((await hostsOf(store, TENANT, 'north'))[0]?.status).toMatchObject({
      connectivity: 'never',
      nacked: { tenant: 4 },
      lastSeen: 9,
      facts: { calls: 1 },
    });

    const event = (seq: number): SiteEventRow => ({
      id: id(),
      tenant: TENANT,
      siteId: 'north',
      uid: a,
      lane: 'alarm',
      seq,
      boot: 1,
      epoch: 1,
      type: 't',
      at: 1,
      receivedAt: 2,
      late: true,
      body: { data: {} },
    });
    const [first, second] = [event(1), event(2)];
    const store2 = (rows: SiteEventRow[]) => store.withTx((tx) => insertSiteEvents(tx, rows));
    expect(await store2([first])).toEqual(new Set([first.id]));
    expect(await store2([first, second])).toEqual(new Set([second.id]));
    await store.withTx((tx) => setLaneSeq(tx, a, 'alarm', 2));
    await store.withTx((tx) => setLaneSeq(tx, a, 'alarm', 3));
    expect(await laneSeqs(store, a)).toEqual({ alarm: 3 });

    const alarm = {
      id: id(),
      tenant: TENANT,
      siteId: 'north',
      uid: a,
      error: 'noHeartbeatReply',
      service: '',
      status: 'active' as const,
      raisedAt: 5,
      clearedAt: null,
      acknowledgedAt: null,
      toldAt: 5,
      details: { message: 'x' },
    };
    await store.withTx((tx) => insertAlarm(tx, alarm));
    const stored = { ...alarm, late: false, notes: [] };
    expect(await openAlarm(store, a, 'noHeartbeatReply', '')).toEqual(stored);
    expect(await alarmsToRepeat(store, 5, 10)).toEqual([]);
    expect(await alarmsToRepeat(store, 6, 10)).toEqual([stored]);
    expect(await alarmsToRepeat(store, 6, 10, alarm.id)).toEqual([]);
    expect(await listAlarms(store, TENANT, ['active'], '', 10, { siteId: 'north', uids: [a] })).toEqual([
      stored,
    ]);
    expect(await listAlarms(store, TENANT, ['active'], '', 10, { siteId: 'south' })).toEqual([]);
    expect(await listAlarms(store, TENANT, ['active'], '', 10, { error: 'lowMemory' })).toEqual([]);
    await store.withTx((tx) => updateAlarm(tx, alarm.id, { status: 'cleared', clearedAt: 6 }));
    expect(await openAlarm(store, a, 'noHeartbeatReply', '')).toBeUndefined();
    expect(await listAlarms(store, TENANT, ['cleared'], '', 10)).toHaveLength(1);

    const delivery = {
      id: id(),
      tenant: TENANT,
      body: { type: 'x' },
      state: 'waiting' as const,
      createdAt: 1,
      notBefore: 10,
      deadline: 20,
      attempts: 0,
      refusals: 0,
      lastError: null,
    };
    await store.withTx((tx) => insertRelay(tx, { ...delivery, alarm: alarm.id }));
    const claim = (nowMs: number) => store.withTx((tx) => claimRelays(tx, 'r1', nowMs, 10, 60_000));
    expect(await claim(9)).toEqual([]);
    const waiting = {
      ...delivery,
      ...{ alarm: alarm.id, code: null, tookMs: null, settledAt: null },
      ...{ claimedBy: 'r1', claimedUntil: expect.any(Number) },
    };
    expect(await claim(10)).toEqual([waiting]);
    expect(await relaysOfAlarm(store, TENANT, alarm.id, 10)).toEqual([waiting]);
    expect(await nextRelayAt(store)).toBe(10);
    await store.withTx((tx) => updateRelay(tx, delivery.id, { state: 'dead', lastError: 'e' }));
    expect(await nextRelayAt(store)).toBeUndefined();

    const change = (entity: string, op: 'put' | 'delete', massChange = false) =>
      store.withTx((tx) =>
        recordChange(tx, {
          scope: 'tenant',
          owner: TENANT,
          entity,
          id: '1',
          op,
          body: { entity },
          massChange,
          at: 1,
        }),
      );
    await change('device', 'put');
    await change('alarmbridge', 'put');
    await change('device', 'delete', true);
    expect((await rowsOfScope(store, 'tenant', TENANT, 2)).map(({ entity }) => entity)).toEqual([
      'alarmbridge',
      'device',
    ]);
    expect((await rowsOfScope(store, 'tenant', TENANT, 3)).map(({ body }) => body)).toEqual([
      { entity: 'alarmbridge' },
    ]);
    expect(await hasMassChange(store, 'tenant', TENANT, 2, 3)).toBe(true);
    expect(await hasMassChange(store, 'tenant', TENANT, 0, 2)).toBe(false);
    await close();
    // PostgreSQL is compiled here first: 4 s of a free machine.
  }, 60_000);
});
