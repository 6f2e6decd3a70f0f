import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { DEVICE_COMMANDS, type DeviceCommand } from '#shared/alarm-event/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { TABLE } from '#test/support/device-command-table.ts';
import { must } from '#test/support/media.ts';
import { panelAt, siaFrame } from '#test/support/panel.ts';
import type { PhoneDigit } from '#test/support/phone.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { atm, MESSAGE, messageOf, STRING, voiceBridge } from '#test/support/voice-alarm.ts';

/**
 * Every value of `devicecommand` in every protocol, by `device-command-table.ts`; of security panels, who have no call, at the end.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
/** Digits that the device has heard and not looked at yet. */
let said = '';
let call: Talk;
const orders: string[] = [];
let confirms = true;

beforeEach(async () => {
  confirms = true;
  orders.splice(0);
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const message = (body: string, to: string, id: string) => messageOf(unit, body, to, id);

/** The device has raised its alarm and speaks with the centre. */
async function speaking(protocol: string, fields: Record<string, unknown> = {}): Promise<string> {
  voiceBridge(site, protocol, fields);
  const arc = await net.device('arc', '192.0.2.31');
  // A device that speaks by message proves itself by its alarm.
  const byMessage = Object.hasOwn(MESSAGE, protocol);
  const proof = byMessage ? { authType: 'deviceid', digest: undefined } : {};
  unit = await net.device('unit', '192.0.2.30', proof, false);
  if (byMessage) message(MESSAGE[protocol] ?? '', 'here', 'alarm');
  await net.pump();
  while (unit.has('MESSAGE')) unit.respond(unit.request('MESSAGE'), 200);
  const talk = await unit.invite('here', net.pump, { challenged: !byMessage });
  unit.acknowledge(talk, unit.response(200));
  call = talk;
  const { digits, ms = 80, afterMs = 700 } = STRING[protocol] ?? { digits: '' };
  await net.after(afterMs, 100);
  unit.audio.press(digits, { onMs: ms, offMs: ms });
  for (let waited = 0; waited < 12_000 && !arc.has('INVITE'); waited += 500) {
    await net.after(500);
    confirm(protocol);
  }
  expect(orders.splice(0)).toEqual(protocol === 'nowipcontroller' ? ['2 00001'] : []);
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.after(500);
  received();
  said = '';
  const event = site.posted.find(({ call }) => call.path === '/newAlarmbridgeEvent');
  // A controller says the same messages.
  expect(event?.body.sourceAlarmProtocol).toBe(protocol === 'nowipcontroller' ? 'nowip' : protocol);
  return String(event?.body.sessionId);
}

/** Digits since the last look. */
function received(): readonly PhoneDigit[] {
  const digits = unit.audio.digits.splice(0);
  said += digits.map(({ digit }) => digit).join('');
  return digits;
}

/** Runs of 80 ms together, others each with its length. */
function wordsOf(digits: readonly PhoneDigit[]): string {
  const words: string[] = [];
  let isRun = false;
  for (const { digit, ms } of digits) {
    const long = Math.round(ms / 10) * 10;
    if (long === 80 && isRun) words.push(`${words.pop()}${digit}`);
    else words.push(long === 80 ? digit : `${digit} ${long}`);
    isRun = long === 80;
  }
  return words.join(', ');
}

/** The device does what its protocol asks of it when it has understood; what it says. */
function confirm(protocol: string): string {
  if (!confirms) return '';
  if (protocol === 'bs8521') {
    const output = /A200(\d\d)#$/.exec(said)?.[1];
    const isWhole = output !== undefined || /A[78D#]$|A3\d#$/.test(said);
    if (isWhole) unit.audio.press(output === undefined ? 'B' : `A00${output}#`);
    if (isWhole) said = '';
    return output === undefined ? '' : `A00${output}#`;
  }
  if (protocol.startsWith('tt')) {
    const echo = /70[12]$/.exec(said)?.[0] ?? '';
    if (echo !== '') unit.audio.press(echo);
    if (echo !== '') said = '';
    return echo;
  }
  if (protocol.startsWith('nowip') && unit.has('MESSAGE')) {
    const request = unit.request('MESSAGE');
    unit.respond(request, 200);
    const order = decodeAtm(request.body);
    if (order.ok) orders.push(`${order.value.type} ${order.value.data}`);
    message(atm('A', '.'), 'here', `confirm-${request.callId}`);
  }
  return '';
}

/** One command to its end, as a row of the table. */
async function row(protocol: string, sessionId: string, command: DeviceCommand): Promise<string> {
  const parameters = command === 'sendTones' ? { toneString: '12#', duration: 120 } : undefined;
  let outcome: string | undefined;
  void site.runtime.commands
    .command(sessionId, { command, ...(parameters && { parameters }) })
    ?.then((done) => {
      outcome = done.ok ? '' : done.error.code;
      if (!done.ok) expect(done.error.reason.length).toBeGreaterThan(10);
    });
  const digits: PhoneDigit[] = [];
  let answer = '';
  for (let waited = 0; waited < 16_000 && outcome === undefined; waited += 100) {
    await net.after(100, 100);
    digits.push(...received());
    answer ||= confirm(protocol);
  }
  await net.after(400, 100);
  const last = received();
  // BS 8521: an answer with data is acknowledged.
  if (!answer.startsWith('A') || wordsOf(last) !== 'B') digits.push(...last);
  const left = unit.has('BYE') ? 'BYE' : '';
  const words = [wordsOf(digits), ...orders.splice(0), left].filter((each) => each !== '').join(', ');
  return `${outcome}${words}${answer === '' ? '' : ` > ${answer}`}`;
}

/** Result of a command without its way to the device. */
async function outcomeOf(sessionId: string, command: DeviceCommand, withinMs = 16_000): Promise<string> {
  let outcome = '';
  void site.runtime.commands.command(sessionId, { command })?.then((done) => {
    outcome = done.ok ? 'done' : `${done.error.code}: ${done.error.reason}`;
  });
  for (let waited = 0; waited < withinMs && outcome === ''; waited += 200) await net.after(200, 200);
  return outcome;
}

describe('devicecommand', () => {
  it.each(Object.keys(TABLE))('%s: each of the 18 commands', async (protocol) => {
    const sessionId = await speaking(protocol);
    const rows: Record<string, string> = {};
    for (const command of [...DEVICE_COMMANDS.filter((each) => each !== 'clearDown'), 'clearDown'] as const)
      rows[command] = await row(protocol, sessionId, command);
    expect(rows).toEqual(TABLE[protocol]);
  });

  it.each(Object.keys(TABLE))(
    '%s: the call ends within 10 s of clearDown although the device stays on the line',
    async (protocol) => {
      const sessionId = await speaking(protocol);
      await row(protocol, sessionId, 'clearDown');
      for (let waited = 0; waited < 10_500 && !unit.has('BYE'); waited += 500) await net.after(500, 500);
      expect(unit.has('BYE')).toBe(true);
      expect(await outcomeOf(sessionId, 'speak', 400)).toMatch(/^(noVoiceCall.*)?$/);
      await net.after(3_000, 500);
      expect([...site.runtime.sessionIds]).toEqual([]);
    },
  );

  it.each(Object.keys(TABLE))(
    '%s: a device that hangs up as soon as it hears clearDown has confirmed it',
    async (protocol) => {
      const sessionId = await speaking(protocol);
      const done = outcomeOf(sessionId, 'clearDown');
      for (let waited = 0; waited < 3_000; waited += 100) {
        await net.after(100, 100);
        if (received().length > 0 || unit.has('MESSAGE') || unit.has('BYE')) break;
      }
      if (unit.has('BYE')) unit.respond(unit.request('BYE'), 200);
      else unit.inDialog(call, 'BYE');
      expect(await done).toBe('done');
    },
  );

  it.each(['bs8521', 'ttnew', 'p100'])(
    'is said to a device that was found to speak %s (multiprotocol) in its words, refused with its reasons',
    async (protocol) => {
      const sessionId = await speaking(protocol, { protocol: 'multiprotocol' });
      for (const command of ['selectSpeaker2', 'listen', 'sendTones', 'clearDown'] as const)
        expect(await row(protocol, sessionId, command)).toBe(TABLE[protocol]?.[command]);
    },
  );

  it.each([
    ['bs8521', 'volumeUp'],
    ['nowip', 'volumeUp'],
    ['ttnew', 'switchToDuplex'],
  ] as const)(
    '%s: %s is said again to a device that does not confirm, then reported',
    async (protocol, command) => {
      const sessionId = await speaking(protocol);
      confirms = false;
      expect(await outcomeOf(sessionId, command)).toMatch(/^deviceSilent: the device did not confirm/);
      const times = { bs8521: /A34#/g, nowip: /./g, ttnew: /701/g };
      received();
      const asked = protocol === 'nowip' ? unit.inbox.filter((each) => each.kind === 'request').length : 0;
      expect(protocol === 'nowip' ? asked : said.match(times[protocol])?.length).toBe(
        protocol === 'ttnew' ? 3 : 4,
      );
    },
  );

  it('bs8521: an output that the device does not have is refused by it', async () => {
    const sessionId = await speaking('bs8521');
    const done = outcomeOf(sessionId, 'releaseSafeLock');
    for (let waited = 0; waited < 3_000 && !said.endsWith('#'); waited += 100) {
      await net.after(100, 100);
      received();
    }
    unit.audio.press('A0000#');
    expect(await done).toBe('commandNotSupported: the device has answered that it has no such output');
  });

  it.each([
    ['5', '.', 'commandNotSupported: the device rejected the command'],
    ['7', '99999', 'commandNotSupported: the device rejected the command'],
    ['7', '0000', 'commandNotSupported: the device has answered that it has no such output'],
    ['7', '0003', 'done'],
  ])('nowip: an answer of type %s with %s', async (type, data, outcome) => {
    const sessionId = await speaking('nowip');
    const done = outcomeOf(sessionId, 'releaseSafeLock');
    await net.after(200, 100);
    unit.respond(unit.request('MESSAGE'), 200);
    message(atm(type, data), 'here', 'answer');
    expect(await done).toBe(outcome);
  });

  it('nowip: a device that is busy (type 6) is asked again after a second', async () => {
    const sessionId = await speaking('nowip');
    const done = outcomeOf(sessionId, 'speak');
    await net.after(200, 100);
    unit.respond(unit.request('MESSAGE'), 200);
    message(atm('6', '.'), 'here', 'busy');
    await net.after(1_200, 100);
    unit.respond(unit.request('MESSAGE'), 200);
    message(atm('A', '.'), 'here', 'now');
    expect(await done).toBe('done');
  });

  it.each([
    ['scaip', '7', 'listen'],
    ['ttnew', 'C', 'speak'],
  ] as const)('%s: keepAlive repeats the direction that was said last', async (protocol, digit, command) => {
    const sessionId = await speaking(protocol);
    await row(protocol, sessionId, command);
    expect(await row(protocol, sessionId, 'keepAlive')).toMatch(new RegExp(`^${digit} `));
  });

  it('nowip: keepAlive is the string of the profile, where it names one', async () => {
    const row = { name: 'alive', kind: 'xml', extends: 'nowip', content: { keepAlive: '0' } };
    site.tenant.put('protocolprofile', 'alive', protocolProfileSchema.parse(row));
    const sessionId = await speaking('nowip', { protocolProfile: 'alive' });
    const done = outcomeOf(sessionId, 'keepAlive');
    await net.after(200, 100);
    const said = unit.request('MESSAGE');
    expect(must(decodeAtm(said.body))).toMatchObject({ type: '2', data: '0' });
    unit.respond(said, 200);
    message(atm('A', '.'), 'here', 'alive');
    expect(await done).toBe('done');
  });

  it('is refused before there is speech, after it, and where the receiver does not want it', async () => {
    const sessionId = await speaking('scaip', { controlCommandsEnabled: false });
    expect(await outcomeOf(sessionId, 'speak')).toMatch(
      /^controlCommandsDisabled: controlCommandsEnabled is false/,
    );
    void site.runtime.commands.hangUp(sessionId);
    await net.after(500);
    expect(await outcomeOf(sessionId, 'speak')).toBe('noVoiceCall: the call is being cleared');
    await net.after(15_000);
    message('<mrq><ref>R2</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>', 'here', 'second');
    await net.pump();
    const waits = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').at(-1);
    expect(await outcomeOf(String(waits?.body.sessionId), 'speak')).toBe(
      'noVoiceCall: there is no voice call yet',
    );
  });

  it.each([
    [{ callerDtmfSendType: '2833' }, 'rfc4733'],
    [{ dtmfSendType: '2833' }, 'rfc4733'],
    [{ calleeDtmfSendType: '2833' }, 'inband'],
    [{ callerDtmfSendType: 'inaudio', dtmfSendType: '2833' }, 'inband'],
    [undefined, 'inband'],
  ] as const)('toneSettings %j: commands go to the device %s', async (toneSettings, by) => {
    const sessionId = await speaking('ttnew', toneSettings && { toneSettings });
    unit.audio.digits.splice(0);
    await outcomeOf(sessionId, 'speak');
    await net.after(300);
    expect(unit.audio.digits).toMatchObject([{ digit: 'C', by, ms: expect.closeTo(500, -2) }]);
  });

  it('is refused for a security panel (DC-09), which has no call: each of the 18 with a reason, before and after its ACK', async () => {
    site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$' });
    let decide: () => void = () => undefined;
    site.answerBy(({ answer }) => {
      decide = () => answer(answered({ action: 'drop' }));
      return undefined;
    });
    const panel = panelAt(site);
    panel.send(siaFrame('0001', 'NBA1'));
    await site.quiet();
    const sessionId = String(site.posted[0]?.body.sessionId);
    expect(panel.said).toEqual(['"ACK"0001L0#1234[]']);
    for (const command of DEVICE_COMMANDS)
      expect(await outcomeOf(sessionId, command, 400)).toBe(
        command === 'clearDown' || command === 'sendTones'
          ? 'noVoiceCall: the alarm came without speech: it has no voice call'
          : `commandNotSupported: DC-09 has no word for ${command}`,
      );
    decide();
    await site.quiet();
    // A caller by HTTP hears the same of a session that is over: 409 noVoiceCall.
    for (const command of DEVICE_COMMANDS)
      expect(site.runtime.commands.command(sessionId, { command })).toBeUndefined();
  });
});
