import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeMessage } from '#appliance/alarm/protocol/contact-id/index.ts';
import { encodePacket } from '#appliance/alarm/protocol/lift/index.ts';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { framed, panelAt, siaFrame } from '#test/support/panel.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * Heartbeats of every protocol (protocols 16, provisioning document 2.1): the interval of the bridge and of the device, the check of
 * each minute with a margin of four, and the changes that are reported.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let panel: ReturnType<typeof panelAt>;
let count = 0;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
  unit = await net.device('unit', '192.0.2.30');
  panel = panelAt(site);
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const MINUTE = 60_000;
const INTERVAL = 5 * MINUTE;

/** The words of a device: a MESSAGE, tones in a call, or a frame. */
type Saying =
  | { readonly by: 'message'; readonly text: () => string }
  | { readonly by: 'call'; readonly text: () => string; readonly ms: number; readonly askedMs: number }
  | { readonly by: 'frame'; readonly bytes: () => Uint8Array };

interface Row {
  /** Name of the device in provisioning and in callbacks. */
  readonly deviceId: string;
  readonly alive: Saying;
  readonly alarm: Saying;
  /** A sign of life is nothing but that; else it is an event too, a test call. */
  readonly absorbed: boolean;
}

const next = () => String(++count).padStart(4, '0');
const message = (text: () => string): Saying => ({ by: 'message', text });
const call = (text: string, ms: number, askedMs: number): Saying => ({
  by: 'call',
  text: () => text,
  ms,
  askedMs,
});
const frame = (bytes: () => Uint8Array): Saying => ({ by: 'frame', bytes });
const atm = (type: string, data: string) => () =>
  encodeAtm({ version: '1', type, data, time: '.', mac: '.' });
const said = (made: { readonly ok: true; readonly value: string } | { readonly ok: false }): string => {
  if (!made.ok) throw new Error('cannot be said');
  return made.value;
};
const contactId = (event: string) =>
  said(
    encodeMessage({ account: '1234', messageType: '18', qualifier: '1', event, group: '01', zone: '015' }),
  );

const scaip = (more: string) => () => `<mrq><ref>R${next()}</ref><cid>4711</cid>${more}</mrq>`;
const lacs = (event: string) => () => `<lacs><ref>${next()}</ref><id>4711</id><event>${event}</event></lacs>`;
const NOWIP: Row = {
  deviceId: '12345678:0001',
  alive: message(atm('0', '123456780001')),
  alarm: message(atm('1', '000012345678000101000000')),
  absorbed: true,
};
const TT: Row = {
  deviceId: '123456789',
  alive: call('D#1012123456789***000000', 80, 700),
  alarm: call('D#1017123456789***000000', 80, 700),
  absorbed: false,
};

const ROWS: Readonly<Record<string, Row>> = {
  scaip: {
    deviceId: '4711',
    alive: message(scaip('<dty>0002</dty><mty>PI</mty>')),
    alarm: message(scaip('<dty>0003</dty><crd>no-voice:</crd>')),
    absorbed: true,
  },
  nowip: NOWIP,
  nowipcontroller: NOWIP,
  lacs: { deviceId: '4711', alive: message(lacs('T1')), alarm: message(lacs('E1')), absorbed: false },
  dc09: {
    deviceId: '1234',
    alive: frame(() => framed('"NULL"0000L0#1234[]')),
    alarm: frame(() => siaFrame(next(), 'NBA12')),
    absorbed: true,
  },
  bs8521: {
    deviceId: '12345678:0001',
    alive: call('A01001234567800010580000000#', 80, 800),
    alarm: call('A01001234567800010100000000#', 80, 800),
    absorbed: false,
  },
  tt92: TT,
  ttnew: TT,
  contactId: {
    deviceId: '1234:015',
    alive: call(contactId('602'), 60, 1_800),
    alarm: call(contactId('130'), 60, 1_800),
    absorbed: false,
  },
  p100: {
    deviceId: '12345678',
    alive: call(said(encodePacket('3', '12345678')), 100, 1_800),
    alarm: call(said(encodePacket('1', '12345678')), 100, 1_800),
    absorbed: false,
  },
  'cpc-antenna': {
    deviceId: '87654321',
    alive: call('*#042687654321#', 80, 700),
    alarm: call('*#042787654321#', 80, 700),
    absorbed: false,
  },
};

/** No schema of LACS is public: the customer's profile says where everything stands. */
const OUR_LACS = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'id', eventCode: 'event', reference: 'ref' },
  eventTable: {
    E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'none' },
    T1: { deviceType: 'systemMonitor', statusCode: 'alarmTest', audio: 'none' },
  },
};

function bridge(protocol: string, fields: Record<string, unknown> = {}): void {
  const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: OUR_LACS };
  site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  const named = protocol === 'lacs' ? { protocolProfile: 'ours' } : {};
  const destinationMatch = protocol === 'dc09' ? '#1234$' : '^here$';
  site.bridge({ protocol, name: 'Units', destinationMatch, ...named, ...fields });
}

function device(deviceId: string, alarmBridge: Record<string, unknown>): void {
  site.device({ deviceId, serviceData: { alarmBridge } });
}

async function say(saying: Saying): Promise<void> {
  if (saying.by === 'frame') panel.send(saying.bytes());
  if (saying.by === 'message')
    site.request('MESSAGE', 'unit-1', { body: saying.text(), uri: 'sip:here@care.example' });
  if (saying.by === 'call') {
    const talk = await unit.invite('here', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(saying.askedMs, 100);
    const text = saying.text();
    unit.audio.press(text, { onMs: saying.ms, offMs: saying.ms });
    await net.after(text.length * 2 * saying.ms + 1_500, 100);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    unit.inbox.splice(0);
  }
  await site.quiet();
}

const eventsOf = (isHeartbeat: boolean) =>
  site.posted
    .filter(({ call: { path } }) => path === '/newAlarmbridgeEvent')
    .map(({ body }) => body.alarmEvent as Readonly<Record<string, unknown>>)
    .filter(({ deviceType }) => (deviceType === 'heartbeat') === isHeartbeat);

/** Callbacks to receiver and platform about the device's supervision, in the order of each. */
const changes = () => ({
  receiver: eventsOf(true).map(({ statusCode }) => statusCode),
  platform: site.posted
    .filter(({ body }) => body.type === 'deviceHeartbeat')
    .map(({ body }) => [body.deviceId, body.status]),
});
const NOTHING = { receiver: [], platform: [] };

const expiration = () =>
  Number(site.posted.findLast(({ body }) => body.type === 'deviceHeartbeat')?.body.expiration);

describe.each(Object.entries(ROWS))('%s', (protocol, { deviceId, alive, alarm, absorbed }) => {
  it('defaultHeartbeatInterval: a device that sends heartbeats is reported when it falls silent, and when it is back', async () => {
    bridge(protocol, { defaultHeartbeatInterval: INTERVAL });
    await say(alive);
    expect(site.runtime.load.supervised).toBe(1);
    expect(eventsOf(false).map(({ statusCode }) => statusCode)).toEqual(absorbed ? [] : ['alarmTest']);
    // One check may be missed.
    for (let beats = 0; beats < 2; beats++) {
      await site.after(8 * MINUTE);
      await say(alive);
    }
    const lastMs = site.clock.wallMs();
    await site.after(9.5 * MINUTE);
    expect(changes()).toEqual(NOTHING);
    await site.after(5.5 * MINUTE);
    expect(changes()).toEqual({ receiver: ['offline'], platform: [[deviceId, 'offline']] });
    expect(Math.abs(expiration() - lastMs - INTERVAL)).toBeLessThan(10_000);
    const [offline] = eventsOf(true);
    const [controllerId, unitId] = deviceId.split(':');
    expect(offline).toMatchObject({ controllerId, ...(unitId !== undefined && { deviceId: unitId }) });
    await site.after(60 * MINUTE);
    expect(changes().receiver).toEqual(['offline']);
    await say(alive);
    expect(changes()).toEqual({
      receiver: ['offline', 'online'],
      platform: [
        [deviceId, 'offline'],
        [deviceId, 'online'],
      ],
    });
    expect(Math.abs(expiration() - site.clock.wallMs() - INTERVAL)).toBeLessThan(10_000);
  });

  it('a new device is reported at once, then at checks, until when, and one that fell silent no more', async () => {
    bridge(protocol, { defaultHeartbeatInterval: INTERVAL });
    const reported: (readonly [string, number])[][] = [];
    site.runtime.heartbeats.checked.add((devices) =>
      reported.push(devices.map((each) => [each.deviceId, each.expiresMs])),
    );
    const isNow = (report: number) => {
      expect(reported).toHaveLength(report + 1);
      expect(reported[report]).toEqual([[deviceId, expect.any(Number)]]);
      return (reported[report]?.[0]?.[1] ?? 0) - INTERVAL;
    };
    await say(alive);
    await site.after(2_000);
    expect(Math.abs(isNow(0) - site.clock.wallMs())).toBeLessThan(10_000);
    await say(alive);
    const saidMs = site.clock.wallMs();
    await site.after(5.5 * MINUTE);
    expect(Math.abs(isNow(1) - saidMs)).toBeLessThan(10_000);
    await site.after(60 * MINUTE);
    expect(reported).toHaveLength(2);
    expect(changes().receiver).toEqual(['offline']);
  });

  it('heartbeatInterval of the device goes before it', async () => {
    bridge(protocol, { defaultHeartbeatInterval: INTERVAL });
    device(deviceId, { heartbeatInterval: 4 * INTERVAL });
    await say(alive);
    await site.after(24 * MINUTE);
    expect(changes()).toEqual(NOTHING);
    await site.after(7 * MINUTE);
    expect(changes().platform).toEqual([[deviceId, 'offline']]);
  });

  it('every other event of the device is a sign of life, too', async () => {
    bridge(protocol);
    device(deviceId, { heartbeatInterval: INTERVAL });
    for (const saying of [alive, alarm, alarm]) {
      await say(saying);
      await site.after(8 * MINUTE);
    }
    expect(changes()).toEqual(NOTHING);
    await site.after(8 * MINUTE);
    expect(changes().receiver).toEqual(['offline']);
  });

  it('an alarm begins the supervision of a device that has an interval, and of no other', async () => {
    bridge(protocol, { defaultHeartbeatInterval: INTERVAL });
    await say(alarm);
    await site.after(30 * MINUTE);
    expect([changes(), site.runtime.load.supervised]).toEqual([NOTHING, 0]);
    device(deviceId, { heartbeatInterval: INTERVAL });
    await say(alarm);
    await site.after(16 * MINUTE);
    expect(changes()).toEqual({ receiver: ['offline'], platform: [[deviceId, 'offline']] });
  });

  it('without an interval no device is supervised', async () => {
    bridge(protocol);
    await say(alive);
    await site.after(60 * MINUTE);
    expect([changes(), site.runtime.load.supervised]).toEqual([NOTHING, 0]);
  });
});

describe('a silent device is reported to the application', () => {
  const lost = async () => {
    await say(ROWS.scaip?.alive ?? NOWIP.alive);
    await site.after(16 * MINUTE);
  };
  const paths = () => site.posted.filter(({ target }) => target.url.startsWith('https://app.example/cb'));

  it('as customEventMap says, like of any other event', async () => {
    const rules = [
      { when: { 'alarmEvent.statusCode': 'offline' }, path: '/gone', headers: { 'X-Kind': 'gone' } },
      { when: { 'alarmEvent.deviceType': 'heartbeat' }, drop: true },
    ];
    bridge('scaip', { defaultHeartbeatInterval: INTERVAL, customEventMap: { rules } });
    await lost();
    expect(paths().map(({ call: { path, headers } }) => [path, headers])).toEqual([
      ['/gone', { 'X-Kind': 'gone' }],
    ]);
    expect(paths()[0]?.body.alarmEvent).toMatchObject({ deviceType: 'heartbeat', statusCode: 'offline' });
    await say(ROWS.scaip?.alive ?? NOWIP.alive);
    expect(paths()).toHaveLength(1);
    expect(changes().platform).toEqual([
      ['4711', 'offline'],
      ['4711', 'online'],
    ]);
  });

  it('under the name that overrideInAlarmEvent gives the device, and as what it is', async () => {
    bridge('scaip', { defaultHeartbeatInterval: INTERVAL });
    const overrideInAlarmEvent = {
      controllerId: 'Flat 7',
      deviceId: '12',
      deviceType: 'fixedTrigger',
      statusCode: 'alarm',
      audio: 'duplex',
      location: 'kitchen',
      priority: 3,
    };
    device('4711', { overrideInAlarmEvent });
    await lost();
    expect(eventsOf(true)).toMatchObject([
      {
        controllerId: 'Flat 7',
        deviceId: '12',
        deviceType: 'heartbeat',
        statusCode: 'offline',
        audio: 'none',
        location: 'kitchen',
        priority: 3,
      },
    ]);
    expect(changes().platform).toEqual([['4711', 'offline']]);
  });

  it('where there is one: beside an event sender there need be none, and nothing waits for it', async () => {
    site.mapper(undefined, { alarmHandling: 'voiceOnly' });
    const sentOn = { callbackBaseUrl: undefined, alarmEventMapperId: 'mapper-1' };
    bridge('scaip', { defaultHeartbeatInterval: INTERVAL, ...sentOn });
    await lost();
    expect(changes()).toEqual({ receiver: [], platform: [['4711', 'offline']] });
    expect(site.ports.journal.pendingOutbox().map(({ dest }) => dest)).toEqual([]);
  });
});

it('a panel whose link is supervised is reported once, by its supervisionInterval', async () => {
  bridge('dc09', { defaultHeartbeatInterval: INTERVAL });
  device('1234', { heartbeatInterval: INTERVAL, dc09: { supervisionInterval: MINUTE } });
  const { alive, alarm } = ROWS.dc09 ?? NOWIP;
  await say(alarm);
  expect(site.runtime.load.supervised).toBe(1);
  for (let beats = 0; beats < 30; beats++) {
    await site.after(MINUTE);
    await say(alive);
  }
  expect(changes()).toEqual(NOTHING);
  await site.after(2 * MINUTE);
  expect(changes().platform).toEqual([['1234', 'offline']]);
  await site.after(60 * MINUTE);
  expect(changes().platform).toEqual([['1234', 'offline']]);
});

it.each([
  ['agreed', {}, { dc09: { supervisionInterval: MINUTE } }],
  ['given up', { dc09: { supervisionInterval: MINUTE } }, {}],
])('a supervisionInterval that is %s later leaves one supervision behind', async (_, before, after) => {
  bridge('dc09');
  const { alive } = ROWS.dc09 ?? NOWIP;
  for (const alarmBridge of [before, after]) {
    device('1234', { heartbeatInterval: INTERVAL, ...alarmBridge });
    await say(alive);
  }
  expect(site.runtime.load.supervised).toBe(1);
  const isLink = 'dc09' in after;
  for (let minutes = 0; minutes < 32; minutes += isLink ? 1 : 8) {
    await site.after((isLink ? 1 : 8) * MINUTE);
    await say(alive);
  }
  expect(changes()).toEqual(NOTHING);
});
