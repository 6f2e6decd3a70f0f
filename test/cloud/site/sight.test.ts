import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';
import { type Connectivity, updateHost, updateHostStatus } from '#cloud/store/index.ts';
import { actorAt, NOW, openSiteStage, type SiteStage } from './stage.ts';

let stage: SiteStage;
beforeEach(async () => {
  stage = await openSiteStage();
});
afterEach(() => stage.close());

async function enrolled(hostId: string) {
  const { key: _, ...machine } = await stage.machine(await stage.claimCode(), hostId);
  const answer = await stage.sites.enrolment.claim(machine, actorAt(NOW));
  if (!answer.ok || answer.value.state !== 'enrolled') throw new Error('not enrolled');
  const { uid, certificate } = answer.value;
  await stage.store.withTx((tx) => updateHost(tx, uid, { lifecycle: 'active' }));
  const serial = new X509Certificate(certificate).serialNumber.toLowerCase();
  const edge = createEdgeApp({
    sites: stage.sites,
    peerOf: () => ({ authorized: true, uid, serial, address: '192.0.2.7' }),
    nowMs: () => NOW,
    onDefect: (error: unknown) => expect.fail(String(error)),
  } as unknown as EdgePort);
  return { uid, sight: async (of: string) => await edge.request(`/edge/v1/presence?host=${of}`) };
}

test.each([
  ['never', false],
  ['offline', false],
  ['online', true],
  ['unstable', true],
  // In doubt until the pings are over: a call that goes on must not be reported as ended.
  ['suspect', true],
] as const)('a host of the site that is %s is seen: %s', async (connectivity: Connectivity, seen) => {
  const [asks, about] = [await enrolled('box-1'), await enrolled('box-2')];
  await stage.store.withTx((tx) => updateHostStatus(tx, about.uid, { connectivity }));
  const answer = await asks.sight(about.uid);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ seen });
});

test('a host of another site gets nothing', async () => {
  const { sight } = await enrolled('box-1');
  expect((await sight('01jc7z5t3k9q8w6m4n2p0r1s5x')).status).toBe(403);
});
