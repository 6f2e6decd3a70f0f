import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';
import { auditAfter } from '#cloud/store/index.ts';
import type { HostNote } from '#shared/contract/feed/index.ts';
import { actorAt, NOW, openSiteStage, type SiteStage, TENANT } from './stage.ts';

let stage: SiteStage;
beforeEach(async () => {
  stage = await openSiteStage();
});
afterEach(() => stage.close());

const record = {
  v: 1,
  at: '2026-02-02T02:40:00.000Z',
  release: '0.1.0',
  hostId: 'box-1',
  siteId: 'north',
  passed: true,
  points: [{ id: 'sip', verdict: 'ok', found: '200, 1.2 ms', ms: 3 }],
} as const;

/** The edge listener as an enrolled host meets it. */
async function enrolledHost() {
  const { key: _, ...machine } = await stage.machine(await stage.claimCode(), 'box-1');
  const answer = await stage.sites.enrolment.claim(machine, actorAt(NOW));
  if (!answer.ok || answer.value.state !== 'enrolled') throw new Error('not enrolled');
  const { uid, certificate } = answer.value;
  const serial = new X509Certificate(certificate).serialNumber.toLowerCase();
  const edge = createEdgeApp({
    sites: stage.sites,
    peerOf: () => ({ authorized: true, uid, serial, address: '192.0.2.7' }),
    nowMs: () => NOW,
    onDefect: (error: unknown) => expect.fail(String(error)),
  } as unknown as EdgePort);
  const tell = async (note: unknown): Promise<number> =>
    (await edge.request('/edge/v1/note', { method: 'POST', body: JSON.stringify(note) })).status;
  return { uid, tell };
}

test('an act of a technician at a host stands in the journal of its tenant, signed by its certificate', async () => {
  const { uid, tell } = await enrolledHost();
  expect(await tell({ kind: 'selfTest', record } satisfies HostNote)).toBe(200);
  expect(await tell({ kind: 'uninstalled', release: '0.1.0', purge: true } satisfies HostNote)).toBe(200);
  const entries = await auditAfter(stage.store, TENANT.id, 0, 100);
  expect(entries.slice(-2)).toMatchObject([
    {
      action: 'host.selfTest',
      actor: `host:${uid}`,
      entityId: uid,
      detail: { hostId: 'box-1', siteId: 'north', record },
    },
    { action: 'host.uninstalled', actor: `host:${uid}`, detail: { release: '0.1.0', purge: true } },
  ]);
});

test('the last self-test of a host stands beside its state, and the one before only in the journal', async () => {
  const { tell } = await enrolledHost();
  const detail = async () => {
    const found = await stage.sites.detail(TENANT.id, { siteId: 'north', hostId: 'box-1' }, NOW);
    return found.ok ? found.value.selfTest : expect.fail(found.error.reason);
  };
  expect(await detail()).toBeUndefined();
  expect(await tell({ kind: 'selfTest', record } satisfies HostNote)).toBe(200);
  const { v: _, ...shown } = record;
  expect(await detail()).toEqual(shown);
  const red = { id: 'call', verdict: 'failure', found: '503', code: 'call.refused', ms: 9 } as const;
  const worse = { ...record, at: '2026-02-03T02:40:00.000Z', passed: false, points: [red] };
  expect(await tell({ kind: 'selfTest', record: worse } satisfies HostNote)).toBe(200);
  expect(await detail()).toMatchObject({ at: worse.at, passed: false, points: [red] });
});

test('a message that is no such note changes nothing', async () => {
  const { tell } = await enrolledHost();
  const before = (await auditAfter(stage.store, TENANT.id, 0, 100)).length;
  for (const wrong of [
    {},
    { kind: 'selfTest', record: { ...record, passed: 'yes' } },
    { kind: 'decommissioned' },
  ])
    expect(await tell(wrong)).toBe(400);
  expect(await auditAfter(stage.store, TENANT.id, 0, 100)).toHaveLength(before);
});
