import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALARM_POLICY, type LegPolicy } from '#appliance/call/control/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { must } from '#test/support/media.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Baresip, receivedPitch } from './support/baresip.ts';
import { Ear } from './support/ear.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { received, runSipp, type SippOutcome } from './support/sipp.ts';
import { runPair } from './support/sipp-pair.ts';
import { answers, hangsUp, isLeft, scenario, talks } from './support/sipp-scenario.ts';

const PASSWORD = 'correct-horse';
/** Tone of each side, Hz. */
const [THEIRS, OURS] = [750, 440];
const WAIT = { timeout: 30_000 };
const HOST = '::1';
/** Loopback addresses tell the peers of IPv4 apart: a trunk is known by its address. */
const [CARRIER, PHONE] = ['127.0.0.8', '127.0.0.9'];
const CALLS = 20;

let folder: string;
let says: string;
let site: PeerSite;
let theirs: Baresip;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-ipv6-'));
  says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
  site = await startPeerSite({
    alsoIPv6: true,
    devices: ['ours', 'plain', 'four', 'six'].map((name) => phone(name, PASSWORD)),
    trunks: [{ id: 'carrier', direction: 'in', ipAllowList: [`${CARRIER}/32`, `${HOST}/128`] }],
  });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});
async function startBaresip(): Promise<void> {
  theirs = await Baresip.start({
    ...{ folder: mkdtempSync(join(folder, 'phone-')), user: 'plain', password: PASSWORD, domain: DOMAIN },
    ...{ at: HOST, proxyPort: site.appliance.ready.ipv6?.udp ?? 0, transport: 'udp', codec: 'PCMA', says },
  });
}

/** A telephone of ours over either family; its audio goes the same way as its SIP. */
async function ourTelephone(family: 4 | 6): Promise<OpenTelephone> {
  const { udp, ipv6 } = site.appliance.ready;
  const policy: LegPolicy = { ...ALARM_POLICY, codecs: ['PCMA'], srtp: 'never' };
  const to = family === 6 ? `[${HOST}]:${ipv6?.udp}` : `127.0.0.1:${udp}`;
  const opened = await openTelephone({
    ...{ to, transport: 'udp' },
    domain: DOMAIN,
    user: 'ours',
    password: PASSWORD,
    policy,
  });
  expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
  return opened;
}

async function hearEachOther(ear: Ear): Promise<void> {
  await expect.poll(() => ear.hears, WAIT).toBe(true);
  await expect.poll(() => receivedPitch(theirs), WAIT).toBe(OURS);
}

async function idle(): Promise<void> {
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
  const { counts, logged } = await site.appliance.ask('report');
  expect({ defects: counts.defects, logged }).toEqual({ defects: 0, logged: [] });
}

describe.each([
  ['IPv6', 6],
  ['IPv4', 4],
] as const)('baresip over IPv6 and a telephone over %s', (_, family) => {
  let ours: OpenTelephone;
  let ear: Ear;

  beforeEach(async () => {
    await startBaresip();
    ours = await ourTelephone(family);
    ear = new Ear(ours, THEIRS, OURS);
  });
  afterEach(async () => {
    await ours?.close();
    await theirs?.close();
  });

  it('hear each other when it calls, digits pass in both directions, it holds, comes back and hangs up', async () => {
    ours.telephone.takeCallsBy(() => ear);
    theirs.say('dial', `sip:ours@${DOMAIN}`);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(ear);
    theirs.say('sndcode', '5');
    await expect.poll(() => ear.digits, WAIT).toEqual([['5', 'rfc4733']]);
    const said = { digits: '7', mode: 'rfc4733', onMs: 120, offMs: 120 } as const;
    must(await ours.media.sendDigits(ear.line.name, 'digits', said));
    expect(await theirs.until('CALL_DTMF_START')).toMatchObject({ param: '7' });
    theirs.say('hold');
    await expect.poll(() => ear.silent, WAIT).toBe(true);
    theirs.say('resume');
    await expect.poll(() => ear.silent, WAIT).toBe(false);
    theirs.say('hangup');
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await idle();
  });

  it('hear each other when it is called, and it is hung up on', async () => {
    ours.telephone.call('plain', ear);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(ear);
    ear.line.hangUp();
    await theirs.until('CALL_CLOSED');
    await idle();
  });
});

/** SIPp registers there as `user` and is called at this port. */
async function registered(user: string, from: string): Promise<number> {
  const [fromPort = 0] = await freePorts(from, 1);
  const { udp, ipv6 } = site.appliance.ready;
  const outcome = await runSipp({
    ...{ scenario: 'register.xml', transport: 'udp', domain: DOMAIN, from, fromPort },
    port: isIPv6(from) ? (ipv6?.udp ?? 0) : udp,
    calls: [[user, `[authentication username=${user} password=${PASSWORD}]`]],
  });
  expect(outcome).toMatchObject({ code: 0, errors: '' });
  return fromPort;
}

/** Every message of the appliance that this SIPp saw names the appliance by this address and by no other. */
function expectNamedBy({ messages, errors, code }: SippOutcome, address: string): void {
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const host = isIPv6(address) ? `[${address}]` : address;
  const named = received(messages).flatMap((text) => [
    ...text.matchAll(/^(?:Contact: .*@|c=IN IP[46] |o=carillon .* IN IP[46] )(\S+?)(?::\d+[;>].*)?$/gm),
  ]);
  const hosts = named.map(([, name]) => name);
  expect(hosts.length).toBeGreaterThan(2 * CALLS);
  expect(hosts.filter((name) => name !== host && name !== address)).toEqual([]);
}

describe.each(['udp', 'tcp'] as const)('SIPp over %s, IPv4 and IPv6 at the same time', (transport) => {
  it('each calls the other, and is offered its own family only', async () => {
    const common = { domain: DOMAIN, withinS: 60, perSecond: 10 };
    const answering = {
      ...common,
      transport: 'udp',
      scenario: scenario('answers', answers, isLeft),
    } as const;
    const calling = { ...common, transport, scenario: scenario('calls', talks, hangsUp()) } as const;
    const [portOfFour, portOfSix] = [await registered('four', PHONE), await registered('six', HOST)];
    const { ipv6, ...ipv4 } = site.appliance.ready;
    const callers = (user: string) => Array.from({ length: CALLS }, () => ['+46855500000', user]);
    const toCallee = Array.from({ length: CALLS }, () => ['-']);
    const [four, six] = await Promise.all([
      runPair(
        { ...answering, port: ipv4.udp, from: PHONE, fromPort: portOfFour, calls: toCallee },
        { ...calling, port: ipv6?.[transport] ?? 0, from: HOST, calls: callers('four') },
      ),
      runPair(
        { ...answering, port: ipv6?.udp ?? 0, from: HOST, fromPort: portOfSix, calls: toCallee },
        { ...calling, port: ipv4[transport], from: CARRIER, calls: callers('six') },
      ),
    ]);
    for (const outcome of [four.callee, six.caller]) expectNamedBy(outcome, '127.0.0.1');
    for (const outcome of [four.caller, six.callee]) expectNamedBy(outcome, HOST);
    await idle();
  });
});
