import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  encodeContent,
  encodeMessage,
  encodeTimestamp,
  sealContent,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { seededBytes } from '#test/effect/effect-log.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { framed, panelAt, sealedFrame, siaFrame } from '#test/support/panel.ts';

/** Keys that are the same in each run. */
const keyBytes = seededBytes('keys');

/*
 * Damaged frames of security panels, through the whole appliance: an alarm with a warning results, or a person
 * hears what was lost, never silence; and the panel is answered as DC-09 says.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let panel: ReturnType<typeof panelAt>;
const KEY = keyBytes(32);

/** Events on the alarm topic of the site. */
const topic: unknown[] = [];

beforeEach(async () => {
  topic.splice(0);
  const tell = (kind: string, event: unknown) => topic.push([kind, event]);
  site = await testAppliance({ queue: { urlOf: (kind) => `mqtts://box/cmd/${kind}`, tell } });
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '^R[^#]*#' });
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
  panel = panelAt(site);
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space'))).toEqual([]);
  await site.close();
});

const keyed = (more: Record<string, unknown> = {}) =>
  site.device({
    deviceId: '1234',
    serviceData: { alarmBridge: { dc09: { key: KEY.toString('hex'), ...more } } },
  });

interface Report {
  readonly sessionId: string;
  readonly possibleRepeatOf?: string;
  readonly alarmEvent: Readonly<Record<string, unknown>>;
  readonly sourceAlarmEvent: { readonly warnings: readonly string[] };
}
const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);
const warnings = () => reported().map(({ sourceAlarmEvent }) => sourceAlarmEvent.warnings);

/** Platform alarms for a person, by type or error. */
const person = () =>
  site.posted
    .filter(({ target }) => target.url.endsWith('/alarms'))
    .map(({ body }) => String(body.error ?? body.type))
    .filter((what) => what !== 'unknownDevice');

/** The panel says this; what it is answered. */
async function says(...frames: readonly Uint8Array[]): Promise<string[]> {
  for (const frame of frames) panel.send(frame);
  await site.quiet();
  return panel.said.splice(0);
}

const ACK = '"ACK"0001L0#1234[]';
const DUH = '"DUH"0001L0#1234[]';

describe('a frame that is taken, with a warning', () => {
  const body = '"SIA-DCS"0001L0#1234[#1234|NBA1]';
  it.each([
    ['an unknown SIA code', siaFrame('0001', 'NQQ1'), ['unknownCode:code']],
    ['an unknown Contact ID event', framed('"ADM-CID"0001L0#1234[#1234|1999 01 001]'), ['unknownCode:event']],
    ['another account in its data', framed('"SIA-DCS"0001L0#1234[#9999|NBA1]'), ['accountMismatch']],
    ['unknown extended data', framed('"SIA-DCS"0001L0#1234[#1234|NBA1][Qabc]'), ['unknownCode:xdataQ']],
    ['data without its end', framed('"SIA-DCS"0001L0#1234[#1234|NBA1'), ['bracket']],
    ['data without its bar', framed('"ADM-CID"0001L0#1234[113101015]'), []],
    ['a time that cannot be read', framed('"SIA-DCS"0001L0#1234[#1234|NBA1]_99:99:99,77-77-2026'), ['time']],
    [
      'a wrong length',
      Buffer.from(
        Buffer.from(framed(body))
          .toString('latin1')
          .replace(/^(\n....)0.../, '$10FFF'),
        'latin1',
      ),
      ['length'],
    ],
  ])('%s', async (_, frame, expected) => {
    expect(await says(frame)).toEqual([ACK]);
    expect(warnings()).toEqual([expected]);
  });

  it('no account at all', async () => {
    expect(await says(framed('"SIA-DCS"0001L0[|NBA1]'))).toEqual(['"ACK"0001L0[]']);
    expect(warnings()).toEqual([['noAccount']]);
    expect(reported()).toMatchObject([{ alarmEvent: { controllerId: '0' } }]);
  });

  it('plain, of an account that has a key: a wrongly set panel does not fall silent', async () => {
    keyed();
    expect(await says(siaFrame('0001', 'NBA1'))).toEqual([ACK]);
    expect(warnings()).toEqual([['unencrypted']]);
    expect(person()).toEqual(['authError']);
  });

  it.each([1_400, 4_000])('%i bytes of text', async (length) => {
    expect(await says(siaFrame('0001', `NBA1^${'y'.repeat(length)}^`))).toEqual([ACK]);
    expect(reported()).toHaveLength(1);
  });

  it('an unknown unit: reported once, and its alarms are handled', async () => {
    expect(await says(siaFrame('0001', 'NBA1'), siaFrame('0002', 'NFA1'))).toHaveLength(2);
    expect(reported()).toHaveLength(2);
    const unknown = site.posted.filter(({ body: said }) => said.type === 'unknownDevice');
    expect(unknown).toMatchObject([
      { body: { deviceId: expect.stringContaining('1234'), protocol: 'dc09' } },
    ]);
  });
});

describe('a frame that is not taken', () => {
  it.each([
    ['an unknown token', '"VIS-XXX"0001L0#1234[#1234|whatever]'],
    ['data that names no event', '"SIA-DCS"0001L0#1234[#1234|Nri1]'],
    ['data without a bar', '"ADM-CID"0001L0#1234[1131 01]'],
    ['an exchange of keys', '"SIA-DCS"0001L0#1234[#1234|NBA1][KABC]'],
  ])('%s: DUH, and a person learns what was lost, once', async (_, body) => {
    expect(await says(framed(body), framed(body))).toEqual([DUH, DUH]);
    expect(reported()).toEqual([]);
    expect(person()).toEqual(['dc09Rejected']);
    const [alarm] = site.posted.filter(({ body: said }) => said.error === 'dc09Rejected');
    expect(alarm?.body).toMatchObject({
      deviceId: '1234',
      alarmBridgeId: 'bridge-1',
      errorDetails: { account: '1234', sourceIp: '192.0.2.60', reason: expect.stringMatching(/\w/) },
    });
  });

  it('a frame without a token: a DUH that names no frame, and a person learns from where it came', async () => {
    expect(await says(framed('"0001L0#1234[#1234|NBA1]'))).toEqual(['"DUH"0000R0L0A0[]']);
    expect(person()).toEqual(['dc09Rejected']);
  });

  it('a wrong key: DUH and authError; with the right one it is an alarm', async () => {
    keyed();
    const now = site.clock.wallMs();
    expect(await says(sealedFrame(keyBytes(32), '0001', 'NFA1', now))).toEqual([DUH]);
    expect([reported(), person()]).toEqual([[], ['authError']]);
    const error = {
      deviceId: '1234',
      method: 'DC-09 tcp',
      requestUri: 'RL0#1234',
      reason: expect.any(String),
    };
    expect(topic).toEqual([['alarm', { event: 'authError', domain: 'care.example', ...error }]]);
    expect(site.posted.filter(({ body }) => body.type === 'authError')).toMatchObject([{ body: error }]);
    expect(await says(sealedFrame(KEY, '0001', 'NFA1', now))).toHaveLength(1);
    expect(warnings()).toEqual([[]]);
  });

  it('a key of another length, and no key here: DUH and authError', async () => {
    const sealed = sealedFrame(KEY, '0001', 'NFA1', site.clock.wallMs());
    expect(await says(sealed)).toEqual([DUH]);
    keyed({ key: keyBytes(16).toString('hex') });
    expect(await says(sealed)).toEqual([DUH]);
    expect([reported(), person()]).toEqual([[], ['authError']]);
  });

  it('plain where encryption is required: DUH and authError', async () => {
    keyed({ encryptionRequired: true });
    expect(await says(siaFrame('0001', 'NBA1'))).toEqual([DUH]);
    expect([reported(), person()]).toEqual([[], ['authError']]);
  });

  it.each([-3_600_000, -41_000, 21_000, 3_600_000])(
    'a clock that is %i ms off: NAK with our time; the panel that sets its clock is accepted',
    async (offMs) => {
      keyed();
      const now = site.clock.wallMs();
      expect(await says(sealedFrame(KEY, '0001', 'NFA1', now + offMs))).toEqual([
        `"NAK"0000R0L0A0[]${encodeTimestamp(now)}`,
      ]);
      expect([reported(), person()]).toEqual([[], []]);
      expect((await says(sealedFrame(KEY, '0001', 'NFA1', now)))[0]).toMatch(/^"\*ACK"0001L0#1234\[/);
      expect([reported().length, person()]).toEqual([1, []]);
    },
  );

  it('a clock that the panel does not set: a person is notified at its second NAK, and of a later one again', async () => {
    keyed();
    const late = (sequence: string) => sealedFrame(KEY, sequence, 'NFA1', site.clock.wallMs() - 3_600_000);
    for (const sequence of ['0001', '0001', '0001']) expect((await says(late(sequence)))[0]).toContain('NAK');
    expect(person()).toEqual(['dc09Rejected']);
    // It was set by hand, and is wrong again.
    expect(await says(sealedFrame(KEY, '0002', 'NFA1', site.clock.wallMs()))).toHaveLength(1);
    await site.after(601_000);
    await says(late('0003'));
    expect(person()).toEqual(['dc09Rejected']);
    await says(late('0003'));
    expect(person()).toEqual(['dc09Rejected', 'dc09Rejected']);
  });

  it('a clock that the panel does not set, and it says nothing more: a person is notified after a minute, once', async () => {
    keyed();
    const late = sealedFrame(KEY, '0001', 'NFA1', site.clock.wallMs() - 3_600_000);
    expect((await says(late))[0]).toContain('NAK');
    await site.after(59_000);
    expect(person()).toEqual([]);
    await site.after(2_000);
    expect(person()).toEqual(['dc09Rejected']);
    const [alarm] = site.posted.filter(({ body }) => body.error === 'dc09Rejected');
    expect(alarm?.body).toMatchObject({
      deviceId: '1234',
      alarmBridgeId: 'bridge-1',
      errorDetails: { account: '1234', reason: expect.stringMatching(/NAK.* has said nothing within 60 s/) },
    });
    await site.after(900_000);
    expect(person()).toEqual(['dc09Rejected']);
  });

  it('a wrong CRC, a torn frame or one of more than 8 KiB: silence; what is said again is an alarm', async () => {
    const whole = Buffer.from(siaFrame('0001', 'NBA1'));
    const wrong = Buffer.from(whole);
    wrong[1] = wrong[1] === 0x30 ? 0x31 : 0x30;
    expect(await says(wrong)).toEqual([]);
    expect(await says(whole.subarray(0, 20))).toEqual([]);
    expect(await says(Buffer.from(siaFrame('0001', `NBA1^${'y'.repeat(9_000)}^`)))).toEqual([]);
    expect(reported()).toEqual([]);
    expect(await says(whole)).toEqual([ACK]);
    expect(reported()).toHaveLength(1);
  });
});

describe('an account that is written otherwise than it is provisioned', () => {
  const provisioned = (deviceId: string) =>
    site.device({ deviceId, serviceData: { alarmBridge: { dc09: { key: KEY.toString('hex') } } } });
  /** A frame under the key, whose head and data name these accounts. */
  function sealed(head: string, data: string): Uint8Array {
    const content = encodeContent({ data: `#${data}|NBA1`, timeMs: site.clock.wallMs() });
    const hex = sealContent(content, { key: KEY, withData: true }, { aes: aesCbc, random: keyBytes }) ?? '';
    const form = { token: 'SIA-DCS', encrypted: true, sequence: '0001', line: '0', account: head };
    return encodeFrame(encodeMessage(form, hex));
  }

  it.each([
    ['small letters', '6BBB', '6bbb', '6bbb'],
    ['leading zeros in its data', '6BBB', '6BBB', '006BBB'],
    ['leading zeros in its head', '6BBB', '006BBB', '6BBB'],
    ['no leading zeros', '006BBB', '6BBB', '6BBB'],
  ])('has its key, and no warning, with %s', async (_, deviceId, head, data) => {
    provisioned(deviceId);
    expect((await says(sealed(head, data)))[0]).toMatch(new RegExp(`^"\\*ACK"0001L0#${head}\\[`));
    expect(warnings()).toEqual([[]]);
    expect(site.posted.filter(({ body }) => body.type === 'unknownDevice')).toEqual([]);
  });

  it('belongs to the device that has it exactly', async () => {
    site.device({ deviceId: '6bbb' });
    provisioned('6BBB');
    expect((await says(sealed('6BBB', '6BBB')))[0]).toMatch(/"\*ACK"/);
    expect(warnings()).toEqual([[]]);
  });

  it('belongs to no device where two may be meant', async () => {
    provisioned('06BBB');
    provisioned('006BBB');
    expect(await says(sealed('6bbb', '6bbb'))).toEqual(['"DUH"0001L0#6bbb[]']);
    expect(person()).toEqual(['authError']);
  });

  it('is looked up no more when its device was removed', async () => {
    provisioned('6BBB');
    site.tenant.remove('device', '6BBB');
    expect(await says(sealed('6bbb', '6bbb'))).toEqual(['"DUH"0001L0#6bbb[]']);
  });
});

describe('data that names no event', () => {
  const UNREADABLE = '"SIA-DCS"0001L0#1234[#1234|Nri1]';
  const DAY_MS = 86_400_000;

  it('is acknowledged for a provisioned account and delivered as unknown, with its raw text', async () => {
    site.device({ deviceId: '1234' });
    expect(await says(framed(UNREADABLE))).toEqual([ACK]);
    expect(reported()).toMatchObject([
      {
        alarmEvent: { controllerId: '1234', deviceType: 'unknown', statusCode: 'unknown' },
        sourceAlarmEvent: { raw: UNREADABLE, warnings: ['unreadable'], fields: { data: '#1234|Nri1' } },
      },
    ]);
    const [alarm] = site.posted.filter(({ body }) => body.error === 'dc09Unreadable');
    expect(alarm?.body).toMatchObject({
      type: 'serviceAlarm',
      deviceId: '1234',
      alarmBridgeId: 'bridge-1',
      errorDetails: { account: '1234', raw: UNREADABLE, reason: 'the data field names no event' },
    });
  });

  it.each([
    ['no data', '"ADM-CID"0001L0#1234[]'],
    ['no bar', '"SIA-DCS"0001L0#1234[QA001]'],
    ['half a Contact ID', '"ADM-CID"0001L0#1234[#1234|1131 01]'],
    ['data of some other format', '"SIA-DCS"0001L0#1234[#1234|{"zone":1}]'],
  ])('is delivered, too, with %s', async (_, body) => {
    site.device({ deviceId: '1234' });
    expect(await says(framed(body))).toEqual([ACK]);
    expect(warnings()).toEqual([['unreadable']]);
  });

  it('raises one platform alarm per account and day', async () => {
    site.device({ deviceId: '1234' });
    site.device({ deviceId: '1235' });
    const say = (sequence: string, account: string) =>
      says(framed(`"SIA-DCS"${sequence}L0#${account}[#${account}|Nri1]`));
    await say('0001', '1234');
    await say('0002', '1234');
    await say('0001', '1235');
    expect(person()).toEqual(['dc09Unreadable', 'dc09Unreadable']);
    await site.after(DAY_MS - 60_000);
    await say('0003', '1234');
    expect(person()).toHaveLength(2);
    await site.after(60_000);
    await say('0004', '1234');
    expect(person()).toHaveLength(3);
    expect(reported()).toHaveLength(5);
  });

  it('under the key of the account is delivered', async () => {
    keyed();
    const [answer] = await says(sealedFrame(KEY, '0001', 'Nri1', site.clock.wallMs()));
    expect(answer).toMatch(/^"\*ACK"0001L0#1234\[/);
    expect(warnings()).toEqual([['unreadable']]);
  });

  it.each([
    ['the account is not provisioned', undefined, UNREADABLE],
    ['its device has deliverUnreadable off', { deliverUnreadable: false }, UNREADABLE],
    ['its token is another', {}, '"VIS-XXX"0001L0#1234[#1234|Nri1]'],
    ['it exchanges keys', {}, '"SIA-DCS"0001L0#1234[#1234|Nri1][KABC]'],
    ['it must be encrypted', { key: KEY.toString('hex'), encryptionRequired: true }, UNREADABLE],
  ])('gets DUH where %s', async (_, dc09, body) => {
    if (dc09 !== undefined) site.device({ deviceId: '1234', serviceData: { alarmBridge: { dc09 } } });
    expect(await says(framed(body))).toEqual([DUH]);
    expect(reported()).toEqual([]);
    expect(person()).toHaveLength(1);
  });

  it('gets DUH where the receiver has deliverUnreadable off', async () => {
    site.bridge({
      protocol: 'dc09',
      name: 'Panels',
      destinationMatch: '^R[^#]*#',
      dc09: { deliverUnreadable: false },
    });
    site.device({
      deviceId: '1234',
      serviceData: { alarmBridge: { dc09: { supervisionInterval: 60_000 } } },
    });
    expect(await says(framed(UNREADABLE))).toEqual([DUH]);
    expect(person()).toEqual(['dc09Rejected']);
  });
});

describe('two panels with one account', () => {
  it('are both accepted, each answered on its own connection', async () => {
    const other = panelAt(site, 'tcp 2', '192.0.2.61');
    panel.send(siaFrame('0001', 'NBA1'));
    other.send(siaFrame('0007', 'NFA2'));
    await site.quiet();
    expect([panel.said, other.said]).toEqual([[ACK], ['"ACK"0007L0#1234[]']]);
    expect(new Set(reported().map(({ sessionId }) => sessionId)).size).toBe(2);
  });

  it('that say the same under the same number from one address are one panel with two connections: acknowledged on both', async () => {
    const other = panelAt(site, 'tcp 2');
    panel.send(siaFrame('0001', 'NBA1'));
    other.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    expect([panel.said, other.said]).toEqual([[ACK], [ACK]]);
    expect(reported()).toHaveLength(1);
  });

  it('that say the same from two addresses are two alarms: the second is a possible repeat', async () => {
    const other = panelAt(site, 'tcp 2', '192.0.2.61');
    panel.send(siaFrame('0001', 'NBA1'));
    other.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    expect([panel.said, other.said]).toEqual([[ACK], [ACK]]);
    const [first, second] = reported();
    expect([first?.possibleRepeatOf, second?.possibleRepeatOf]).toEqual([undefined, first?.sessionId]);
    expect(reported()).toHaveLength(2);
  });
});

describe('a panel that hangs up', () => {
  it('before its acknowledge: the alarm stays, and its repeat by a new connection is acknowledged', async () => {
    panel.send(siaFrame('0001', 'NBA1'));
    panel.hangUp();
    await site.quiet();
    expect(panel.said).toEqual([]);
    expect(reported()).toHaveLength(1);
    const again = panelAt(site, 'tcp 2');
    again.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    expect(again.said).toEqual([ACK]);
    expect(reported()).toHaveLength(1);
  });

  it('while the disk is full: nothing is acknowledged, and the repeat is the alarm', async () => {
    site.breakDisk(true);
    expect(await says(siaFrame('0001', 'NBA1'))).toEqual([]);
    panel.hangUp();
    site.breakDisk(false);
    expect(await says(siaFrame('0001', 'NBA1'))).toEqual([ACK]);
    expect(reported()).toHaveLength(1);
  });

  it.each([
    ['in the middle of a frame', 20],
    ['before the last byte of a frame', -1],
  ])('%s: what it says whole on a new connection is the alarm', async (_, end) => {
    panel.send(Buffer.from(siaFrame('0001', 'NBA1')).subarray(0, end));
    panel.hangUp();
    await site.quiet();
    expect(reported()).toEqual([]);
    const again = panelAt(site, 'tcp 2');
    again.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    expect([again.said, reported().length]).toEqual([[ACK], 1]);
  });

  it('while its alarm is being stored, and repeats before that is done: acknowledged where it is, one alarm', async () => {
    const storedNow = site.slowDisk();
    panel.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    panel.hangUp();
    const again = panelAt(site, 'tcp 2');
    again.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    expect([panel.said, again.said]).toEqual([[], []]);
    await storedNow();
    expect([panel.said, again.said]).toEqual([[], [ACK]]);
    expect(reported()).toHaveLength(1);
  });

  it('between the events of one frame on the disk: both are alarms, its repeat is acknowledged', async () => {
    const storedNow = site.slowDisk();
    panel.send(siaFrame('0001', 'NBA1/FA2'));
    await site.quiet();
    panel.hangUp();
    await storedNow();
    expect(reported()).toHaveLength(2);
    const again = panelAt(site, 'tcp 2');
    again.send(siaFrame('0001', 'NBA1/FA2'));
    await site.quiet();
    expect([again.said, reported().length]).toEqual([[ACK], 2]);
  });

  it('after its acknowledge, before the application has decided: the alarm goes on without it', async () => {
    const open: ((outcome: ReturnType<typeof answered>) => void)[] = [];
    site.answerBy(({ answer }) => void open.push(answer));
    expect(await says(siaFrame('0001', 'NBA1'))).toEqual([ACK]);
    panel.hangUp();
    for (const answer of open) answer(answered({ action: 'drop' }));
    await site.quiet();
    expect(reported()).toHaveLength(1);
    expect(site.runtime.load).toMatchObject({ alarms: 0 });
  });

  it.each([
    ['NAK', () => sealedFrame(KEY, '0001', 'NFA1', site.clock.wallMs() - 3_600_000)],
    ['DUH', () => sealedFrame(keyBytes(32), '0001', 'NFA1', site.clock.wallMs())],
  ])('after a %s: what it says right on a new connection is the alarm', async (word, wrong) => {
    keyed();
    expect((await says(wrong()))[0]).toContain(word);
    panel.hangUp();
    const again = panelAt(site, 'tcp 2');
    again.send(sealedFrame(KEY, '0001', 'NFA1', site.clock.wallMs()));
    await site.quiet();
    expect(again.said[0]).toMatch(/^"\*ACK"0001/);
    expect(reported()).toHaveLength(1);
  });
});
