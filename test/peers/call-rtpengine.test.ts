import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/runtime/call/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Ear } from './support/ear.ts';
import { startProxy } from './support/kamailio-proxy.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { startRtpengine } from './support/rtpengine.ts';
import { runSipp } from './support/sipp.ts';
import { untilListening } from './support/sipp-pair.ts';
import { answers, isLeft, scenario } from './support/sipp-scenario.ts';

const PASSWORD = 'correct-horse';
const PROXY = '127.0.0.7';
const PHONE = '127.0.0.9';
const NUMBER = '+46855510';
const OURS = 440;
const RTP = { from: 41_000, to: 41_099 };
const WAIT = { timeout: 30_000 };

let site: PeerSite;
let ours: OpenTelephone;
let phonePort: number;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [phonePort = 0] = await freePorts(PHONE, 1);
  const [sip = 0, control = 0] = await freePorts(PROXY, 2);
  const relay = await startRtpengine({ host: PROXY, port: control, rtpPorts: RTP });
  ends.push(relay.stop);
  const proxy = await startProxy({
    host: PROXY,
    port: sip,
    callee: `sip:${PHONE}:${phonePort}`,
    relay: `udp:${PROXY}:${control}`,
  });
  ends.push(proxy.stop);
  site = await startPeerSite({
    devices: [phone('anna', PASSWORD)],
    trunks: [
      {
        id: 'relayed',
        hosts: [{ uri: `sip:${PROXY}:${sip}` }],
        numberPrefix: '+46',
        ipAllowList: [`${PROXY}/32`],
      },
    ],
  });
  ends.push(() => site.close());
  ours = await openTelephone({
    to: `127.0.0.1:${site.appliance.ready.udp}`,
    transport: 'udp',
    domain: DOMAIN,
    user: 'anna',
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  ends.push(() => ours.close());
  expect(await ours.telephone.register(600)).toMatchObject({ ok: true });
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

describe('rtpengine between us and a telephone', () => {
  it('relays the audio both ways: what we say comes back from an echo behind it', async () => {
    const echo = runSipp({
      scenario: scenario('echo', [...answers, ...isLeft]),
      ...{ transport: 'udp', port: site.appliance.ready.udp, domain: DOMAIN, calls: [['-']], withinS: 60 },
      ...{ from: PHONE, fromPort: phonePort, flags: ['-rtp_echo', '-mi', PHONE] },
    });
    await untilListening('udp', phonePort);
    const ear = new Ear(ours, OURS, OURS);
    ours.telephone.call(NUMBER, ear);
    await expect.poll(() => ear.hears, WAIT).toBe(true);
    // The audio can only have come through its ports: they are taken while the call lasts.
    expect(await takenPorts()).toBeGreaterThanOrEqual(2);
    ear.line.hangUp();
    const { code, errors } = await echo;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
    expect((await site.appliance.ask('report')).counts.defects).toBe(0);
  });
});

/** How many of rtpengine's RTP ports somebody holds now. */
async function takenPorts(): Promise<number> {
  let taken = 0;
  for (let port = RTP.from; port <= RTP.to; port++) {
    const socket = createSocket('udp4');
    try {
      const bound = once(socket, 'listening');
      socket.bind(port, PROXY);
      await bound;
    } catch {
      taken++;
    } finally {
      socket.close();
    }
  }
  return taken;
}
