import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { Baresip, receivedPitch } from '../support/baresip.ts';
import { Ear } from '../support/ear.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from '../support/peer-site.ts';
import { runProgram } from '../support/program.ts';

/*
 * Two telephones of strangers are the people of a list: the first answers and presses nothing, the second accepts with the key 1.
 */

const PASSWORD = 'correct-horse';
/** Tone of each side, Hz. */
const PERSON = 750;
const DEVICE = 440;
const WAIT = { timeout: 60_000 };

let folder: string;
let says: string;
let site: PeerSite;
let exchange: Server;
/** A private exchange that hears INVITEs over TCP. */
const EXCHANGE = '127.0.0.9';
const NUMBER = '+46855511001';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-people-'));
  says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(PERSON, 120, 8_000)]));
  const entries = (user: string) => ({ entries: [{ destination: `sip:${user}@${DOMAIN}` }] });
  exchange = createServer().listen(0, EXCHANGE);
  await once(exchange, 'listening');
  const { port } = exchange.address() as AddressInfo;
  site = await startPeerSite({
    trunks: [
      {
        ...{ id: 'exchange', name: 'Exchange', optionsInterval: 0, srtp: 'never', emergencyData: true },
        hosts: [{ uri: `sip:${EXCHANGE}:${port};transport=tcp`, priority: 1 }],
        ipAllowList: [`${EXCHANGE}/32`],
      },
    ],
    bridges: (url) => [
      {
        id: 'help',
        protocol: 'call',
        name: 'Help',
        destinationMatch: '^help$',
        callbackBaseUrl: url,
        defaultEmergencyDestination: `sip:first@${DOMAIN}`,
        emergencyCallList: { steps: [entries('first'), entries('second')] },
      },
      {
        ...{
          id: 'facts',
          protocol: 'call',
          name: 'Facts',
          destinationMatch: '^facts$',
          callbackBaseUrl: url,
        },
        ...{ customerSiteId: 'Storgatan-1', defaultEmergencyDestination: NUMBER },
        emergencyCallList: { steps: [{ entries: [{ destination: NUMBER }] }] },
      },
    ],
    devices: ['device', 'first', 'second'].map((name) => phone(name, PASSWORD)),
    answers: { newAlarmbridgeEvent: { action: 'callEmergencyCenter' } },
  });
});
afterAll(async () => {
  await site?.close();
  exchange?.close();
  rmSync(folder, { recursive: true, force: true });
});

const person = (user: string): Promise<Baresip> =>
  Baresip.start({
    ...{ folder: mkdtempSync(join(folder, 'phone-')), user, password: PASSWORD, domain: DOMAIN },
    ...{ proxyPort: site.appliance.ready.udp, transport: 'udp', codec: 'PCMA', says },
  });

async function device(): Promise<OpenTelephone> {
  const opened = await openTelephone({
    to: `127.0.0.1:${site.appliance.ready.udp}`,
    transport: 'udp',
    domain: DOMAIN,
    user: 'device',
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
  return opened;
}

it('rings the second person while the first presses nothing, and joins the one who presses 1', async () => {
  const [first, second, unit] = [await person('first'), await person('second'), await device()];
  try {
    const ear = new Ear(unit, PERSON, DEVICE);
    unit.telephone.call('help', ear);
    await first.until('CALL_ESTABLISHED');
    await second.until('CALL_ESTABLISHED');
    second.say('sndcode', '1');
    // The first hears that the alarm is taken, and is hung up.
    await first.until('CALL_CLOSED');
    await expect.poll(() => ear.hears, WAIT).toBe(true);
    await expect.poll(() => receivedPitch(second), WAIT).toBe(DEVICE);
    second.say('hangup');
    // Its hang-up clears: the device is let go.
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
    const received = await site.application.ask('take');
    const steps = received
      .filter(({ path }) => path.endsWith('/emergencyProgress'))
      .map(({ body }) => (JSON.parse(body) as { step: string }).step);
    expect(steps).toEqual(expect.arrayContaining(['ringing', 'answered', 'accepted', 'taken', 'cleared']));
  } finally {
    for (const each of [first, second]) await each.close();
    await unit.close();
  }
});

/** The first INVITE that the exchange gets, whole; the exchange does not answer it. */
async function firstInvite(): Promise<{ readonly bytes: Buffer; readonly socket: Socket }> {
  const [socket] = (await once(exchange, 'connection')) as [Socket];
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    const end = bytes.indexOf('\r\n\r\n');
    const length = /^Content-Length: *(\d+)/im.exec(bytes.toString('latin1'))?.[1];
    if (end >= 0 && bytes.length >= end + 4 + Number(length)) break;
  }
  return { bytes, socket };
}

it('sends facts to a trunk that Python reads by its email parser, and that are valid by RELAX NG', async () => {
  const unit = await device();
  const invited = firstInvite();
  try {
    const ear = new Ear(unit, PERSON, DEVICE);
    unit.telephone.call('facts', ear);
    const { bytes, socket } = await invited;
    const read = await readByPython(bytes.toString('latin1'));
    expect(read).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(read.stdout)).toEqual({
      'ca:NAM': 'Storgatan-1',
      'pi:DataProviderString': DOMAIN,
      'pi:ContactURI': `sip:facts@${DOMAIN}`,
      'di:UniqueDeviceID': 'device',
      'com:Comment': expect.stringContaining('device device'),
    });
    // The parser sees what is wrong.
    const faults = [
      ['ca:NAM', 'ca:XYZ'],
      ['TypeOfDeviceID="SN"', 'TypeOfDeviceID="XX"'],
      ['purpose=EmergencyCallData.Comment', 'purpose=EmergencyCallData.DeviceInfo'],
      ['handling=optional', 'handling=required'],
    ] as const;
    for (const [is, becomes] of faults) {
      const broken = await readByPython(bytes.toString('latin1').replaceAll(is, becomes));
      expect([is, broken.code]).toEqual([is, 1]);
    }
    socket.destroy();
  } finally {
    unit.telephone.hangUp();
    await unit.close();
  }
});

const READER = join(import.meta.dirname, 'support/read-emergency-data.py');
const readByPython = (input: string) => runProgram('/usr/bin/python3', [READER], { input });
