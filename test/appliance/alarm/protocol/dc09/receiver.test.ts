import { describe, expect, it } from 'vitest';
import {
  DC09_PROFILE,
  dc09Profile,
  encodeAdmCid,
  encodeContent,
  encodeMessage,
  encodeSia,
  encodeTimestamp,
  LinkTable,
  nextSequence,
  sealContent,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { framed, sealing, TestReceiver } from './panel.ts';

const KEY = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex');
const OTHER_KEY = Buffer.alloc(16, 1);
const ALARM = framed('"SIA-DCS"0001L0#1234[#1234|Nri1/QA001]');
const MINUTE = 60_000;

function sealed(
  receiver: TestReceiver,
  given: { key?: Buffer; offsetMs?: number; data?: string; token?: string } = {},
) {
  const { key = KEY, offsetMs = 0, data = '#1234|Nri1/QA001', token = 'SIA-DCS' } = given;
  const content = encodeContent({ data, timeMs: receiver.wallMs + offsetMs });
  const cipher = sealContent(content, { key, withData: token !== 'NULL' }, sealing);
  return encodeFrame(
    encodeMessage({ token, encrypted: true, sequence: '0004', line: '0', account: '1234' }, cipher ?? ''),
  );
}

const tokensOf = (receiver: TestReceiver) => receiver.of('answer').map(({ token }) => token);

describe('store before acknowledge', () => {
  it('says nothing until the event is on the disk', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    expect(receiver.send(ALARM)).toEqual([]);
    const [event] = receiver.of('event');
    expect(event).toMatchObject({ ordinal: 0, kind: 'first', offer: { voice: false } });
    expect(receiver.settle(event as never, 'stored')).toHaveLength(1);
    // The same fact twice says nothing twice.
    expect(receiver.settle(event as never, 'stored')).toEqual([]);
  });

  it('stays silent when the disk fails, and hears the repeat as new', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'fails';
    expect(receiver.send(ALARM)).toEqual([]);
    expect(receiver.of('silence')).toMatchObject([{ to: ['w'] }]);
    receiver.disk = 'stores';
    expect(receiver.send(ALARM)).toHaveLength(1);
    expect(receiver.of('event')).toHaveLength(2);
  });

  it('answers everyone who asked while the disk was busy', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    receiver.send(ALARM, 'a');
    receiver.send(ALARM, 'b');
    receiver.send(ALARM, 'b');
    expect(receiver.of('event')).toHaveLength(1);
    receiver.settle(receiver.of('event')[0] as never, 'stored');
    expect(receiver.of('answer')).toMatchObject([{ to: ['a', 'b'], token: 'ACK' }]);
  });

  it('says nothing to a panel that waits no more, and acknowledges what it repeats without an event', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    receiver.send(ALARM, 'gone');
    receiver.at += 5_001;
    receiver.send(ALARM, 'again');
    const [event] = receiver.of('event');
    expect(receiver.settle(event as never, 'stored')).toHaveLength(1);
    expect(receiver.of('answer')).toMatchObject([{ to: ['again'], token: 'ACK' }]);
    expect(receiver.of('silence')).toMatchObject([{ to: ['gone'] }]);

    const alone = new TestReceiver();
    alone.disk = 'waits';
    alone.send(ALARM);
    alone.at += 5_001;
    expect(alone.settle(alone.of('event')[0] as never, 'stored')).toEqual([]);
    expect(alone.send(ALARM)).toHaveLength(1);
    expect(alone.of('event')).toHaveLength(1);
  });

  it('acknowledges what is stored while the panel waits', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    receiver.send(ALARM);
    receiver.at += 5_000;
    expect(receiver.settle(receiver.of('event')[0] as never, 'stored')).toHaveLength(1);
  });

  it('acknowledges a frame of several events when all are stored', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    receiver.send(framed('"SIA-DCS"0002L0#1234[#1234|Nti10:11/ri2/FA0012/id7/BA3^kitchen^]'));
    const events = receiver.of('event');
    expect(events.map(({ kind, source }) => [kind, source.fields])).toMatchObject([
      ['first', { code: 'FA', zone: '0012', area: '2', text: 'kitchen', modifiers: { ti: '10:11' } }],
      ['further', { code: 'BA', zone: '3', modifiers: { id: '7' } }],
    ]);
    expect(receiver.settle(events[1] as never, 'stored')).toEqual([]);
    expect(receiver.settle(events[0] as never, 'stored')).toHaveLength(1);
  });
});

describe('the same frame again', () => {
  it('is acknowledged without an event for ten minutes, then it is new', () => {
    const receiver = new TestReceiver();
    receiver.send(ALARM);
    receiver.at += 9 * MINUTE;
    expect(receiver.send(ALARM)).toHaveLength(1);
    expect(receiver.of('event')).toHaveLength(1);
    receiver.at += MINUTE;
    receiver.send(ALARM);
    expect(receiver.of('event')).toHaveLength(2);
    expect(tokensOf(receiver)).toEqual(['ACK', 'ACK', 'ACK']);
  });

  it('is another one with another account, sequence, content or destination', () => {
    const receiver = new TestReceiver();
    receiver.send(ALARM);
    receiver.send(framed('"SIA-DCS"0001L0#1235[#1235|Nri1/QA001]'));
    receiver.send(framed('"SIA-DCS"0002L0#1234[#1234|Nri1/QA001]'));
    receiver.send(framed('"SIA-DCS"0001L0#1234[#1234|Nri1/QA002]'));
    receiver.setting = { ...receiver.setting, scope: 't' };
    receiver.send(ALARM);
    expect(receiver.of('event')).toHaveLength(5);
  });

  it('is acknowledged although its time is old by now', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    const frame = sealed(receiver);
    receiver.send(frame);
    receiver.wallMs += 5 * MINUTE;
    receiver.at += 5 * MINUTE;
    receiver.send(frame);
    expect(tokensOf(receiver)).toEqual(['ACK', 'ACK']);
    expect(receiver.of('event')).toHaveLength(1);
  });

  it('is known after a restart, and nothing kept is a key', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    const frame = sealed(receiver);
    receiver.send(frame);
    const link = receiver.of('event')[0]?.link ?? '';
    const kept = JSON.stringify(receiver.links.keep(link, receiver.at + MINUTE));
    expect(kept).not.toContain('key');

    const after = new TestReceiver();
    after.setting = receiver.setting;
    after.at = 5;
    after.links.restore(link, JSON.parse(kept), after.at);
    after.at += 8 * MINUTE;
    after.send(frame);
    expect(after.of('event')).toEqual([]);
    after.at += 2 * MINUTE;
    after.send(frame);
    expect(after.of('event')).toHaveLength(1);
  });

  it('is forgotten with its account: heartbeats cost no memory', () => {
    const receiver = new TestReceiver();
    for (let n = 0; n < 500; n++) receiver.send(framed(`"NULL"0000L0#${n.toString(16)}[]`));
    expect(receiver.links.size).toBe(0);
    for (let n = 0; n < 500; n++) receiver.send(framed(`"ADM-CID"0001L0#${n.toString(16)}[|1110 01 001]`));
    expect(receiver.links.size).toBe(500);
    receiver.at += 10 * MINUTE;
    receiver.send(ALARM);
    expect(receiver.links.size).toBe(1);
  });

  it('is one of at most 64 of an account', () => {
    const receiver = new TestReceiver();
    for (let n = 1; n <= 100; n++) {
      receiver.send(framed(`"ADM-CID"${String(n).padStart(4, '0')}L0#1234[|1110 01 001]`));
    }
    const kept = receiver.links.keep(receiver.of('event')[0]?.link ?? '', receiver.at);
    expect(kept?.taken.length).toBeLessThanOrEqual(65);
  });
});

describe('keys', () => {
  it('a wrong one: DUH and authError, no event', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    expect(receiver.send(sealed(receiver, { key: OTHER_KEY }))).toEqual([
      expect.stringContaining('"DUH"0004L0#1234[]'),
    ]);
    receiver.send(sealed(receiver, { key: OTHER_KEY, token: 'NULL' }));
    expect(receiver.of('authError')).toHaveLength(2);
    expect([receiver.of('event'), receiver.of('alive')]).toEqual([[], []]);
  });

  it('none: DUH and authError', () => {
    const receiver = new TestReceiver();
    receiver.send(sealed(receiver));
    expect([tokensOf(receiver), receiver.of('authError').length]).toEqual([['DUH'], 1]);
  });

  it('a plain frame beside a key is taken with a warning, or refused where encryption is required', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    receiver.send(ALARM);
    expect(receiver.of('event')[0]?.source.warnings).toEqual(['unencrypted']);
    expect(tokensOf(receiver)).toEqual(['ACK']);
    receiver.setting = { ...receiver.setting, encryptionRequired: true };
    receiver.send(framed('"SIA-DCS"0002L0#1234[#1234|Nri1/QA001]'));
    receiver.send(framed('"NULL"0000L0#1234[]'));
    expect([tokensOf(receiver), receiver.of('authError').length]).toEqual([['ACK', 'DUH', 'DUH'], 3]);
  });

  it('broken cipher text is no wrong key', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    receiver.send(framed('"*SIA-DCS"0001L0#1234[0123]'));
    expect([tokensOf(receiver), receiver.of('authError')]).toEqual([['DUH'], []]);
  });
});

describe('time', () => {
  it.each([
    [20_000, 'ACK'],
    [21_000, 'NAK'],
    [-40_000, 'ACK'],
    [-41_000, 'NAK'],
  ])('a frame %i ms off gets %s', (offsetMs, token) => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, key: KEY };
    const [answer] = receiver.send(sealed(receiver, { offsetMs }));
    expect(tokensOf(receiver)).toEqual([token]);
    if (token === 'NAK') expect(answer).toContain(`"NAK"0000R0L0A0[]${encodeTimestamp(receiver.wallMs)}`);
    expect(receiver.of('event')).toHaveLength(token === 'ACK' ? 1 : 0);
  });

  it('counts in a plain frame only where the profile says so', () => {
    const old = framed('"SIA-DCS"0010L0#AAA[|Nri1/CL501]_14:12:04,09-25-2019');
    const receiver = new TestReceiver();
    receiver.send(old);
    receiver.setting = { scope: 't', profile: dc09Profile({ timeWindowUnencrypted: 'on' }) };
    receiver.send(old);
    receiver.setting = { ...receiver.setting, scope: 'u', timeWindowS: { ahead: 0, behind: 1e9 } };
    receiver.send(old);
    expect(tokensOf(receiver)).toEqual(['ACK', 'NAK', 'ACK']);
    expect(receiver.of('wrongTime')).toMatchObject([
      { account: 'AAA', reason: expect.stringContaining('ours') },
    ]);
  });
});

describe('supervision', () => {
  it('every frame that was taken is a sign of life, repeats too', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, supervisionIntervalMs: 60_000 };
    receiver.send(framed('"NULL"0000L0#1234[]'));
    receiver.send(ALARM);
    receiver.send(ALARM);
    receiver.send(framed('"VIS-XXX"0011L0#1234[#1234|whatever]'));
    expect(receiver.of('alive').map(({ account, silenceAllowedMs }) => [account, silenceAllowedMs])).toEqual([
      ['1234', 90_000],
      ['1234', 90_000],
      ['1234', 90_000],
    ]);
  });

  it.each([
    [1000, 60_000],
    [3_600_000, 4_320_000],
    [1e12, 108_000_000],
  ])('an interval of %i ms allows %i ms of silence', (supervisionIntervalMs, allowed) => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, supervisionIntervalMs };
    receiver.send(framed('"NULL"0000L0#1234[]'));
    expect(receiver.of('alive')[0]?.silenceAllowedMs).toBe(allowed);
  });

  it('a NULL with data stays a NULL', () => {
    const receiver = new TestReceiver();
    expect(receiver.send(framed('"NULL"0000L0#1234[#1234|any]'))).toHaveLength(1);
    expect(receiver.of('event')).toEqual([]);
  });
});

describe('a frame that cannot be processed gets DUH', () => {
  it.each([
    ['exchange of keys', '"SIA-DCS"0001L0#1234[#1234|Nri1/QA001][KABC]'],
    ['no event in the data', '"SIA-DCS"0001L0#1234[#1234|Nri1]'],
    ['no bar', '"SIA-DCS"0001L0#1234[QA001]'],
    ['no Contact ID', '"ADM-CID"0001L0#1234[#1234|113 01 015]'],
    ['data that names no event and has no end', '"SIA-DCS"0001L0#1234[#1234|Nri1'],
  ])('%s', (_, body) => {
    const receiver = new TestReceiver();
    expect(receiver.send(framed(body))).toEqual([expect.stringContaining('"DUH"0001L0#1234[]')]);
    expect(receiver.of('event')).toEqual([]);
    expect(receiver.of('rejected')).toMatchObject([{ account: '1234' }]);
  });

  it('a frame without a token between quotes gets a DUH that names no frame', () => {
    const receiver = new TestReceiver();
    expect(receiver.send(framed('"0001L0#1234[]'))).toEqual([expect.stringContaining('"DUH"0000R0L0A0[]')]);
    expect(receiver.of('rejected')).toMatchObject([{ account: '', link: null }]);
  });

  it('a wrong length, where the profile rejects it, is a broken frame: silence', () => {
    const receiver = new TestReceiver();
    receiver.setting = { ...receiver.setting, profile: { ...DC09_PROFILE, lengthPolicy: 'reject' } };
    const wrong = Buffer.from('\n41B70099"ADM-CID"0013L0#1234[#1234|1110 01 002]\r', 'latin1');
    expect(receiver.send(wrong)).toEqual([]);
  });
});

describe('events in words of the lists', () => {
  const eventOf = (body: string) => {
    const receiver = new TestReceiver();
    receiver.send(framed(body));
    const [effect] = receiver.of('event');
    const { event, source } = effect ?? {};
    return [event?.deviceType.receive, event?.statusCode.receive, event?.deviceId, source?.warnings];
  };
  it.each([
    ['"SIA-DCS"0001L0#1234[#1234|Nri1/AT0]', ['systemMonitor', 'fault', '0', []]],
    ['"SIA-DCS"0001L0#1234[#1234|NBA015]', ['intruderDetector', 'alarm', '015', []]],
    ['"SIA-DCS"0001L0#1234[#1234|Nri1/CL501]', [null, null, '501', []]],
    ['"SIA-DCS"0001L0#1234[#1234|Nri1/QQ]', [null, null, undefined, ['unknownCode:code']]],
    ['"SIA-DCS"0001L0#1234[#9999|Nri1/AT0]', ['systemMonitor', 'fault', '0', ['accountMismatch']]],
    ['"SIA-DCS"0001L0[|Nri1/AT0]', ['systemMonitor', 'fault', '0', ['noAccount']]],
    ['"ADM-CID"0001L0#1234[#1234|3101 00 001]', ['personalTrigger', 'normal', '001', []]],
    ['"ADM-CID"0001L0#1234[#1234|3301 00 000]', ['systemMonitor', 'faultRectified', '000', []]],
    ['"ADM-CID"0001L0#1234[#1234|6110 00 002]', ['fireAlarm', 'alarm', '002', ['statusReport']]],
    ['"ADM-CID"0001L0#1234[#1234|1999 00 002]', [null, null, '002', ['unknownCode:event']]],
    ['"ADM-CID"0001#1234[#1234|1110 00 002]_99:00:00,01-01-2026', ['fireAlarm', 'alarm', '002', ['time']]],
  ])('%s', (body, expected) => {
    expect(eventOf(body)).toEqual(expected);
  });

  it('a medical alarm is not forwarded as an absence', () => {
    const receiver = new TestReceiver();
    receiver.send(framed('"ADM-CID"0001L0#1234[#1234|1100 00 001]'));
    expect(receiver.of('event')[0]?.event).toMatchObject({
      deviceType: { receive: 'personalTrigger' },
      statusCode: { receive: 'alarmManual', send: null },
    });
  });

  it('are read as they are written', () => {
    const receiver = new TestReceiver();
    const sia = encodeSia({ account: '1234', area: '1', code: 'QA', zone: '42', text: 'a|b]' });
    const cid = encodeAdmCid('1234', { qualifier: '1', event: '101', group: '01', zone: '042' });
    const content = (data: string) =>
      encodeContent({ data, xdata: [{ id: 'L', text: 'Küche €' }], timeMs: receiver.wallMs });
    const form = { sequence: nextSequence('9999'), receiver: 'A1', line: '0', account: '1234' };
    receiver.send(encodeFrame(encodeMessage({ ...form, token: 'SIA-DCS' }, content(sia))));
    receiver.send(encodeFrame(encodeMessage({ ...form, token: 'ADM-CID' }, content(cid))));
    const [first, second] = receiver.of('event');
    expect(first?.source.fields).toMatchObject({
      sequence: '0001',
      receiver: 'A1',
      code: 'QA',
      zone: '42',
      text: 'ab',
      xdata: [{ id: 'L', key: 'location', text: 'Küche €' }],
      time: '2026-09-25T14:12:04.000Z',
    });
    expect(second?.source.fields).toMatchObject({ qualifier: '1', event: '101', group: '01', zone: '042' });
  });
});

it('a table of links takes facts about links it does not know', () => {
  const links = new LinkTable(sealing);
  expect(links.input('nobody', { type: 'stored', at: 0, wallMs: 0, frame: 'x', ordinal: 0 })).toEqual([]);
});
