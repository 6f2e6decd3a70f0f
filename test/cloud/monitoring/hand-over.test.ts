import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHostStatus } from '#cloud/store/index.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from './stage.ts';

/** More than one batch of rows. */
const HOSTS = 130;

let stage: MonitoringStage;
let hosts: readonly Puppet[];

beforeEach(async () => {
  stage = await openMonitoringStage();
  const added: Puppet[] = [];
  for (let n = 0; n < HOSTS; n++) added.push(await stage.addHost({ siteId: `site-${n % 7}` }));
  hosts = added;
  for (const host of hosts) await stage.birth(host);
  await stage.beating(hosts, 60);
});
afterEach(() => stage.close());

const presences = async () =>
  new Set(
    await Promise.all(
      hosts.map(async ({ place }) => (await readHostStatus(stage.store, place.uid))?.connectivity),
    ),
  );

describe('shards that go to another replica', () => {
  test('leave the last observation of each host in its row', async () => {
    for (const host of hosts) await stage.say(host, 'up/hb', heartbeatOf(host));
    await stage.pass(1);
    const observed = hosts.map(({ place }) => stage.monitoring.observed(place.uid));
    await stage.monitoring.leave(SHARDS, 'handOver');
    for (const [n, { place, sid }] of hosts.entries())
      expect(await readHostStatus(stage.store, place.uid)).toMatchObject({
        ...{ sid, connectivity: 'online', lastSeen: observed[n]?.lastSeen, facts: observed[n]?.facts },
      });
    expect(stage.monitoring.counts()).toEqual(new Map());
  });

  test('call no host silent while their rows wait for the database', async () => {
    let written = (): void => undefined;
    stage.storageHeld = new Promise((resolve) => {
      written = resolve;
    });
    const left = stage.monitoring.leave(SHARDS, 'handOver');
    await stage.passAway(600);
    written();
    stage.storageHeld = undefined;
    await left;
    await stage.monitoring.idle();
    expect(await presences()).toEqual(new Set(['online']));
    expect(await stage.alarms()).toEqual([]);
  });

  test('are judged by the replica that takes them, from its own begin on', async () => {
    await stage.monitoring.leave(SHARDS, 'handOver');
    await stage.pass(600);
    await stage.monitoring.adopt(SHARDS, false);
    for (const sh of SHARDS) stage.monitoring.shard(sh, true);
    await stage.pass(60);
    expect(await stage.alarms()).toEqual([]);
    await stage.pass(600);
    expect(await presences()).not.toContain('online');
  });
});
