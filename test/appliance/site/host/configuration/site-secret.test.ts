import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostKeys } from '#appliance/io/edge/identity/host-key.ts';
import type { SiteAgent } from '#appliance/site/host/uplink/site-agent.ts';
import { configKeys } from '#cloud/io/key/index.ts';
import { formatSealed, type Operation, secretPlace } from '#shared/contract/feed/index.ts';
import { mapSecrets } from '#shared/contract/provisioning/index.ts';
import { put } from '../site-cloud.ts';
import { SiteWorld } from '../site-world.ts';

// Secrets on their way into a host: real keys, files and signatures; the rows are sealed as the cloud does it.

let world: SiteWorld;
const keys = new Map([1, 2].map((version) => [version, configKeys.make()]));

beforeEach(() => {
  world = new SiteWorld();
});
afterEach(() => world.end());

const keyOf = (version: number) => ({
  tenant: world.identity.tenant,
  version,
  k: keys.get(version) ?? '',
});

/** The host is given a key; `folder`: of another machine's seal key. */
async function give(version: number, folder = world.folder): Promise<void> {
  const jwe = (await configKeys.wrap(keyOf(version), hostKeys(folder).sealKey)) ?? '';
  world.cloud.change('host', [put('configkey', String(version), { version, jwe })]);
}

const trunk = (name: string, version: number): Operation => {
  const body = { name, hosts: [{ uri: 'sip:192.0.2.1' }], trunkKey: `key of ${name}`, hashSalt: name };
  const row = put('trunk', name, body);
  const place = secretPlace(world.identity.tenant, row, version);
  const { k } = keyOf(version);
  const sealed = mapSecrets(body, (value) =>
    formatSealed({ version, ...configKeys.seal(k, place, JSON.stringify(value)) }),
  );
  return { ...row, body: sealed };
};

const trunkKeys = (agent: SiteAgent) => agent.tenant.trunks.map(({ trunkKey }) => trunkKey);

async function started() {
  const host = world.host();
  host.agent.start();
  await world.reach(() => host.agent.configured, 'configured');
  return host;
}

const refusals = () => world.logged.filter((line) => line.includes('refused'));

describe('secrets of the configuration', () => {
  it('open by a key that comes with the host’s own rows, also after a restart with no network', async () => {
    await give(1);
    world.cloud.change('tenant', [trunk('a', 1)]);
    const first = await started();
    expect(trunkKeys(first.agent)).toEqual(['key of a']);
    expect(world.cloud.asked).toEqual(['host 0', 'tenant 0']);
    await world.stop();
    world.cloud.down = true;
    const second = world.host();
    second.agent.start();
    await second.agent.whenConfigured();
    expect(trunkKeys(second.agent)).toEqual(['key of a']);
  });

  it('wait for a key that the newest twin brings, and nothing is refused', async () => {
    await give(1);
    world.cloud.change('tenant', [trunk('a', 1)]);
    const { agent } = await started();
    // The page is already sealed by a key that the twin at hand does not know of.
    world.cloud.change('tenant', [trunk('b', 2)]);
    const manifest = world.cloud.feed.manifest;
    const late = vi.spyOn(world.cloud.feed, 'manifest').mockImplementationOnce(async (scope, since) => {
      const answer = await manifest(scope, since);
      await give(2);
      return answer;
    });
    await agent.reconfigure();
    expect(late.mock.calls).toEqual([]);
    await world.reach(() => trunkKeys(agent).length === 2, 'the second');
    expect(trunkKeys(agent)).toEqual(['key of a', 'key of b']);
    expect(late.mock.calls.map(([scope]) => scope)).toEqual(['tenant', 'host', 'tenant']);
    expect(refusals()).toEqual([]);
  });

  it('refuse the revision when the key does not come, and open it once it does', async () => {
    await give(1);
    world.cloud.change('tenant', [trunk('a', 1)]);
    const { agent, store } = await started();
    world.cloud.change('tenant', [trunk('b', 2)]);
    await agent.reconfigure();
    await world.reach(() => refusals().length > 0, 'refusal');
    expect(refusals()[0]).toContain('"code":"keyMissing","path":"/configkey/2"');
    expect(trunkKeys(agent)).toEqual(['key of a']);
    expect(store.refused()).toEqual({ tenant: 2 });
    await give(2);
    await agent.reconfigure();
    await world.reach(() => trunkKeys(agent).length === 2, 'the second');
    expect(store.refused()).toEqual({});
  });

  it('stay in force when the seal key is lost, and come on with the key that follows it', async () => {
    await give(1);
    world.cloud.change('tenant', [trunk('a', 1)]);
    const { agent } = await started();
    rmSync(join(world.folder, 'seal.key'));
    world.cloud.change('tenant', [trunk('b', 1)]);
    await agent.reconfigure();
    await world.reach(() => refusals().length > 0, 'refusal');
    expect(refusals()[0]).toContain('"code":"keyUnreadable"');
    expect(refusals()[0]).toContain('enrol it anew');
    expect(trunkKeys(agent)).toEqual(['key of a']);
    await give(1);
    await agent.reconfigure();
    await world.reach(() => trunkKeys(agent).length === 2, 'the second');
  });

  it('do not open by a key that was sealed for another machine', async () => {
    const other = join(world.folder, randomBytes(4).toString('hex'));
    await give(1, other);
    world.cloud.change('tenant', [trunk('a', 1)]);
    const { agent } = world.host();
    agent.start();
    await world.reach(() => refusals().length > 0, 'refusal');
    expect(refusals()[0]).toContain('"code":"keyUnreadable"');
  });
});
