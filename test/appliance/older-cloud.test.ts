import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExpectStatic, it } from 'vitest';
import { start } from '#appliance/main.ts';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { CONTRACTS, freshUlid, misread, type Payload, readVector } from '#test/support/feed-vector.ts';
import { type OlderCloud, openOlderCloud } from '#test/support/older-cloud.ts';
import { freePorts } from '#test/support/site-port.ts';

/*
 * A whole appliance of this version under a control plane of an earlier contract, or of one to come: it gets what was recorded,
 * over the broker and the edge listener, and what it says is read as programs of that time did (control plane, section 13, 8).
 */
const HOST = '127.0.0.1';
/** Heartbeats come each 10 s. */
const WITHIN = { timeout: 45_000 };
/** Requests of a host whose answers it can do without. */
const DISPENSABLE = ['/edge/v1/keys', '/edge/v1/note', '/edge/v1/presence'];

async function appliance(cloud: OlderCloud, folder: string) {
  const [udp = 0, tls = 0, https = 0, queue = 0, dc09 = 0] = await freePorts(HOST, 5);
  const sip = `${HOST}:${udp}`;
  const environment = {
    CARILLON_DATA: folder,
    CARILLON_CLOUD: cloud.url,
    CARILLON_CLAIM: 'ABCDEFGHJK',
    CARILLON_HOST_ID: 'box-1',
    CARILLON_ADDRESS: HOST,
    CARILLON_SITE_BASE_URL: `https://${HOST}:${https}`,
    CARILLON_SIP_UDP: sip,
    CARILLON_SIP_TCP: sip,
    CARILLON_SIP_TLS: `${HOST}:${tls}`,
    CARILLON_DC09: `${HOST}:${dc09}`,
    CARILLON_APPLIANCE_HTTP: `${HOST}:${https}`,
    CARILLON_COMMAND_QUEUE: `${HOST}:${queue}`,
    CARILLON_LOG: 'error',
  };
  const started = await start({ flags: {}, environment, file: {} });
  if (!started.ok) throw new Error(started.error.reason);
  return { ...started.value, sip };
}

async function lives(contract: (typeof CONTRACTS)[number], expect: ExpectStatic): Promise<void> {
  const vector = readVector(contract);
  const { reads } = vector;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-newer-'));
  const cloud = await openOlderCloud(vector);
  const host = await appliance(cloud, folder);
  const of = (leaf: string): Payload[] =>
    cloud.received.filter((each) => each.leaf === leaf).map(({ payload }) => payload);
  const latest = () => of('up/hb').at(-1);
  try {
    // It enrols, takes the configuration, and serves by it.
    await host.configured(30_000);
    await expect
      .poll(() => of('up/cfg').map(({ scope, rev, res }) => [scope, rev, res]), WITHIN)
      .toEqual([
        ['tenant', 7, 'applied'],
        ['tenant', 7, 'ack'],
      ]);
    const sent = await simulateScaip({
      ...{ to: host.sip, transport: 'udp', domain: 'care.example', receiver: 'scaip', device: 'scaip-0001' },
      ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
    });
    expect(sent).toMatchObject({ acknowledged: 1 });
    await expect.poll(latest, WITHIN).toMatchObject({ life: 'active', cfg: [7, 0, 0, 0], alarms1h: 1 });

    // It answers.
    const id = freshUlid();
    await cloud.say('dn/req', vector.cloud.ping, { id, soon: Date.now() + 30_000 });
    await expect.poll(() => of('up/res').find((each) => each.id === id)).toMatchObject({ ok: true });

    // It obeys a drain and tells how far it is, and is taken back; what is acknowledged it does not say again.
    await cloud.desired('draining', freshUlid());
    const items = (lane: string) => of(`up/ev/${lane}`).flatMap((batch) => batch.items as Payload[]);
    await expect.poll(() => items('svc').map(({ type }) => type), WITHIN).toContain('drainProgress');
    await cloud.desired('active');
    const last = (lane: string): number => Math.max(0, ...items(lane).map(({ seq }) => Number(seq)));
    await expect
      .poll(async () => {
        await cloud.say('dn/ack', vector.cloud.ack, {
          ...{ alarm: last('alarm'), svc: last('svc'), audit: last('audit'), usage: last('usage') },
        });
        return latest();
      }, WITHIN)
      .toMatchObject({ life: 'active', twinRev: 3, out: { svc: 0 } });
  } finally {
    await host.close();
    await cloud.close();
    rmSync(folder, { recursive: true });
  }
  const states = of('up/state');
  expect(states.at(-1)).toMatchObject({ st: 'off', why: 'shutdown' });
  for (const state of states) expect(misread(reads[state.st === 'on' ? 'birth' : 'off'], state)).toEqual([]);
  for (const [leaf, name] of [
    ['up/hb', 'heartbeat'],
    ['up/cfg', 'report'],
    ['up/res', 'response'],
    ['up/ev/svc', 'batch'],
  ] as const) {
    expect(of(leaf).length).toBeGreaterThan(0);
    for (const payload of of(leaf)) expect(misread(reads[name], payload)).toEqual([]);
  }
  expect([...cloud.unknown].filter((path) => !DISPENSABLE.includes(path))).toEqual([]);
  // It has a record of the alarm; a control plane that does not say that it takes records gets none.
  expect(of('up/rec')).toEqual([]);
}

it.concurrent.for(CONTRACTS)(
  'a host lives under a control plane of the contract %s',
  { timeout: 120_000 },
  async (contract, { expect }) => await lives(contract, expect),
);
