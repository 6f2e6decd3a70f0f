import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Baresip, type BaresipSetting, receivedPitch } from './support/baresip.ts';
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
/** The proxy in front of a telephone that knows no keys, and that telephone. */
const SEALER = '127.0.0.8';
const PLAIN = '127.0.0.10';
/** The proxy in front of a telephone that knows GSM alone, and that telephone. */
const TRANSCODER = '127.0.0.11';
const GSM_PHONE = '127.0.0.12';
const GSM_NUMBER = '+48855510';
const NUMBERED = '+47855510';
const THEIRS = 750;
const NUMBER = '+46855510';
const OURS = 440;
const RTP = { from: 41_000, to: 41_099 };
const WAIT = { timeout: 30_000 };

let site: PeerSite;
let ours: OpenTelephone;
let phonePort: number;
let plainPort: number;
let gsmPort: number;
let sealerPort: number;
let sealer: Awaited<ReturnType<typeof startProxy>>;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [phonePort = 0] = await freePorts(PHONE, 1);
  [plainPort = 0] = await freePorts(PLAIN, 1);
  [gsmPort = 0] = await freePorts(GSM_PHONE, 1);
  [sealerPort = 0] = await freePorts(SEALER, 1);
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
  const [transcoderPort = 0] = await freePorts(TRANSCODER, 1);
  const transcoder = await startProxy({
    ...{ host: TRANSCODER, port: transcoderPort, callee: `sip:${GSM_PHONE}:${gsmPort}`, codec: 'GSM' },
    relay: `udp:${PROXY}:${control}`,
  });
  ends.push(transcoder.stop);
  site = await startPeerSite({
    devices: [phone('anna', PASSWORD)],
    trunks: [
      {
        id: 'relayed',
        hosts: [{ uri: `sip:${PROXY}:${sip}` }],
        numberPrefix: '+46',
        ipAllowList: [`${PROXY}/32`],
      },
      {
        id: 'transcoded',
        hosts: [{ uri: `sip:${TRANSCODER}:${transcoderPort}` }],
        numberPrefix: '+48',
        ipAllowList: [`${TRANSCODER}/32`],
        codecs: ['PCMA'],
      },
      {
        id: 'sealed',
        hosts: [{ uri: `sip:${SEALER}:${sealerPort}` }],
        numberPrefix: '+47',
        ipAllowList: [`${SEALER}/32`],
        srtp: 'always',
      },
    ],
  });
  ends.push(() => site.close());
  sealer = await startProxy({
    ...{ host: SEALER, port: sealerPort, callee: `sip:${PLAIN}:${plainPort}` },
    relay: `udp:${PROXY}:${control}`,
    sealedTowards: { uri: `sip:127.0.0.1:${site.appliance.ready.udp}`, plain: PLAIN },
  });
  ends.push(sealer.stop);
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
  it('relays the audio in both directions: an echo behind it sends ours back', async () => {
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
    await noLegs();
  });
});

describe('rtpengine that takes our SRTP to a telephone without keys', () => {
  let theirs: Baresip;
  beforeAll(async () => {
    const through = `sip:${SEALER}:${sealerPort}`;
    theirs = await phoneAlone({ host: PLAIN, port: plainPort, through }, NUMBERED, 'PCMA');
  });

  it('carries tones in both directions, when we call and when we are called', async () => {
    const ear = new Ear(ours, THEIRS, OURS);
    ours.telephone.takeCallsBy(() => ear);
    ours.telephone.call(NUMBERED, ear);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(theirs, ear);
    expect(sealer.described()).toEqual(['127.0.0.1 RTP/SAVP', `${PLAIN} RTP/AVP`]);
    ear.line.hangUp();
    await theirs.until('CALL_CLOSED');
    await noLegs();

    ear.begin();
    theirs.forget();
    theirs.say('dial', `sip:anna@${DOMAIN}`);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(theirs, ear);
    expect(sealer.described().slice(2)).toEqual([`${PLAIN} RTP/AVP`, '127.0.0.1 RTP/SAVP']);
    theirs.say('hangup');
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await noLegs();
  });
});

describe('rtpengine that speaks another codec with the telephone', () => {
  it('carries tones in both directions: PCMA with us, GSM with the telephone', async () => {
    const theirs = await phoneAlone({ host: GSM_PHONE, port: gsmPort }, GSM_NUMBER, 'GSM');
    const ear = new Ear(ours, THEIRS, OURS);
    ours.telephone.call(GSM_NUMBER, ear);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(theirs, ear);
    ear.line.hangUp();
    await theirs.until('CALL_CLOSED');
    await noLegs();
  });
});

async function phoneAlone(
  alone: NonNullable<BaresipSetting['alone']>,
  user: string,
  codec: BaresipSetting['codec'],
): Promise<Baresip> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-rtpengine-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
  const phone = await Baresip.start({
    ...{ folder: join(folder, 'phone'), user, password: '', domain: alone.host, says },
    ...{ proxyPort: 0, transport: 'udp', codec, alone },
  });
  ends.push(() => phone.close());
  return phone;
}

async function hearEachOther(theirs: Baresip, ear: Ear): Promise<void> {
  await expect.poll(() => ear.hears, WAIT).toBe(true);
  await expect.poll(() => receivedPitch(theirs), WAIT).toBe(OURS);
}

async function noLegs(): Promise<void> {
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
  expect((await site.appliance.ask('report')).counts.defects).toBe(0);
}

/** Number of rtpengine's RTP ports that are held now. */
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
