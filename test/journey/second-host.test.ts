import { afterEach, expect, it } from 'vitest';
import { encodeFrame, FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

type Site = Awaited<ReturnType<typeof testAppliance>>;
const MINUTE = 60_000;

interface Device {
  readonly bridge: Record<string, unknown>;
  /** Content of the profile `mine`. */
  readonly profile?: object;
  /** How long the same is a repeat, ms. */
  readonly withinMs: number;
  /** Says the alarm `n`; the same `n` is the same alarm. */
  readonly say: (site: Site, n: number) => void;
}

const message = (uri: string, body: string) => (site: Site) =>
  site.request('MESSAGE', 'unit-1', { body, uri: `sip:${uri}@care.example` });

const DEVICES: Readonly<Record<string, Device>> = {
  'SCAIP, by its reference': {
    bridge: {},
    withinMs: 30 * MINUTE,
    say: (site, n) =>
      message('scaip', `<mrq><ref>${n}</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>`)(site),
  },
  'LACS, by its body': {
    bridge: { protocol: 'lacs', destinationMatch: '^lacs$', protocolProfile: 'mine' },
    profile: { enabled: true, requestRoot: 'alarm', fieldPaths: { controllerId: 'id' } },
    withinMs: 30 * MINUTE,
    say: (site, n) => message('lacs', `<alarm><id>${n}</id></alarm>`)(site),
  },
  'NOW-IP, by its digits': {
    bridge: { protocol: 'nowip', destinationMatch: '^nowip$' },
    withinMs: 2 * MINUTE,
    say: (site, n) => {
      const data = `01001234567800${String(n).padStart(2, '0')}01000000`;
      message('nowip', encodeAtm({ version: '1', type: '1', data, time: '.', mac: '00:11' }))(site);
    },
  },
  'DC-09, by its sequence and CRC': {
    bridge: { protocol: 'dc09', destinationMatch: '#1234$' },
    withinMs: 10 * MINUTE,
    say: (site, n) => {
      const body = `"SIA-DCS"${String(n).padStart(4, '0')}L0#1234[#1234|NBA12]`;
      const route = {
        id: 'tcp 1',
        transport: 'tcp' as const,
        sourceIp: '192.0.2.60',
        sourcePort: 40_000,
        send: () => undefined,
      };
      for (const found of new FrameReader().push(encodeFrame(Buffer.from(body))))
        if (found.kind === 'frame') site.runtime.dc09.frame(found.frame, route);
    },
  },
};

const opened: Site[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A host that knows nothing of the messages to another one. */
async function host(device: Device, wallMs: number): Promise<Site> {
  const site = await testAppliance();
  opened.push(site);
  site.bridge(device.bridge);
  const { profile: content } = device;
  if (content !== undefined) {
    const row = { name: 'mine', kind: 'xml', extends: 'lacs', content };
    site.tenant.put('protocolprofile', 'mine', protocolProfileRequestSchema.parse(row));
  }
  site.answerBy(() => answered({ action: 'drop' }));
  site.setWallBy(wallMs - site.clock.wallMs());
  return site;
}

/** Idempotency-Key of the alarm as this host tells the application of it. */
async function keyOf(site: Site, device: Device, n: number): Promise<string> {
  const before = site.posted.length;
  device.say(site, n);
  await site.quiet();
  expect(site.posted).toHaveLength(before + 1);
  return site.posted[before]?.delivery.id ?? '';
}

it.each(Object.entries(DEVICES))('two hosts that received the same give it one id: %s', async (_, device) => {
  const beginMs = 1_800_000_000_000 - (1_800_000_000_000 % device.withinMs);
  const first = await keyOf(await host(device, beginMs + 10_000), device, 1);
  const other = await host(device, beginMs + 15_000);
  expect(await keyOf(other, device, 1)).toBe(first);
  expect(await keyOf(other, device, 2)).not.toBe(first);
});

it.each(Object.entries(DEVICES))(
  'a repeat across the border of a period is known as the row that the other host has: %s',
  async (_, device) => {
    const borderMs = 1_800_000_000_000 - (1_800_000_000_000 % device.withinMs);
    const saidMs = borderMs - 2_000;
    const first = await keyOf(await host(device, saidMs), device, 1);
    const other = await host(device, borderMs + 3_000);
    const second = await keyOf(other, device, 1);
    expect(second).not.toBe(first);
    expect(other.runtime.alarmSessions.twinOf(first, saidMs)).toBe(second);
    // The same said a period earlier was another alarm.
    expect(other.runtime.alarmSessions.twinOf(first, borderMs - device.withinMs)).toBeUndefined();
  },
);
