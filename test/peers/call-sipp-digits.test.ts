import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import { replicatedMediaServiceSchema, replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { application } from '#test/support/application.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { runSipp } from './support/sipp.ts';
import { ack, hangsUp, hear, invite, pause, scenario, trying } from './support/sipp-scenario.ts';

/*
 * Digits that were captured on a wire (RFC 4733), played by SIPp to an IVR as they came, out of their order, and twice each: every
 * digit is reported once.
 */
const CARRIER = '127.0.0.8';
const DIGITS = '1599#';
const EVENTS = '0123456789*#ABCD';

let folder: string;
let site: Awaited<ReturnType<typeof realAppliance>>;
let app: ReturnType<typeof application>;
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-pcap-'));
  const media = await openMedia({
    ports: { from: 26_500, to: 26_599 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => media.close());
  const webrtc = openWebRtc({ ports: { from: 26_600, to: 26_619 }, ipv6: false });
  ends.push(() => webrtc.end());
  site = await realAppliance({}, { media, webrtc });
  ends.push(() => site.close());
  app = application(site);
  const service = { id: 'ivr', name: 'IVR', destinationMatch: '^ivr$' };
  site.tenant.put(
    'mediaservice',
    'ivr',
    replicatedMediaServiceSchema.parse({ ...service, callbackBaseUrl: 'https://app.example/cb' }),
  );
  const trunk = { id: 't1', name: 'Carrier', direction: 'in', ipAllowList: [`${CARRIER}/32`], srtp: 'never' };
  site.tenant.put('trunk', 't1', replicatedTrunkSchema.parse(trunk));
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

interface Captured {
  readonly atMs: number;
  readonly rtp: Buffer;
}

/** 100 ms a digit, 100 ms between them, the end three times; SIPp offers 101 for it. */
function captured(): Captured[] {
  const packets: Captured[] = [];
  for (const [index, digit] of [...DIGITS].entries()) {
    const [startMs, timestamp] = [200 * index, 16_000 + 1_600 * index];
    for (const [at, ms] of [20, 40, 60, 80, 100, 100, 100].entries()) {
      const rtp = Buffer.alloc(16);
      rtp[0] = 0x80;
      rtp[1] = 101 | (at === 0 ? 0x80 : 0);
      rtp.writeUInt16BE(1_000 + packets.length, 2);
      rtp.writeUInt32BE(timestamp, 4);
      rtp.writeUInt32BE(0x5150, 8);
      rtp[12] = EVENTS.indexOf(digit);
      rtp[13] = (at >= 4 ? 0x80 : 0) | 10;
      rtp.writeUInt16BE(8 * ms, 14);
      packets.push({ atMs: startMs + 20 * at, rtp });
    }
  }
  return packets;
}

/** A capture file as libpcap writes it: Ethernet, IPv4, UDP. SIPp puts its own addresses in. */
function pcap(packets: readonly Captured[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(1, 20);
  return Buffer.concat([head, ...packets.map(frame)]);
}

function frame({ atMs, rtp }: Captured): Buffer {
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(40_000, 0);
  udp.writeUInt16BE(40_002, 2);
  udp.writeUInt16BE(8 + rtp.length, 4);
  const ip = Buffer.alloc(20);
  ip[0] = 0x45;
  ip.writeUInt16BE(20 + 8 + rtp.length, 2);
  ip[8] = 64;
  ip[9] = 17;
  ip.set([192, 0, 2, 1, 192, 0, 2, 2], 12);
  const ethernet = Buffer.alloc(14);
  ethernet.writeUInt16BE(0x0800, 12);
  const bytes = Buffer.concat([ethernet, ip, udp, rtp]);
  const record = Buffer.alloc(16);
  record.writeUInt32LE(1_700_000_000 + Math.floor(atMs / 1_000), 0);
  record.writeUInt32LE((atMs % 1_000) * 1_000, 4);
  record.writeUInt32LE(bytes.length, 8);
  record.writeUInt32LE(bytes.length, 12);
  return Buffer.concat([record, bytes]);
}

/** Each two packets in a row change places; the times stay. */
const reordered = (packets: readonly Captured[]): Captured[] =>
  packets.map(({ atMs }, i) => ({
    atMs,
    rtp: packets[i % 2 === 0 ? i + 1 : i - 1]?.rtp ?? packets[i]?.rtp ?? Buffer.alloc(0),
  }));
const twice = (packets: readonly Captured[]): Captured[] => packets.flatMap((each) => [each, each]);

it.each([
  ['as they came', captured()],
  ['out of their order', reordered(captured())],
  ['twice each', twice(captured())],
])('captured digits %s', async (name, packets) => {
  const file = join(folder, `${name.replaceAll(' ', '-')}.pcap`);
  writeFileSync(file, pcap(packets));
  app.on('/newCall', { action: 'ivr' });
  app.on(
    '/getIvrCommand',
    { dtmf: { maxDigits: 32, interDigitTimeout: 1_000 } },
    { getIVRCommandAfter: 3_600 },
  );
  const before = app.received('/getIvrCommand').length;
  const outcome = await runSipp({
    scenario: scenario(
      'digits',
      invite(),
      trying,
      hear(200),
      ack(),
      // A person takes longer to the first key than we to listen.
      pause(500),
      `<nop><action><exec play_pcap_audio="${file}"/></action></nop>`,
      pause(3_500),
      hangsUp(),
    ),
    ...{ transport: 'udp', port: site.port('UDP'), from: CARRIER, domain: site.domain, withinS: 20 },
    calls: [['+4670', 'ivr']],
  });
  expect(outcome).toMatchObject({ code: 0, errors: '' });
  expect(app.received('/getIvrCommand').slice(before)).toMatchObject([
    {},
    { dtmfParams: { dtmfMatch: DIGITS, reason: 'interDigitTimeout' } },
  ]);
  expect([app.unscripted, app.strange, site.logged]).toEqual([[], [], []]);
});
