import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReplica } from '#appliance/io/config/index.ts';
import type { SiteAgent } from '#appliance/site/host/uplink/site-agent.ts';
import { SCOPES } from '#shared/contract/feed/index.ts';
import { fail } from '#shared/result.ts';
import { bridge, device, put, remove, signingKey } from '../site-cloud.ts';
import { SiteWorld } from '../site-world.ts';

let world: SiteWorld;

beforeEach(() => {
  world = new SiteWorld();
});
afterEach(() => world.end());

const devices = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => device(`d${String(from + i).padStart(4, '0')}`));
const ids = (agent: SiteAgent) => [...agent.tenant.devices()].map(({ deviceId }) => deviceId);

/** Started, and with the first configuration in force and judged good. */
async function configured() {
  const host = world.host();
  host.agent.start();
  await world.reach(() => host.agent.configured, 'configured');
  const isGood = () =>
    SCOPES.every((scope) => host.store.goodStandings()?.[scope].rev === world.cloud.rev(scope));
  await world.reach(isGood, 'good');
  return host;
}

/** Lets the cloud's newest revision arrive by twin, as often as it takes. */
async function pulled(agent: SiteAgent, ms = 2_000): Promise<void> {
  await agent.reconfigure();
  await world.advance(ms);
  await world.settle();
}

/** The log line of a refused revision of the tenant. */
async function refusal(agent: SiteAgent, rev: number): Promise<string> {
  const found = () =>
    world.logged.find((line) => line.includes(`configuration.refused {"scope":"tenant","rev":${rev},`));
  await agent.reconfigure();
  await world.reach(() => found() !== undefined, 'refusal');
  return found() ?? '';
}

describe('configuration of a host', () => {
  it('comes as a snapshot, is in force at once, and is the same after a restart without network', async () => {
    world.cloud.change('tenant', [bridge('scaip'), device('d1', { deviceCLI: '+46 8 1234' })]);
    world.cloud.change('site', [put('host', 'h1', { uid: 'x' })]);
    const first = await configured();
    expect(first.agent.tenant.bridges.map(({ name }) => name)).toEqual(['scaip']);
    expect(first.agent.tenant.byCli('4681234')?.deviceId ?? first.agent.tenant.byId('d1')?.deviceId).toBe(
      'd1',
    );
    await world.stop();

    world.cloud.down = true;
    const second = world.host();
    const changed: ReadonlySet<string>[] = [];
    second.agent.configurationChanged.add((entities) => changed.push(entities));
    second.agent.start();
    await second.agent.whenConfigured();
    expect(ids(second.agent)).toEqual(['d1']);
    // The engine takes up its trunks when it hears of them.
    expect(changed[0]).toContain('trunk');
    expect(second.agent.tenant.bridge('scaip')?.callbackTimeout).toBe(15_000);
    expect(second.store.standings().tenant.rev).toBe(1);
  });

  it('follows by deltas with puts and tombstones, and says which entities changed', async () => {
    world.cloud.change('tenant', [bridge('scaip'), ...devices(3)]);
    const { agent, store } = await configured();
    const changed: string[][] = [];
    agent.configurationChanged.add((entities) => changed.push([...entities]));
    world.cloud.asked.length = 0;
    world.cloud.change('tenant', [remove('device', 'd0001'), device('d0002', { description: 'new' })]);
    await agent.reconfigure();
    await world.reach(() => changed.length > 0, 'delta');
    expect(world.cloud.asked).toEqual(['tenant 1']);
    expect(ids(agent)).toEqual(['d0000', 'd0002']);
    expect(agent.tenant.byId('d0002')?.description).toBe('new');
    expect(changed).toEqual([['device']]);
    expect(store.standings().tenant.rev).toBe(2);
  });

  it('fetches nothing when nothing changed', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent } = await configured();
    world.cloud.asked.length = 0;
    await pulled(agent);
    expect(world.cloud.asked).toEqual([]);
  });

  it('takes many pages of a large tenant', async () => {
    world.cloud.change('tenant', [bridge('scaip'), ...devices(2_500)]);
    const { agent } = await configured();
    expect(ids(agent)).toHaveLength(2_500);
  });

  it('goes over to a snapshot when the rows after a delta are not the cloud’s', async () => {
    world.cloud.change('tenant', [bridge('scaip'), ...devices(3)]);
    const { agent } = await configured();
    world.cloud.deltasLose = true;
    world.cloud.asked.length = 0;
    world.cloud.change('tenant', [device('e1'), device('e2')]);
    await agent.reconfigure();
    await world.reach(() => ids(agent).includes('e1'), 'snapshot');
    expect(world.cloud.asked).toEqual(['tenant 1', 'tenant 0']);
    expect(ids(agent)).toEqual(['d0000', 'd0001', 'd0002', 'e1', 'e2'].sort());
  });

  it('refuses a body that breaks the contract, names the place, and takes the next revision', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent, store } = await configured();
    world.cloud.change('tenant', [bridge('bad', { destinationMatch: 'a(?=b)' })]);
    expect(await refusal(agent, 2)).toContain('/alarmbridge/bad/destinationMatch');
    expect(store.standings().tenant.rev).toBe(1);
    expect(agent.tenant.bridges).toHaveLength(1);
    world.cloud.asked.length = 0;
    await pulled(agent, 120_000);
    expect(world.cloud.asked).toEqual([]);
    world.cloud.change('tenant', [bridge('bad', { destinationMatch: 'ab' })]);
    await agent.reconfigure();
    await world.reach(() => store.standings().tenant.rev === 3, 'revision 3');
    expect(agent.tenant.bridge('bad')?.destinationMatch).toBe('ab');
  });

  it('asks again for what it refused at a command', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent } = await configured();
    world.cloud.change('tenant', [device('x', { srtp: 'perhaps' })]);
    await refusal(agent, 2);
    world.cloud.asked.length = 0;
    await agent.reconfigure(true);
    await world.reach(() => world.cloud.asked.includes('tenant 0'), 'asked again');
    expect(world.cloud.asked).not.toContain('platform 0');
  });

  it.each([
    ['more than 30 % of the devices', devices(25).map(({ id }) => remove('device', id))],
    ['every alarm bridge', [remove('alarmbridge', 'scaip'), bridge('other')]],
  ])('brakes when %s would go, unless the change says so', async (_what, operations) => {
    world.cloud.change('tenant', [bridge('scaip'), ...devices(60)]);
    const { agent, store } = await configured();
    world.cloud.change('tenant', operations);
    expect(await refusal(agent, 2)).toContain('safetyLimit');
    expect(store.standings().tenant.rev).toBe(1);
    world.cloud.change('tenant', [device('e1')], true);
    await agent.reconfigure();
    await world.reach(() => store.standings().tenant.rev === 3, 'revision 3');
    expect(agent.tenant.byId('e1')).toBeDefined();
  });

  it('takes what was meant to go also where only a snapshot brings it', async () => {
    world.cloud.change('tenant', [bridge('scaip'), ...devices(60)]);
    const { agent, store } = await configured();
    world.cloud.deltasLose = true;
    world.cloud.change('tenant', [...devices(50).map(({ id }) => remove('device', id)), device('e1')], true);
    await agent.reconfigure();
    await world.reach(() => store.standings().tenant.rev === 2, 'revision 2');
    expect(world.cloud.asked.slice(-2)).toEqual(['tenant 1', 'tenant 0']);
    expect(ids(agent)).toHaveLength(11);
  });

  it('does not take what another key signed, and goes on when the right one is back', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent, store } = await configured();
    world.cloud.manifestKey = signingKey('k1').key;
    world.cloud.change('tenant', [device('forged')]);
    await agent.reconfigure();
    await world.reach(() => world.logged.join().includes('not signed by a pinned key'), 'refusal');
    expect(store.standings().tenant.rev).toBe(1);
    world.cloud.manifestKey = world.cloud.signing.key;
    await world.reach(() => store.standings().tenant.rev === 2, 'revision 2');
  });

  it('leaves alone what the cloud does not offer it any more', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent } = await configured();
    world.cloud.change('tenant', [device('d1')]);
    Object.assign(world.cloud.feed, {
      manifest: async (scope: string, since: number) => {
        world.cloud.asked.push(`${scope} ${since}`);
        return fail('notModified', 'refused before');
      },
    });
    world.cloud.asked.length = 0;
    await pulled(agent, 600_000);
    expect(world.cloud.asked).toEqual(['tenant 1']);
  });

  it('keeps trying while the cloud is away, with growing pauses', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent, store } = await configured();
    world.cloud.change('tenant', [device('d1')]);
    await agent.reconfigure();
    world.cloud.down = true;
    world.cloud.asked.length = 0;
    await world.advance(60_000);
    expect(world.cloud.asked.length).toBeGreaterThan(3);
    expect(world.cloud.asked.length).toBeLessThan(12);
    world.cloud.down = false;
    await world.reach(() => store.standings().tenant.rev === 2, 'revision 2', 1_000);
  });

  it.each([
    ['looks for a newer one', false],
    ['asks for every row', true],
  ])('does not wait for the end of a long pause when a person %s', async (_what, resync) => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent, store } = await configured();
    world.cloud.change('tenant', [device('d1')]);
    await agent.reconfigure();
    world.cloud.down = true;
    await world.advance(300_000);
    world.cloud.down = false;
    const sinceMs = world.nowMs;
    await agent.reconfigure(resync);
    await world.reach(() => store.standings().tenant.rev === 2, 'revision 2', 10);
    expect(world.nowMs - sinceMs).toBeLessThan(5_000);
  });
});

describe('a key of the platform', () => {
  it('comes as a row: what it signs counts from then on, also after a restart without network', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const first = await configured();
    const next = signingKey('k2');
    // Not before its row has come.
    world.cloud.change('tenant', [device('early')]);
    world.cloud.sign(next);
    await pulled(first.agent);
    expect(ids(first.agent)).toEqual([]);
    expect(world.logged.some((line) => line.includes('twin.refused'))).toBe(true);
    world.cloud.sign(world.cloud.signing);

    world.cloud.change('platform', [put('verifykey', 'k2', next.verifyKey)]);
    await first.agent.reconfigure();
    await world.reach(() => first.agent.tenant.access.verifyKeys.length === 1, 'the row');
    world.cloud.sign(next);
    world.cloud.change('tenant', [device('late')]);
    await first.agent.reconfigure();
    await world.reach(() => ids(first.agent).includes('late'), 'what the new key has signed');
    await world.stop();

    const second = world.host();
    second.agent.start();
    await second.agent.whenConfigured();
    world.cloud.change('tenant', [device('later')]);
    await second.agent.reconfigure();
    await world.reach(() => ids(second.agent).includes('later'), 'the next change');
  });

  it('that is none is refused with its place, and the keys of before count', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent } = await configured();
    world.cloud.change('platform', [
      put('verifykey', 'k2', { kty: 'OKP', crv: 'Ed25519', x: 'no', kid: 'k2' }),
    ]);
    await agent.reconfigure();
    const refused = () =>
      world.logged.find((line) => line.includes('configuration.refused {"scope":"platform","rev":1,'));
    await world.reach(() => refused() !== undefined, 'refusal');
    expect(refused()).toContain('/verifykey/k2/x');
    expect(agent.tenant.access.verifyKeys).toEqual([]);
  });
});

describe('health gate', () => {
  it('brings the last known good back when an engine falls sick, also on the disk', async () => {
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    const { agent, store } = await configured();
    world.cloud.change('tenant', [device('d2'), remove('device', 'd1')]);
    await agent.reconfigure();
    await world.reach(() => store.standings().tenant.rev === 2, 'applied');
    expect(ids(agent)).toEqual(['d2']);
    world.sick = ['sip'];
    const sinceMs = world.nowMs;
    await world.reach(() => store.standings().tenant.rev === 1, 'return', 1_000);
    expect(world.nowMs - sinceMs).toBeGreaterThanOrEqual(30_000);
    expect(world.nowMs - sinceMs).toBeLessThan(60_000);
    expect(ids(agent)).toEqual(['d1']);
    world.cloud.asked.length = 0;
    await pulled(agent, 120_000);
    expect(world.cloud.asked).toEqual([]);
  });

  it('blames nothing on a change that was wrong before it', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent, store } = await configured();
    world.sick = ['media'];
    world.cloud.change('tenant', [device('d2')]);
    await agent.reconfigure();
    await world.reach(() => store.goodStandings()?.tenant.rev === 2, 'good', 1_000);
    expect(store.standings().tenant.rev).toBe(2);
  });

  it('takes a change for good only after 60 s, and is judged from the beginning after a restart', async () => {
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    const first = await configured();
    await world.reach(() => first.store.goodStandings()?.tenant.rev === 1, 'the first is good');
    world.cloud.change('tenant', [device('d2')]);
    await first.agent.reconfigure();
    await world.reach(() => first.store.standings().tenant.rev === 2, 'applied');
    await world.advance(58_000);
    expect(first.store.goodStandings()?.tenant.rev).toBe(1);
    await world.stop();
    world.cloud.down = true;
    const second = world.host();
    second.agent.start();
    await world.advance(58_000);
    expect(second.store.goodStandings()?.tenant.rev).toBe(1);
    await world.reach(() => second.store.goodStandings()?.tenant.rev === 2, 'good after its minute');
  });

  it('gives up a change in which the program does not live, after its third beginning', async () => {
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    const first = await configured();
    await world.reach(() => first.store.goodStandings()?.tenant.rev === 1, 'the first is good');
    world.cloud.change('tenant', [device('d2')]);
    await first.agent.reconfigure();
    await world.reach(() => first.store.standings().tenant.rev === 2, 'applied');
    for (const life of [1, 2, 3]) {
      await world.stop();
      const next = world.host();
      next.agent.start();
      const trial = join(world.folder, 'config-trial');
      if (life < 3)
        await world.reach(() => existsSync(trial) && readFileSync(trial, 'utf8') === `${life}`, 'trial');
      expect(life < 3 ? next.store.standings().tenant.rev : 2).toBe(2);
      if (life === 3) await world.reach(() => next.store.standings().tenant.rev === 1, 'the good one');
    }
    expect(world.logged.some((line) => line.includes('configuration.rolled_back'))).toBe(true);
  });

  it('is passed after a crash in its middle by the next life', async () => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const first = world.host({ health: async () => ['sip'] });
    first.agent.start();
    await world.reach(() => first.agent.configured, 'configured');
    await world.stop();
    expect(openReplica(world.folder).goodStandings()).toBeUndefined();
    world.cloud.down = true;
    const second = world.host();
    second.agent.start();
    await world.reach(() => second.store.goodStandings()?.tenant.rev === 1, 'good');
  });
});

describe('hourly look', () => {
  it('finds a row that the disk changed and fetches the scope again', async () => {
    const right = device('d1', { description: 'right' });
    world.cloud.change('tenant', [bridge('scaip'), right]);
    const { agent, store } = await configured();
    store.beginStage('tenant', false);
    store.stage([{ ...right, body: { ...right.body, description: 'wrong' } }]);
    store.commit(store.standings().tenant);
    const body = () => store.rows('tenant', undefined, 10).at(-1)?.body;
    expect(body()).toContain('wrong');
    world.cloud.asked.length = 0;
    await world.advance(3_500_000);
    expect(world.cloud.asked).toEqual([]);
    await world.reach(() => body()?.includes('right') ?? false, 'repaired', 10_000);
    expect(world.cloud.asked).toEqual(['tenant 0']);
    expect(agent.tenant.byId('d1')?.description).toBe('right');
  });
});
