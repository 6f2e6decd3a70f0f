import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SiteAgent } from '#appliance/site/host/uplink/site-agent.ts';
import { ok } from '#shared/result.ts';
import { bridge, device, remove } from './site-cloud.ts';
import { SiteWorld } from './site-world.ts';

let world: SiteWorld;
let backup: string;

beforeEach(() => {
  world = new SiteWorld();
  backup = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterEach(async () => {
  await world.end();
  rmSync(backup, { recursive: true });
});

const ids = (agent: SiteAgent) => [...agent.tenant.devices()].map(({ deviceId }) => deviceId);

/** A host with what lies on its disk, at the tenant's revision. */
async function started(rev: number) {
  const host = world.host();
  host.agent.start();
  await world.reach(() => host.agent.configured, 'configured');
  await host.agent.reconfigure();
  await world.reach(() => host.store.standings().tenant.rev === rev, `revision ${rev}`);
  return host;
}

it('a host put back from an old backup serves with it, and goes on to what the cloud wants by then', async () => {
  world.cloud.change('tenant', [bridge('scaip'), device('d1'), device('d2')]);
  await started(1);
  await world.stop();
  cpSync(world.folder, backup, { recursive: true });

  world.cloud.change('tenant', [remove('device', 'd1'), device('d3')]);
  await started(2);
  await world.stop();
  const between = await world.cloud.twin();
  world.cloud.change('tenant', [device('d4')]);
  const newest = await started(3);
  expect(ids(newest.agent)).toEqual(['d2', 'd3', 'd4']);
  await world.stop();
  rmSync(world.folder, { recursive: true });
  cpSync(backup, world.folder, { recursive: true });

  world.cloud.down = true;
  const old = world.host();
  old.agent.start();
  await old.agent.whenConfigured();
  expect(ids(old.agent)).toEqual(['d1', 'd2']);
  world.cloud.down = false;
  await old.agent.reconfigure();
  await world.reach(() => old.store.standings().tenant.rev === 3, 'revision 3');
  expect(ids(old.agent)).toEqual(['d2', 'd3', 'd4']);

  // A twin that it had taken before, and that a third party kept: it is older than what it has now.
  const kept = old.store.twin();
  world.logged.length = 0;
  Object.assign(world.cloud.feed, { twin: async () => ok(between) });
  await old.agent.reconfigure();
  await world.reach(() => world.logged.some((line) => line.includes('olderTwin')), 'refusal');
  expect(old.store.twin()).toBe(kept);
  expect(ids(old.agent)).toEqual(['d2', 'd3', 'd4']);
});

it('a cloud put back from an old backup and not marked changes nothing on the host', async () => {
  world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
  await started(1);
  await world.stop();
  const before = await world.cloud.twin();
  world.cloud.change('tenant', [device('d2')]);
  const { agent, store } = await started(2);
  const kept = store.twin();
  world.cloud.asked.length = 0;
  world.logged.length = 0;
  Object.assign(world.cloud.feed, { twin: async () => ok(before) });
  await agent.reconfigure();
  await world.reach(() => world.logged.some((line) => line.includes('olderTwin')), 'refusal');
  expect(world.cloud.asked).toEqual([]);
  expect(store.twin()).toBe(kept);
  expect(ids(agent)).toEqual(['d1', 'd2']);
});
