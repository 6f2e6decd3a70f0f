import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bs8521Form } from '#appliance/alarm/protocol/bs8521/index.ts';
import { dc09Form, decodeAdmCid, decodeSia } from '#appliance/alarm/protocol/dc09/index.ts';
import { cpcProtocol, encodePacket, p100Protocol } from '#appliance/alarm/protocol/lift/index.ts';
import { nowIpForm } from '#appliance/alarm/protocol/nowip/index.ts';
import {
  alarmEventOf,
  decodeRequest,
  encodeRequest,
  scaipForm,
  sourceEventOf,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { ttForm, ttProtocol } from '#appliance/alarm/protocol/tt/index.ts';
import {
  type AlarmEvent,
  bs8521Alarm,
  codedFrom,
  contactIdAlarm,
  decodeBs8521,
  encodeBs8521,
  eventTable,
  SIA_EVENTS,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';

/*
 * Every protocol in, every protocol out, ten events: what comes out is a table beside this file. A cell is the native
 * text without identity; `-` = cannot be expressed.
 */

interface Case {
  readonly event: AlarmEvent;
  readonly source?: SourceAlarmEvent;
}
type Reader = (code: string) => Case;

const sourced = (protocol: string, raw: string, fields: object): SourceAlarmEvent => ({
  protocol,
  raw,
  fields: { ...fields },
  check: { policy: 'none', result: 'notChecked' },
  warnings: [],
});

function fromScaip(elements: string): Case {
  const raw = `<mrq><ref>1</ref><cid>12345678</cid><did>0042</did>${elements}</mrq>`;
  const read = decodeRequest(raw);
  if (!read.ok) throw new Error(read.error.reason);
  return {
    event: alarmEventOf(read.value),
    source: sourceEventOf(read.value, { policy: 'off', result: 'ok' }),
  };
}

const fromBs8521 =
  (protocol: 'bs8521' | 'nowip'): Reader =>
  (tail) => {
    const read = decodeBs8521(`0100123456780042${tail}`);
    if (!read.ok) throw new Error(read.error.reason);
    return { event: bs8521Alarm(read.value), source: sourced(protocol, tail, read.value) };
  };

function fromTt(call: string): Case {
  const read = ttProtocol('ttnew').read(`${call}123456780042000000`);
  if (!read.ok || read.value.event === null) throw new Error('not a frame');
  return { event: read.value.event, source: sourced('ttnew', call, read.value.fields) };
}

function fromLift(protocol: 'p100' | 'cpc-antenna'): Reader {
  return (code) => {
    // Alarm type and failure code; call type and data.
    const packet = encodePacket(code[0] ?? '', `12345678${code.slice(1, 4)}`);
    if (!packet.ok) throw new Error(packet.error.reason);
    const line = protocol === 'p100' ? packet.value : `04${code}12345678`;
    const read = (protocol === 'p100' ? p100Protocol() : cpcProtocol()).read(line);
    if (!read.ok || read.value.event === null) throw new Error(`${line} is no string of ${protocol}`);
    return { event: read.value.event, source: sourced(protocol, line, read.value.fields) };
  };
}

const siaTable = eventTable(SIA_EVENTS);
const fromSia: Reader = (code) => ({
  event: { controllerId: '12345678', deviceId: '42', ...siaTable.coded(code), audio: 'none', priority: 0 },
  source: sourced('dc09', code, { token: 'SIA-DCS', code }),
});
const fromCid =
  (protocol: 'dc09' | 'contactId'): Reader =>
  (code) => {
    const message = { qualifier: code[0] ?? '', event: code.slice(1), group: '01', zone: '042' };
    return { event: contactIdAlarm('12345678', message, 'none'), source: sourced(protocol, code, message) };
  };
const fromApi: Reader = (words) => {
  const [deviceType = '', statusCode = '', location] = words.split(' ');
  const event: AlarmEvent = {
    controllerId: '12345678',
    deviceId: '0042',
    deviceType: codedFrom('deviceType', deviceType),
    statusCode:
      statusCode === '' || statusCode === '-'
        ? { native: null, send: null, receive: null }
        : codedFrom('statusCode', statusCode),
    ...(location !== undefined && { location: codedFrom('location', location) }),
    audio: 'duplex',
    priority: 0,
  };
  return { event };
};

const IN: Readonly<Record<string, readonly [Reader, readonly string[]]>> = {
  api: [
    fromApi,
    [
      'personalTrigger alarmManual bedRoom',
      'fallDetector alarm',
      'smokeDetector alarm kitchen',
      'doorSensor open frontDoor',
      'localUnit lowBattery',
      'localUnit powerFailure',
      'heartbeat -',
      'personalTrigger cancel',
      'elevator alarmManual',
      'lock unauthorizedAccess',
    ],
  ],
  scaip: [
    fromScaip,
    [
      '<dty>0003</dty><stc>0010</stc><lco>022</lco>',
      '<dty>5</dty>',
      '<dty>0035</dty><stc>0010</stc>',
      '<dty>0004</dty><stc>0019</stc>',
      '<dty>0003</dty><stc>0016</stc><dco>002</dco>',
      '<dty>0002</dty><stc>0102</stc>',
      '<dty>0951</dty><stc>0931</stc>',
      '<dty>0003</dty><stc>0110</stc><dte>pendant</dte>',
      '<dty>0018</dty><stc>0009</stc><crd>no-voice:</crd>',
      '<mty>RE</mty><dty>0004</dty>',
    ],
  ],
  bs8521: [
    fromBs8521('bs8521'),
    [
      '01907900',
      '01001000',
      '01101000',
      '00000000',
      '05400007',
      '05800000',
      '09900000',
      '03100000',
      '02000900',
      '08500000',
    ],
  ],
  nowip: [
    fromBs8521('nowip'),
    [
      '01907900',
      '01001000',
      '01101000',
      '00000000',
      '05400007',
      '05800000',
      '09900000',
      '03100000',
      '02000900',
      '08500000',
    ],
  ],
  tt: [
    fromTt,
    ['D#1011', 'D#1012', 'D#1013', 'D#1014', 'D#1015', 'D#1016', 'D#1017', 'D#1018', 'D#2021', 'D#101A'],
  ],
  sia: [fromSia, ['BA', 'FA', 'QA', 'MA', 'PA', 'YT', 'AT', 'RP', 'AN', 'WH']],
  cid: [fromCid('dc09'), ['1101', '3101', '1100', '1110', '1131', '1301', '3301', '1602', '6401', '1999']],
  p100: [fromLift('p100'), ['1', '2100', '2101', '2102', '2110', '2150', '2200', '2500', '2999', '3']],
  cpc: [
    fromLift('cpc-antenna'),
    [
      '2700000',
      '2600000',
      '8400000',
      '9000000',
      '9000001',
      '1700000',
      '1700001',
      '9100000',
      '9100001',
      '100000000000000',
    ],
  ],
  contactId: [
    fromCid('contactId'),
    ['1101', '3101', '1100', '1110', '1131', '1301', '3301', '1602', '6401', '1999'],
  ],
};

type Writer = (one: Case) => string;
const digits =
  (form: typeof bs8521Form): Writer =>
  ({ event, source }) => {
    // Panels have accounts and zones; a controller of BS 8521 has four digits for its unit.
    const made = form(event, source === undefined ? {} : { source });
    return made.ok ? encodeBs8521(made.value).slice(16) : '-';
  };
const OUT: Readonly<Record<string, Writer>> = {
  scaip({ event, source }) {
    const made = scaipForm(event, { ref: '1', ...(source && { source }) });
    if (!made.ok) return '-';
    return encodeRequest(made.value)
      .replace(/^.*?<mrq>/s, '')
      .replace(/<\/mrq>\s*$|<(ref|cid|did)>[^<]*<\/\1>/g, '')
      .replace(/<(\w+)>([^<]*)<\/\1>\s*/g, '$1=$2 ')
      .trim();
  },
  bs8521: digits(bs8521Form),
  nowip({ event, source }) {
    const made = nowIpForm(event, source && { source });
    return made.ok ? `${made.value.type}:${made.value.data.slice(made.value.type === '1' ? 16 : 12)}` : '-';
  },
  tt({ event, source }) {
    const made = ttForm(event, source && { source });
    return made.ok ? made.value.slice(0, 6) : '-';
  },
  sia({ event, source }) {
    const made = dc09Form(event, { token: 'SIA-DCS', ...(source && { source }) });
    const read = made.ok ? decodeSia(made.value.data) : undefined;
    return read?.ok === true ? (read.value[0]?.code ?? '?') : '-';
  },
  cid({ event, source }) {
    const made = dc09Form(event, { token: 'ADM-CID', ...(source && { source }) });
    const read = made.ok ? decodeAdmCid(made.value.data) : undefined;
    return read?.ok === true ? `${read.value.qualifier}${read.value.event}` : '-';
  },
};

/** In, native, then one column for each protocol out. */
function table(): string {
  const lines = Object.entries(IN).flatMap(([name, [reader, codes]]) =>
    codes.map((code) => {
      const one = reader(code);
      return [name, code, ...Object.values(OUT).map((write) => write(one))].join(' | ');
    }),
  );
  return `in | native | ${Object.keys(OUT).join(' | ')}\n${lines.join('\n')}\n`;
}

const file = join(import.meta.dirname, 'conversion.txt');
const cells = table()
  .trim()
  .split('\n')
  .map((line) => line.split(' | '));

describe('conversion', () => {
  it('is that of the table, cell by cell', () => {
    expect(table()).toBe(readFileSync(file, 'utf8'));
  });

  it('covers ten events of every protocol', () => {
    for (const [, [, codes]] of Object.entries(IN)) expect(codes).toHaveLength(10);
    expect(cells).toHaveLength(1 + 10 * Object.keys(IN).length);
  });

  const rowsOf = (name: string) => cells.filter(([first]) => first === name);

  it('leaves the digits of BS 8521 and NOW-IP as they are', () => {
    for (const name of ['bs8521', 'nowip'])
      for (const [, native, , bs8521, nowip] of rowsOf(name))
        expect([bs8521, nowip]).toEqual([native, `1:${native}`]);
  });

  it('leaves the codes of SCAIP, TT, SIA and Contact ID as they are', () => {
    for (const [, native = '', scaip = ''] of rowsOf('scaip')) {
      for (const [, tag = '', code = ''] of native.matchAll(/<(dty|stc|lco|dco)>(\d+)</g))
        expect(scaip).toMatch(new RegExp(`${tag}=0*${Number(code)}\\b`));
    }
    for (const [, native, , , , tt] of rowsOf('tt')) expect(tt).toBe(native);
    for (const [, native, , , , , sia] of rowsOf('sia')) expect(sia).toBe(native);
    for (const name of ['cid', 'contactId'])
      for (const [, native, , , , , , cid] of rowsOf(name)) expect(cid).toBe(native);
  });

  it('never makes an alarm of a withdrawal, a test or a battery', () => {
    const harmless = /^(api|scaip)$/;
    const rows = cells.filter(
      ([name = '', native = '']) =>
        harmless.test(name) && /lowBattery|powerFailure|cancel|>0102<|>0016<|>0019</.test(native),
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const [, , , bs8521 = '', , tt = ''] of rows) {
      // The event is a withdrawal or a state of the system, or the status behind it says what it is.
      expect(bs8521).toMatch(/^(?:000|05\d)|0[4-9]$/);
      expect(tt).toMatch(/^(?:-|D#101[1-4])$/);
    }
  });

  it('says what the lifts say: alarms as alarms, tests as tests, the end of a rescue as no alarm', () => {
    const said = new Map(cells.map(([name, native, ...out]) => [`${name} ${native}`, out]));
    // Columns: scaip, bs8521, nowip, tt, sia, cid.
    for (const alarm of ['p100 1', 'cpc 2700000']) expect(said.get(alarm)?.[3]).toBe('D#1017');
    for (const test of ['p100 3', 'cpc 2600000'])
      expect(said.get(test)?.slice(3)).toEqual(['D#1012', 'RP', '1602']);
    expect(said.get('cpc 8400000')?.[3]).toBe('-');
  });

  it('looks up again what a mapping rule has changed', () => {
    const { event, source } = fromBs8521('bs8521')('01907900');
    const changed = { ...event, location: codedFrom('location', 'kitchen') };
    const made = bs8521Form(changed, source && { source });
    expect(made.ok && [made.value.event, made.value.location]).toEqual(['019', bs8521Place('kitchen')]);
  });
});

function bs8521Place(word: string): string {
  const made = bs8521Form({ ...fromApi('fixedTrigger alarm').event, location: codedFrom('location', word) });
  return made.ok ? made.value.location : '';
}
