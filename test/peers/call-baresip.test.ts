import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY, type LegPolicy } from '#appliance/call/control/index.ts';
import { dtmf, hearFile, render, silence } from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { must } from '#test/support/media.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Baresip, type BaresipSetting, receivedPitch } from './support/baresip.ts';
import { Ear } from './support/ear.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

const PASSWORD = 'correct-horse';
/** Tone of each side, Hz. */
const THEIRS = 750;
const OURS = 440;
const THIRD = 600;
const WAIT = { timeout: 30_000 };
/** A carrier and a telephone behind it: baresip both, and registered nowhere. */
const CARRIER = '+46855510';
const BEHIND = '+46855511';
/** Their RTP leaves by this address, whatever they are bound to. */
const HOST = '127.0.0.1';

let folder: string;
let says: string;
let site: PeerSite;
let carrierPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-baresip-'));
  says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
  [carrierPort = 0] = await freePorts(HOST, 1);
  site = await startPeerSite({
    trunks: [
      {
        id: 'carrier',
        hosts: [{ uri: `sip:${HOST}:${carrierPort}` }],
        numberPrefix: '+46',
      },
    ],
    devices: [
      ...['ours', 'plain', 'third'].map((name) => phone(name, PASSWORD)),
      { ...phone('secret', PASSWORD), srtp: 'always' },
      { ...phone('sealed', PASSWORD), srtp: 'alwaysWithTLS' },
    ],
  });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  { codec: 'PCMA', transport: 'udp', user: 'plain' },
  { codec: 'PCMU', transport: 'tcp', user: 'plain' },
  { codec: 'GSM', transport: 'udp', user: 'plain' },
  { codec: 'PCMA', transport: 'tcp', user: 'secret', encrypted: true },
  { codec: 'PCMA', transport: 'tls', user: 'sealed', encrypted: true },
] as const)('baresip with $codec over $transport as $user', ({ codec, transport, user, ...more }) => {
  let theirs: Baresip;
  let ours: OpenTelephone;
  let ear: Ear;

  beforeAll(async () => {
    const proxyPort = site.appliance.ready[transport] ?? 0;
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, site.ca);
    const setting: BaresipSetting = {
      ...more,
      ...(transport === 'tls' && { ca }),
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user, password: PASSWORD, domain: DOMAIN },
      ...{ proxyPort, transport, codec, says },
    };
    theirs = await Baresip.start(setting);
    // The appliance passes what it hears between codecs; our own telephone speaks what it likes best.
    const policy: LegPolicy = { ...ALARM_POLICY, codecs: [codec === 'GSM' ? 'PCMA' : codec], srtp: 'never' };
    const to = `127.0.0.1:${site.appliance.ready.udp}`;
    ours = await openTelephone({
      to,
      transport: 'udp',
      domain: DOMAIN,
      user: 'ours',
      password: PASSWORD,
      policy,
    });
    expect(await ours.telephone.register(600)).toMatchObject({ ok: true });
    ear = new Ear(ours, THEIRS, OURS);
  });
  afterAll(async () => {
    await theirs?.close();
    await ours?.close();
  });

  it('calls: both hear the other, digits pass in both directions, it holds and comes back', async () => {
    ours.telephone.takeCallsBy(() => ear);
    theirs.say('dial', `sip:ours@${DOMAIN}`);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(theirs, ear);
    theirs.say('sndcode', '5');
    await expect.poll(() => ear.digits, WAIT).toEqual([['5', 'rfc4733']]);
    await ours.media.sendDigits(ear.line.name, 'digits', {
      digits: '7',
      mode: 'rfc4733',
      onMs: 120,
      offMs: 120,
    });
    expect(await theirs.until('CALL_DTMF_START')).toMatchObject({ param: '7' });
    // Our reports reach it, and it can read them.
    await theirs.until('CALL_RTCP');
    theirs.say('hold');
    await expect.poll(() => ear.silent, WAIT).toBe(true);
    theirs.say('resume');
    await expect.poll(() => ear.silent, WAIT).toBe(false);
    theirs.say('hangup');
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await idle();
  });

  it('is called and hung up on', async () => {
    ear.begin();
    theirs.forget();
    ours.telephone.call(user, ear);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(theirs, ear);
    ear.line.hangUp();
    await theirs.until('CALL_CLOSED');
    await idle();
  });
});

describe('digits of baresip', () => {
  const telephoneOf = (user: string, more: Partial<BaresipSetting> = {}) =>
    Baresip.start({
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user, password: PASSWORD, domain: DOMAIN },
      ...{ proxyPort: site.appliance.ready.udp, transport: 'udp', codec: 'PCMA', says },
      ...more,
    });

  it('by INFO: as events to who has never sent one, as INFO to who has', async () => {
    const [one, other] = [
      await telephoneOf('plain', { digits: 'info' }),
      await telephoneOf('third', { digits: 'info' }),
    ];
    try {
      one.say('dial', `sip:third@${DOMAIN}`);
      await one.until('CALL_ESTABLISHED');
      await other.until('CALL_ESTABLISHED');
      one.say('sndcode', '5');
      expect(await other.until('CALL_DTMF_START')).toMatchObject({ param: '5' });
      other.say('sndcode', '8');
      expect(await one.until('CALL_DTMF_START')).toMatchObject({ param: '8' });
      one.say('sndcode', '#');
      expect(await other.until('CALL_DTMF_START')).toMatchObject({ param: '#' });
      one.say('hangup');
      await other.until('CALL_CLOSED');
      await idle();
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('in the audio: tones that it says are digits to us, and ours are tones in its record', async () => {
    const tones = join(folder, 'digits.wav');
    // Its record ends with what it has to say.
    const pressed = render([silence(1_000), ...must(dtmf('159#', { onMs: 90, offMs: 90 })), silence(60_000)]);
    writeFileSync(tones, writeWav([pressed]));
    const ours = await ourTelephone('ours');
    const theirs = await telephoneOf('plain', { says: tones });
    try {
      const ear = new Ear(ours, THEIRS, OURS);
      ours.telephone.call('plain', ear);
      await theirs.until('CALL_ESTABLISHED');
      await expect
        .poll(() => ear.digits.slice(0, 4).map(([digit, by]) => `${digit} ${by}`), WAIT)
        .toEqual(['1 inband', '5 inband', '9 inband', '# inband']);
      must(await ours.media.stop(ear.line.name, 'our tone'));
      must(
        await ours.media.sendDigits(ear.line.name, 'digits', {
          digits: '207D',
          mode: 'inband',
          onMs: 90,
          offMs: 90,
        }),
      );
      const digits = () => {
        const record = hearFile(writeWav([theirs.recorded()]), 'ivr');
        return record.ok
          ? record.value.flatMap((each) => ('digit' in each ? [each.digit] : [])).join('')
          : '';
      };
      await expect.poll(digits, WAIT).toBe('207D');
      ear.line.hangUp();
      await theirs.until('CALL_CLOSED');
      await idle();
    } finally {
      await theirs.close();
      await ours.close();
    }
  });
});

describe('baresip transfers', () => {
  it('a call of ours to a third telephone (REFER)', async () => {
    const [ours, third] = [await ourTelephone('ours'), await ourTelephone('third')];
    const theirs = await Baresip.start({
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user: 'plain', password: PASSWORD, domain: DOMAIN },
      ...{ proxyPort: site.appliance.ready.udp, transport: 'udp', codec: 'PCMA', says },
    });
    try {
      const ear = new Ear(ours, THEIRS, OURS);
      const other = new Ear(third, OURS, THIRD);
      third.telephone.takeCallsBy(() => other);
      ours.telephone.call('plain', ear);
      await theirs.until('CALL_ESTABLISHED');
      await hearEachOther(theirs, ear);
      theirs.say('transfer', `sip:third@${DOMAIN}`);
      await expect.poll(() => other.hears, WAIT).toBe(true);
      await theirs.until('CALL_CLOSED');
      // We are still in the call we made, with another party.
      expect(ear.over).toBeUndefined();
      ear.line.hangUp();
      await expect.poll(() => other.over, WAIT).toBeDefined();
      await idle();
    } finally {
      await theirs.close();
      await ours.close();
      await third.close();
    }
  });

  it('on its own account when it is asked to: a trunk that takes REFER calls the third itself, without us', async () => {
    const [behindPort = 0] = await freePorts(HOST, 1);
    const alone = (user: string, port: number, hz: number): Promise<Baresip> => {
      const file = join(folder, `${hz}.wav`);
      writeFileSync(file, writeWav([sine(hz, 60, 8_000)]));
      return Baresip.start({
        ...{ folder: mkdtempSync(join(folder, 'phone-')), user, password: '', domain: HOST },
        ...{ proxyPort: 0, transport: 'udp', codec: 'PCMA', says: file, alone: { host: HOST, port } },
      });
    };
    const [carrier, behind] = [
      await alone(CARRIER, carrierPort, OURS),
      await alone(BEHIND, behindPort, THIRD),
    ];
    const asker = await Baresip.start({
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user: 'plain', password: PASSWORD, domain: DOMAIN },
      ...{ proxyPort: site.appliance.ready.udp, transport: 'udp', codec: 'PCMA', says },
    });
    try {
      asker.say('dial', `sip:${CARRIER}@${DOMAIN}`);
      await asker.until('CALL_ESTABLISHED');
      await expect.poll(() => [receivedPitch(asker), receivedPitch(carrier)], WAIT).toEqual([OURS, THEIRS]);
      // The record of its next call is then the only one.
      carrier.forget();
      asker.say('transfer', `sip:${BEHIND}@${HOST}:${behindPort}`);
      await behind.until('CALL_ESTABLISHED');
      await asker.until('CALL_CLOSED');
      // Nothing of it runs through us any more, and the two hear each other.
      await idle();
      await expect.poll(() => [receivedPitch(carrier), receivedPitch(behind)], WAIT).toEqual([THIRD, OURS]);
      behind.say('hangup');
      await carrier.until('CALL_CLOSED');
    } finally {
      for (const each of [asker, carrier, behind]) await each.close();
    }
  });
});

async function ourTelephone(user: string): Promise<OpenTelephone> {
  const opened = await openTelephone({
    to: `127.0.0.1:${site.appliance.ready.udp}`,
    transport: 'udp',
    domain: DOMAIN,
    user,
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
  return opened;
}

/** Tones both ways: ours in the record of baresip, theirs in our detector. */
async function hearEachOther(theirs: Baresip, ear: Ear): Promise<void> {
  await expect.poll(() => ear.hears, WAIT).toBe(true);
  await expect.poll(() => receivedPitch(theirs), WAIT).toBe(OURS);
}

async function idle(): Promise<void> {
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
  const { counts, logged } = await site.appliance.ask('report');
  expect({ defects: counts.defects, logged }).toEqual({ defects: 0, logged: [] });
}
