import { describe, expect, it } from 'vitest';
import { sealContent } from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { explain } from '#appliance/explain/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { EXPLAINED } from '#installer/program.ts';
import { PROTOCOL_FAMILY } from '#shared/matching/index.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const read = (kind: Parameters<typeof explain>[0], content: Uint8Array, more: object = {}) => {
  const result = explain(kind, content, { key: undefined, aes: aesCbc, ...more });
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

describe('SCAIP', () => {
  it('a request is its fields and the event it means', () => {
    const mrq = '<mrq><ref>7</ref><cid>unit-1</cid><dty>0003</dty><stc>0010</stc><crd>sip:</crd></mrq>';
    expect(read('scaip', bytes(mrq))).toMatchObject({
      protocol: 'scaip',
      fields: { ref: '7', cid: 'unit-1', dty: '0003' },
      alarmEvent: {
        controllerId: 'unit-1',
        deviceType: 'personalTrigger',
        statusCode: 'alarmManual',
        audio: 'duplex',
      },
      warnings: [],
    });
  });

  it('a heartbeat is no event, an answer neither', () => {
    const beat = '<mrq><ref>7</ref><cid>u</cid><mty>PI</mty><dty>0002</dty></mrq>';
    expect(read('scaip', bytes(beat)).alarmEvent).toBeNull();
    expect(read('scaip', bytes('<mrs><ref>7</ref><snu>5</snu></mrs>'))).toMatchObject({
      fields: { ref: '7', snu: 5 },
      alarmEvent: null,
    });
  });

  it('explains a refusal as the receiver would answer', () => {
    expect(() => read('scaip', bytes('<mrq><cid>u</cid></mrq>'))).toThrow('snu 10');
    expect(() => read('scaip', bytes('hello'))).toThrow('snu 2');
  });
});

describe('DC-09', () => {
  const BODY = '"SIA-DCS"0001R2L3#1234[#1234|Nri1/FA001]_12:00:00,01-02-2026';

  it('a frame is its head, its data and the event', () => {
    const explained = read('dc09', encodeFrame(bytes(BODY)));
    expect(explained).toMatchObject({
      protocol: 'dc09',
      fields: { token: 'SIA-DCS', sequence: '0001', receiver: '2', line: '3', account: '1234' },
      check: { result: 'ok', lengthOk: true },
      alarmEvent: { controllerId: '1234', deviceId: '001', deviceType: 'fireAlarm', statusCode: 'alarm' },
      warnings: [],
    });
  });

  it('a wrong CRC and a wrong length are reported, and the rest is read', () => {
    const text = Buffer.from(encodeFrame(bytes(BODY))).toString('latin1');
    const explained = read('dc09', bytes(`\n0000${'0001'}${text.slice(9)}`));
    expect(explained.check).toMatchObject({ result: 'failed', crc: '0000', expected: text.slice(1, 5) });
    expect(explained.warnings).toEqual(['wrongCrc', 'length']);
    expect(explained.alarmEvent).toMatchObject({ controllerId: '1234' });
  });

  it('an encrypted frame needs its key', () => {
    const key = Buffer.alloc(16, 7);
    const sealing = { aes: aesCbc, random: (length: number) => new Uint8Array(length) };
    const sealed = sealContent('#1234|Nri1/BA002]_12:00:00,01-02-2026', { key, withData: true }, sealing);
    if (sealed === undefined) throw new Error('not sealed');
    const frame = encodeFrame(bytes(`"*SIA-DCS"0002L0#1234[${sealed}`));
    expect(read('dc09', frame)).toMatchObject({
      alarmEvent: null,
      warnings: [expect.stringContaining('--key')],
    });
    expect(read('dc09', frame, { key })).toMatchObject({ alarmEvent: { deviceId: '002' }, warnings: [] });
    expect(read('dc09', frame, { key: Buffer.alloc(16, 8) }).warnings).toHaveLength(1);
  });

  it('says what is no frame', () => {
    expect(() => read('dc09', bytes('hello'))).toThrow('no quote');
    expect(() => read('dc09', bytes('\n00000000"X"'))).toThrow('no bracket');
  });
});

describe('tones', () => {
  it.each([
    ['A01001234567800010100000000#', 'bs8521', { controllerId: '12345678', deviceId: '0001' }, 'notChecked'],
    ['D#1017123456******000000', 'tt92', { controllerId: '123456' }, 'notChecked'],
    ['1234181131010155', 'contactId', { controllerId: '1234', deviceId: '015' }, undefined],
    ['D1812345678 2D', 'p100', { controllerId: '12345678' }, 'ok'],
    ['042787654321', 'cpc-antenna', { controllerId: '87654321' }, 'notChecked'],
    ['*1*00*123456*7#', 'twon-text', { controllerId: '123456' }, 'notChecked'],
  ] as const)('%s is %s', (line, protocol, alarmEvent, result) => {
    const explained = read('tone', bytes(`${line}\n`), { protocol });
    expect(explained).toMatchObject({ protocol, alarmEvent });
    if (result !== undefined) expect(explained.check.result).toBe(result);
  });

  it('the protocol whose check fits is taken, and the others are named', () => {
    const { protocol, check, warnings } = read('tone', bytes('D18123456782D'));
    expect([protocol, check.result, warnings]).toEqual(['p100', 'ok', []]);
    const contactId = read('tone', bytes('1234 18 1131 01 015 5'));
    expect(contactId.protocol).toBe('contactId');
  });

  it('say what no protocol reads', () => {
    expect(() => read('tone', bytes('12'))).toThrow('reads 12');
    expect(() => read('tone', bytes('hello'))).toThrow('no string of tones');
    expect(() => read('tone', bytes('A01001234567800010100000000#'), { protocol: 'p100' })).toThrow(
      'no p100',
    );
  });
});

describe('RB2000, which a customer describes', () => {
  const profile = {
    enabled: true,
    frame: [
      ['controllerId', 4],
      ['eventCode', 2],
    ],
    eventTable: { '01': { deviceType: 'personalTrigger', statusCode: 'alarm' } },
  };

  it('is read by the profile of the receiver', () => {
    const { fields, alarmEvent } = read('rb2000', bytes('123401'), { profile });
    expect(fields).toMatchObject({ controllerId: '1234', eventCode: '01' });
    expect(alarmEvent).toMatchObject({ controllerId: '1234', deviceType: 'personalTrigger' });
  });

  it.each([
    [undefined, 'name the profile of the receiver by --profile'],
    [{ frame: 7 }, 'no profile of RB2000'],
  ])('%j is refused in words', (content, sentence) => {
    const result = explain('rb2000', bytes('123401'), { key: undefined, aes: aesCbc, profile: content });
    expect(result.ok ? '' : result.error.reason).toContain(sentence);
  });
});

it('every protocol that a receiver can have and that has frames can be taken apart', () => {
  // These have no frame: they name another protocol, or an alarm without one.
  const frameless = ['multiprotocol', 'deviceProvisioned', 'api', 'voicecall', 'call'];
  const kinds: readonly string[] = EXPLAINED;
  const all = Object.values(PROTOCOL_FAMILY).flat();
  expect(all.filter((name) => !frameless.includes(name) && !kinds.includes(name))).toEqual([]);
});
