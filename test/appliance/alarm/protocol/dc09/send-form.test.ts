import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dc09Form,
  decodeContent,
  decodeMessage,
  eventsOf,
  frameOf,
  SIA_MAPPINGS,
  siaCode,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';
import {
  type AlarmEvent,
  codedFrom,
  RECEIVE_LIST,
  SEND_LIST,
  SIA_EVENTS,
} from '#shared/alarm-event/index.ts';
import { sealing } from './panel.ts';

const eventOf = (deviceType: string, statusCode?: string): AlarmEvent => ({
  controllerId: '12-34',
  deviceId: '0042',
  deviceType: codedFrom('deviceType', deviceType),
  statusCode:
    statusCode === undefined
      ? { native: null, send: null, receive: null }
      : codedFrom('statusCode', statusCode),
  audio: 'none',
  priority: 0,
});
const source = (protocol: string, fields: Readonly<Record<string, unknown>>) => ({
  protocol,
  raw: '',
  fields,
  check: { policy: 'none', result: 'ok' },
  warnings: [],
});

describe('the SIA mapping', () => {
  const { statusRules, statusClass, devices } = SIA_MAPPINGS.default ?? {
    statusRules: [],
    statusClass: {},
    devices: {},
  };
  it.each([...new Set([...SEND_LIST.statusCode, ...RECEIVE_LIST.statusCode])])(
    'has a place for state %s',
    (status) => {
      const inRule = statusRules.some(
        ({ statusCode, deviceType }) => statusCode.includes(status) && !deviceType,
      );
      const inClass = Object.values(statusClass).some((words) => words.includes(status));
      expect(inRule || inClass).toBe(true);
    },
  );

  it('has every device type of both lists', () => {
    const all = [...new Set<string>([...SEND_LIST.deviceType, ...RECEIVE_LIST.deviceType])];
    expect(all.filter((type) => !(type in devices))).toEqual([]);
  });

  it('names no code that is not in the table of SIA', () => {
    const known = new Set(SIA_EVENTS.map(({ code }) => code));
    const used = Object.values(SIA_MAPPINGS).flatMap((mapping) => [
      ...mapping.nativeRules,
      ...mapping.statusRules,
      ...Object.values(mapping.devices).flatMap((device) => Object.values(device)),
    ]);
    expect([...new Set(used.map(({ sia }) => sia))].filter((sia) => !known.has(sia))).toEqual([]);
    for (const { cid } of used) expect(cid).toMatch(/^[136]\d{3}$/);
  });

  it.each([
    ['fixedTrigger', 'alarm', 'QA', '1101'],
    ['fixedTrigger', undefined, 'QA', '1101'],
    ['smokeDetector', 'normal', 'FH', '3111'],
    ['smokeDetector', 'failure', 'FT', '1373'],
    ['smokeDetector', 'faultRectified', 'FJ', '3373'],
    ['localUnit', 'lowBattery', 'YT', '1302'],
    ['fixedTrigger', 'lowBattery', 'XT', '1384'],
    ['bedMonitor', 'absent', 'MA', '1100'],
    ['fixedTrigger', 'privacySwitchOperated', 'YY', '6101'],
    ['heartbeat', undefined, 'RP', '1602'],
    ['heartbeat', 'offline', 'YC', '1350'],
    ['fixedTrigger', 'alarmTest', 'RP', '1602'],
  ])('says %s %s as %s and %s', (deviceType, status, sia, cid) => {
    expect(siaCode(eventOf(deviceType, status))).toMatchObject({ sia, cid });
  });

  it('looks at the native event first', () => {
    const event = {
      ...eventOf('fixedTrigger', 'alarm'),
      statusCode: { native: '12', send: 'alarm', receive: 'alarm' },
    };
    const scaip = source('scaip', { stc: '12' });
    expect(siaCode(event, SIA_MAPPINGS.scaip, scaip)).toMatchObject({ sia: 'CL', cid: '3400' });
    expect(siaCode(eventOf('fixedTrigger', 'alarm'), SIA_MAPPINGS.scaip, scaip)).toMatchObject({ sia: 'QA' });
    const lift = source('p100', { key: 'rescueEnded' });
    expect(siaCode(eventOf('elevator', 'alarm'), SIA_MAPPINGS.p100, lift)).toMatchObject({
      sia: 'QH',
      cid: '3101',
    });
  });
});

describe('an event as data of a frame', () => {
  const event = eventOf('fixedTrigger', 'alarm');
  it('has account, area and zone', () => {
    expect(dc09Form(event, { token: 'SIA-DCS' })).toMatchObject({
      value: { account: '1234', data: '#1234|Nri1/QA42' },
    });
    expect(dc09Form(event, { token: 'ADM-CID' })).toMatchObject({ value: { data: '#1234|1101 01 042' } });
    expect(dc09Form(event, { token: 'ADM-CID', account: 'ab' })).toMatchObject({
      value: { account: '00AB' },
    });
  });
  it('has words when they are wanted, without what ends a field', () => {
    const said = source('scaip', { dte: 'pen]dant', stt: 'x', lte: 'up|stairs' });
    expect(dc09Form(event, { token: 'SIA-DCS', withText: true, source: said })).toMatchObject({
      value: {
        xdata: [
          { id: 'I', text: 'pen dant x' },
          { id: 'L', text: 'up stairs' },
        ],
      },
    });
    expect(dc09Form(event, { token: 'SIA-DCS', withText: true })).toMatchObject({
      value: { xdata: [{ id: 'I', text: 'fixedTrigger alarm' }] },
    });
  });
  it('cannot do without an account', () => {
    expect(dc09Form({ ...event, controllerId: 'xyz' }, { token: 'SIA-DCS' })).toMatchObject({
      error: { code: 'notExpressible', path: '/controllerId' },
    });
  });
});

const file = join(import.meta.dirname, '../../../../vectors/alarm/dc09.json');
const vectors = (
  JSON.parse(readFileSync(file, 'utf8')) as { dc09: { id: string; frame?: string; event?: unknown }[] }
).dc09;
const contentOf = (bytes: Uint8Array) => {
  const [found] = readDatagram(bytes);
  const message = found?.kind === 'frame' ? decodeMessage(found.frame.body) : undefined;
  if (!message?.ok) throw new Error('no frame');
  return eventsOf(message.value, decodeContent(message.value.body), []);
};
it.each(vectors.filter(({ frame, event }) => frame !== undefined && event !== undefined))(
  '$id goes on in its own code',
  ({ frame = '' }) => {
    const came = contentOf(Buffer.from(`\n${frame}\r`, 'latin1'));
    if (!came.ok) throw new Error(came.error.reason);
    for (const { event, source } of came.value) {
      const token = source.fields.token === 'ADM-CID' ? 'ADM-CID' : 'SIA-DCS';
      const made = dc09Form(event, { token, source });
      if (!made.ok) throw new Error(made.error.reason);
      const bytes = frameOf({ ...made.value, sequence: '0001', line: '0' }, 0, sealing);
      const again = bytes.ok ? contentOf(bytes.value) : undefined;
      expect(again?.ok && again.value[0]?.event).toMatchObject({
        deviceType: event.deviceType,
        statusCode: event.statusCode,
      });
    }
  },
);
