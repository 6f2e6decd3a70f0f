import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleSource, readBundle, signedReader } from '#appliance/io/edge/index.ts';
import { feedChain } from '#appliance/replica/index.ts';
import { tellBundle } from '#appliance/site/host/host-act.ts';
import { type Bundle, type HostActData, SCOPES } from '#shared/contract/feed/index.ts';
import { bridge, device, type SiteCloud, signingKey } from '../../../site/host/site-cloud.ts';
import { SiteWorld } from '../../../site/host/site-world.ts';

let world: SiteWorld;
let folder: string;
/** The source of the newest manifest of each scope. */
const cameFrom = new Map<string, string | undefined>();
beforeEach(() => {
  cameFrom.clear();
  world = new SiteWorld();
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
});
afterEach(async () => {
  await world.end();
  rmSync(folder, { recursive: true });
});

/** Content of `carillon bundle create`: the bytes of the edge listener. */
async function packed(cloud: SiteCloud): Promise<Bundle> {
  const manifests: string[] = [];
  const pages: Record<string, string> = {};
  for (const scope of SCOPES) {
    if (cloud.rev(scope) === 0) continue;
    const compact = await cloud.manifest(scope, 0);
    manifests.push(compact);
    const payload = Buffer.from(compact.split('.')[1] ?? '', 'base64url').toString();
    for (const { sha256 } of (JSON.parse(payload) as { pages: { sha256: string }[] }).pages) {
      pages[sha256] = cloud.blob(sha256)?.toString('base64') ?? '';
    }
  }
  return { v: 1, kind: 'carillon-bundle', twins: { [cloud.uid]: await cloud.twin() }, manifests, pages };
}

/** A host without WAN, with a stick in it. */
function hostWith(bundle: () => Bundle | undefined) {
  world.cloud.down = true;
  return world.host({
    feed: (identity) =>
      feedChain(
        [
          world.cloud.feed,
          bundleSource(
            bundle,
            identity,
            signedReader(() => identity.verifyKeys),
          ),
        ],
        (scope, place) => cameFrom.set(scope, ['cloud', 'bundle'][place]),
      ),
  });
}

it('a site without WAN takes its configuration from a file', async () => {
  world.cloud.change('tenant', [bridge('b1'), device('d1')]);
  const file = join(folder, 'site.bundle');
  writeFileSync(file, JSON.stringify(await packed(world.cloud)));
  const read = readBundle(file);
  const { agent } = hostWith(() => (read.ok ? read.value : undefined));
  const reported: HostActData[] = [];
  agent.reported.add((event) => tellBundle((act) => reported.push(act), event, cameFrom.get(event.scope)));
  agent.start();
  await world.reach(() => agent.configured, 'the configuration of the bundle');
  expect(reported).toContainEqual({
    action: 'bundle',
    detail: { scope: 'tenant', rev: world.cloud.rev('tenant') },
  });
  expect(agent.tenant.byId('d1')?.deviceId).toBe('d1');
});

it('a file that another key signed, or that changed in transit, is not taken', async () => {
  world.cloud.change('tenant', [bridge('b1'), device('d1')]);
  const bundle = await packed(world.cloud);
  const [hash = ''] = Object.keys(bundle.pages);
  const other = { ...bundle, pages: { [hash]: Buffer.from('other').toString('base64') } };
  world.cloud.manifestKey = signingKey('k1').key;
  const forged = await packed(world.cloud);
  for (const each of [other, forged]) {
    const { agent } = hostWith(() => each);
    agent.start();
    await world.advance(20_000);
    expect(agent.configured).toBe(false);
    await world.stop();
  }
});

it('a file that is no bundle is refused with a sentence', () => {
  const file = join(folder, 'x');
  writeFileSync(file, '{"v":1,"kind":"carillon-bundle","twins":');
  expect(readBundle(file)).toMatchObject({
    ok: false,
    error: { reason: expect.stringMatching(/cut short/) },
  });
  writeFileSync(file, '{"v":2}');
  expect(readBundle(file)).toMatchObject({
    ok: false,
    error: { reason: expect.stringMatching(/is no bundle/) },
  });
  expect(readBundle(join(folder, 'none')).ok).toBe(false);
});
