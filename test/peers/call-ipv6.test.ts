import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeWav } from '#appliance/media/recording/index.ts';
import { ALARM_POLICY, type LegPolicy } from '#appliance/runtime/call/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { must } from '#test/support/media.ts';
import { Baresip, pitchHeard } from './support/baresip.ts';
import { Ear } from './support/ear.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

const PASSWORD = 'correct-horse';
/** What each side says, Hz. */
const [THEIRS, OURS] = [750, 440];
const WAIT = { timeout: 30_000 };
const HOST = '::1';

let folder: string;
let says: string;
let site: PeerSite;
let theirs: Baresip;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-ipv6-'));
  says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
  site = await startPeerSite({
    udpHost: HOST,
    devices: ['ours', 'plain'].map((name) => phone(name, PASSWORD)),
  });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  theirs = await Baresip.start({
    ...{ folder: mkdtempSync(join(folder, 'phone-')), user: 'plain', password: PASSWORD, domain: DOMAIN },
    ...{ at: HOST, proxyPort: site.appliance.ready.udp, transport: 'udp', codec: 'PCMA', says },
  });
});
afterEach(() => theirs?.close());

/** A telephone of ours over either family; its audio goes the same way as its SIP. */
async function ourTelephone(family: 4 | 6): Promise<OpenTelephone> {
  const { udp, tcp } = site.appliance.ready;
  const policy: LegPolicy = { ...ALARM_POLICY, codecs: ['PCMA'], srtp: 'never' };
  const over =
    family === 6
      ? ({ to: `[${HOST}]:${udp}`, transport: 'udp' } as const)
      : ({ to: `127.0.0.1:${tcp}`, transport: 'tcp' } as const);
  const opened = await openTelephone({ ...over, domain: DOMAIN, user: 'ours', password: PASSWORD, policy });
  expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
  return opened;
}

async function hearEachOther(ear: Ear): Promise<void> {
  await expect.poll(() => ear.hears, WAIT).toBe(true);
  await expect.poll(() => pitchHeard(theirs), WAIT).toBe(OURS);
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
    ours = await ourTelephone(family);
    ear = new Ear(ours, THEIRS, OURS);
  });
  afterEach(() => ours?.close());

  it('hear each other when it calls, digits go both ways, it holds, comes back and hangs up', async () => {
    ours.telephone.onCall = () => ear;
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
