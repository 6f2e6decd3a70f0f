import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleSource, peerSource } from '#appliance/io/edge/index.ts';
import { feedChain } from '#appliance/replica/index.ts';
import type { FeedAnswer, FeedAsk } from '#shared/contract/peer/index.ts';
import { bridge, device, signingKey } from '../../../site/host/site-cloud.ts';
import { SiteWorld } from '../../../site/host/site-world.ts';

let world: SiteWorld;
beforeEach(() => {
  world = new SiteWorld();
  world.cloud.down = true;
});
afterEach(() => world.end());

/** Another host of the site, which reaches the cloud and asks for us. */
async function neighbour(ask: FeedAsk): Promise<FeedAnswer> {
  const { cloud } = world;
  if (ask.ask === 'twin') return { text: await cloud.twin() };
  if (ask.ask === 'keys') return { text: 'k.l.1\nk.l.2' };
  if (ask.ask === 'page') return { text: cloud.blob(ask.sha256)?.toString('base64') };
  if (ask.since === cloud.rev(ask.scope)) return { notModified: true };
  return { text: await cloud.manifest(ask.scope, ask.since) };
}

const hostWith = (ask: (asked: FeedAsk) => Promise<unknown>) =>
  world.host({ feed: () => feedChain([world.cloud.feed, peerSource(ask)]) });

it('a host without WAN takes its configuration through another one, and its changes too', async () => {
  world.cloud.change('tenant', [bridge('b1'), device('d1')]);
  const { agent } = hostWith(neighbour);
  agent.start();
  await world.reach(() => agent.configured, 'configured', 1_000);
  expect(agent.tenant.byId('d1')).toBeDefined();
  world.cloud.change('tenant', [device('d2')]);
  await world.reach(() => agent.tenant.byId('d2') !== undefined, 'the change', 5_000);
});

it('key statements come through another host, too, and nothing that is none', async () => {
  expect(await peerSource(neighbour).keys?.()).toEqual({ ok: true, value: ['k.l.1', 'k.l.2'] });
  const much = peerSource(async () => ({ text: 'k.l.m\n'.repeat(17) }));
  expect(await much.keys?.()).toMatchObject({ ok: false, error: { code: 'damaged' } });
  const bundle = {
    v: 1,
    kind: 'carillon-bundle',
    twins: {},
    manifests: [],
    keys: ['k.l.3'],
    pages: {},
  } as const;
  const of = { uid: 'u', tenant: 't', siteId: 's' };
  const chain = feedChain([
    bundleSource(
      () => undefined,
      of,
      async () => undefined,
    ),
    bundleSource(
      () => ({ ...bundle, manifests: [], keys: ['k.l.3'] }),
      of,
      async () => undefined,
    ),
    peerSource(neighbour),
  ]);
  expect(await chain.keys?.()).toEqual({ ok: true, value: ['k.l.3'] });
});

it('a configuration that another host has made up is refused', async () => {
  world.cloud.change('tenant', [bridge('b1'), device('d1')]);
  const honest = world.cloud.signing;
  const { agent } = hostWith(async (ask) => {
    world.cloud.sign(ask.ask === 'manifest' ? signingKey('forger') : honest);
    return await neighbour(ask);
  });
  agent.start();
  await world.advance(60_000);
  expect(agent.tenant.byId('d1')).toBeUndefined();
  expect(agent.configured).toBe(false);
});

it.each([undefined, {}, { text: 7 }, 'nonsense'])('an answer %j names no host', async (answer) => {
  const source = peerSource(async () => answer);
  expect(await source.twin()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  expect(await source.page({ sha256: 'a'.repeat(64), size: 1 })).toMatchObject({ ok: false });
});
