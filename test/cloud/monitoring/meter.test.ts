import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostFamilies } from '#cloud/monitoring/host/host-metric.ts';
import { RevisionTable } from '#cloud/monitoring/host/revision-table.ts';
import { recordChange } from '#cloud/store/index.ts';
import { exposition } from '#shared/metric/index.ts';
import { heartbeatOf, type MonitoringStage, openMonitoringStage, TENANT } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const shown = () => exposition(stage.monitoring.families);
const lines = (names: RegExp) =>
  shown()
    .split('\n')
    .filter((line) => names.test(line));
const bucketOf = (name: string) => lines(new RegExp(`^${name}_(sum|count)`));

/** A revision of the tenant, as an edit makes it. */
const changed = (id: string) =>
  stage.store.withTx((tx) =>
    recordChange(tx, {
      scope: 'tenant',
      owner: TENANT,
      entity: 'device',
      id,
      op: 'put',
      body: { id },
      at: 1_770_000_000_000,
    }),
  );

it('counts heartbeats, changes of state and refusals, and names no host', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  await stage.say(host, 'up/hb', heartbeatOf(host));
  await stage.say(host, 'up/hb', heartbeatOf(host));
  const err = [
    { code: 'safetyLimit', path: '/device', msg: 'too many' },
    { code: 'safetyLimit', path: '/alarmbridge', msg: 'all' },
    { code: 'of a "newer" host', path: '', msg: '' },
  ];
  const nack = { v: 1, sid: host.sid, scope: 'tenant', rev: 5, nonce: 'n', res: 'nack', applied: 4, err };
  await stage.say(host, 'up/cfg', nack);
  // Not before the time of grace that follows a cold start.
  for (let s = 0; s < 300 && !shown().includes('to="suspect"'); s++) await stage.pass(1);
  expect(lines(/^carillon_(hosts|heartbeats|presence|config_nack|false)/)).toEqual([
    'carillon_hosts{lifecycle="active",connectivity="suspect"} 1',
    'carillon_heartbeats_total 2',
    'carillon_presence_transitions_total{from="never",to="online"} 1',
    'carillon_presence_transitions_total{from="online",to="suspect"} 1',
    'carillon_false_offline_total 0',
    'carillon_config_nack_total{code="safetyLimit"} 1',
    'carillon_config_nack_total{code="of_a__newer__host"} 1',
  ]);
  // A uid says nothing of anybody; names of tenants, sites and hosts may.
  expect(shown()).not.toMatch(/north|care\.example/);
  expect(shown()).not.toContain(TENANT);
});

it('each host is reported with its state', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  const said = { ts: 1_770_000_000_000 + 3_000, certDays: 40, out: { alarm: 2, svc: 0, oldestS: 12 } };
  await stage.say(host, 'up/hb', heartbeatOf(host, said));
  await stage.pass(5);
  const { uid } = host.place;
  expect(lines(new RegExp(`host="${uid}"`))).toEqual([
    `carillon_heartbeat_age_seconds{host="${uid}"} 5`,
    `carillon_config_lag_revisions{host="${uid}"} 0`,
    `carillon_cert_expiry_days{host="${uid}"} 40`,
    `carillon_clock_offset_seconds{host="${uid}"} 3`,
    `carillon_outbox_depth{lane="alarm",host="${uid}"} 2`,
    `carillon_outbox_depth{lane="svc",host="${uid}"} 0`,
    `carillon_outbox_oldest_seconds{lane="all",host="${uid}"} 12`,
  ]);
});

it('measures the time to the alarm, and sees that a host was there all the time', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  for (let s = 0; s < 600 && stage.reported.length === 0; s++) await stage.pass(1);
  expect(stage.reported).toHaveLength(1);
  const silentS = stage.nowS();
  expect(bucketOf('carillon_alarm_raise_latency_seconds')).toEqual([
    `carillon_alarm_raise_latency_seconds_sum ${silentS}`,
    'carillon_alarm_raise_latency_seconds_count 1',
  ]);
  await stage.say(host, 'up/hb', heartbeatOf(host));
  expect(lines(/^carillon_false_offline_total/)).toEqual(['carillon_false_offline_total 1']);
});

it('does not take a host that came back by a new connection for one that was there', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  for (let s = 0; s < 600 && stage.reported.length === 0; s++) await stage.pass(1);
  host.sid = `01j${'8'.repeat(23)}`;
  await stage.birth(host);
  await stage.say(host, 'up/hb', heartbeatOf(host));
  expect(lines(/^carillon_false_offline_total/)).toEqual(['carillon_false_offline_total 0']);
});

it('measures how far hosts are behind, and how long a change takes', async () => {
  const host = await stage.addHost();
  // Nothing of the tenant is there yet.
  await stage.birth(host, { cfg: { tenant: 0, site: 0, host: 0, platform: 0 } });
  const beat = (tenant: number) => stage.say(host, 'up/hb', heartbeatOf(host, { cfg: [tenant, 0, 0, 0] }));
  await changed('a');
  await changed('b');
  await beat(0);
  const { uid } = host.place;
  expect(lines(/^carillon_config_l/)).toEqual([
    `carillon_config_lag_revisions{host="${uid}"} 2`,
    'carillon_config_late_hosts 0',
  ]);
  for (let round = 0; round < 22; round++) {
    await stage.pass(30);
    await beat(0);
  }
  expect(lines(/^carillon_config_late/)).toEqual(['carillon_config_late_hosts 1']);
  await changed('c');
  await stage.pass(4);
  const report = { v: 1, sid: host.sid, scope: 'tenant', rev: 3, nonce: 'n', res: 'applied', applied: 3 };
  await stage.say(host, 'up/cfg', report);
  expect(lines(/^carillon_config_l/)).toEqual([
    `carillon_config_lag_revisions{host="${uid}"} 0`,
    'carillon_config_late_hosts 0',
  ]);
  expect(bucketOf('carillon_config_apply_seconds')).toEqual([
    'carillon_config_apply_seconds_sum 4',
    'carillon_config_apply_seconds_count 1',
  ]);
});

it('knows after a start what hosts should have, and not since when it was there', async () => {
  await changed('a');
  const table = new RevisionTable();
  await table.load(stage.store, 1_000);
  const tenant = { scope: 'tenant', owner: TENANT } as const;
  expect(table.behind(tenant, 0)).toEqual({ count: 1, sinceMs: 1_000 });
  expect(table.behind(tenant, 1)).toBeUndefined();
  expect(table.committedMs(tenant, 1)).toBeUndefined();
  table.note({ ...tenant, rev: 2 }, 2_000);
  table.note({ ...tenant, rev: 1 }, 3_000);
  expect(table.behind(tenant, 1)).toEqual({ count: 1, sinceMs: 2_000 });
  expect(table.committedMs(tenant, 2)).toBe(2_000);
});

describe('above 1,000 hosts', () => {
  const facts = (n: number) => ({
    place: { sh: '00', tenant: TENANT, siteId: 's', uid: `host${n}` },
    seenMs: 100_000 - n,
    certDays: 2_000 - n,
  });

  function of(count: number): string {
    const all = Array.from({ length: count }, (_, n) => facts(n));
    const entries = all.map(({ place, certDays }) => [
      place.uid,
      {
        host: { place, hostId: 'gw', profile: 'standard' },
        lifecycle: 'active',
        revisions: { revTenant: 0, revSite: 0, revHost: 0, revPlatform: 0 },
        facts: { certDays, out: { alarm: 1, oldestS: certDays } },
        clockOffsetS: -certDays,
      },
    ]);
    const watch = {
      presence: (uid: string) => ({ lastSeenMs: all.find(({ place }) => place.uid === uid)?.seenMs ?? 0 }),
      connectivity: (uid: string) => (uid === 'host0' ? 'offline' : 'online'),
    };
    return exposition(
      hostFamilies({
        hosts: { all: () => entries },
        watch,
        revisions: new RevisionTable(),
        clock: { monoMs: () => 101_000, wallMs: () => 0 },
      } as unknown as Parameters<typeof hostFamilies>[0]),
    );
  }

  it('no host has a series of its own, and the worst that is connected stands for all', () => {
    const text = of(1_001);
    expect(text.match(/host=/g)).toBeNull();
    for (const line of [
      'carillon_hosts{lifecycle="active",connectivity="offline"} 1',
      'carillon_hosts{lifecycle="active",connectivity="online"} 1000',
      'carillon_heartbeat_age_seconds 2',
      'carillon_cert_expiry_days 1000',
      'carillon_clock_offset_seconds -1999',
      'carillon_outbox_depth{lane="alarm"} 1001',
      'carillon_outbox_oldest_seconds{lane="all"} 1999',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('one fewer, and each has', () => {
    expect(of(1_000).match(/^carillon_cert_expiry_days\{host=/gm)).toHaveLength(1_000);
  });
});
