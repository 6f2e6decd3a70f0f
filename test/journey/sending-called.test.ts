import { describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import {
  answerCall,
  callbacksOf,
  keptPairs,
  type Pair,
  send,
  speaking,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';
import { hearsIn, says } from '#test/support/sending-called.ts';
import type { Telephone } from '#test/support/sip-telephone.ts';

const opened = keptPairs();

/** Event 010 (help button), controller 12345678, unit 0042; check digits are not looked at. */
const STRING = (config = '0', event = '010') => `A${config}100123456780042${event}0000000#`;
const OURS = 'A41000000471100000570000000#';

/** The receiver speaks with a device of this protocol that we have called; its own alarms have the bridge `units`. */
async function called(protocol: string, units = protocol) {
  const all = await withPeople('scaip', protocol);
  const { made } = all;
  opened.push(made);
  made.sender.bridge({ id: 'units', protocol: units, name: 'Units', destinationMatch: '^units$' });
  return await speaking(all);
}

/** Sounds that it hears until so long after its own. */
function hears(made: Pair, unit: Telephone, text: string, ms: number): Promise<string> {
  unit.audio.digits.splice(0);
  unit.audio.press(text);
  return hearsIn(made, unit, text.length * 160 + ms);
}

const alarms = (made: Pair) => callbacksOf(made.sender, 'newAlarmbridgeEvent');

async function ends(made: Pair, unit: Telephone, sessionId: string) {
  void made.sender.runtime.commands.hangUp(sessionId);
  await made.until(() => unit.has('BYE'), 30_000);
  unit.respond(unit.request('BYE'), 200);
  await made.after(15_000);
}

describe('a controller that we have called and that names an alarm when it is asked who it is', () => {
  it('gets its acknowledge once that is stored: an alarm with a session of its own, then its unit is selected', async () => {
    const { made, unit, taken } = await called('bs8521');
    await says(made, unit, 'B', OURS, { onMs: 1_000 });
    await says(made, unit, 'B', '(B)');
    await says(made, unit, STRING('1'), 'BA00042#');
    expect(alarms(made)).toMatchObject([
      {
        sourceAlarmProtocol: 'bs8521',
        sipFrom: 'unit',
        calledParty: '4711',
        traceId: taken.traceId,
        alarmEvent: { controllerId: '12345678', deviceId: '0042', deviceType: 'fixedTrigger' },
        sourceAlarmEvent: { raw: STRING('1') },
      },
    ]);
    expect(alarms(made)[0]?.sessionId).not.toBe(taken.sessionId);
    await says(made, unit, 'A004205700000#', 'B');
    await ends(made, unit, taken.sessionId);
  });

  it('and has missed its acknowledge gets it again, and is no second alarm', async () => {
    const { made, unit } = await called('bs8521');
    await says(made, unit, 'B', OURS, { onMs: 1_000 });
    await says(made, unit, 'B', '(B)');
    await says(made, unit, STRING('1'), 'B');
    await says(made, unit, STRING('1'), 'BA00042#');
    expect(alarms(made)).toHaveLength(1);
  });

  it('gets none while nothing can be stored, and gets it for its repeat', async () => {
    const { made, unit } = await called('bs8521');
    await says(made, unit, 'B', OURS, { onMs: 1_000 });
    await says(made, unit, 'B', '(B)');
    made.sender.breakDisk(true);
    expect(await hears(made, unit, STRING('0'), 1_000)).toBe('');
    expect(alarms(made)).toEqual([]);
    made.sender.breakDisk(false);
    await says(made, unit, STRING('0'), 'B');
    await made.until(() => alarms(made).length === 1);
  });

  it.each(['before it answers', 'afterwards'])(
    'gets none where the alarm bridge is removed (%s), and the platform says so each time',
    async (when) => {
      const all = await withPeople('scaip', 'bs8521');
      const { made, arc, unit } = all;
      opened.push(made);
      made.sender.notify('https://app.example/alarm');
      const remove = () => made.sender.tenant.remove('alarmbridge', 'north');
      await send(made, VOICE);
      await answerCall(made, arc);
      if (when === 'before it answers') remove();
      await answerCall(made, unit);
      remove();
      await made.after(1_500);
      await says(made, unit, 'B', OURS, { onMs: 1_000 });
      await says(made, unit, 'B', '(B)');
      expect(await hears(made, unit, STRING('0'), 1_000)).toBe('');
      const raised = made.sender.posted.map(({ body }) => body).filter(({ type }) => type === 'serviceAlarm');
      expect(raised).toMatchObject([{ error: 'noReceiver', errorDetails: { raw: STRING('0') } }]);
    },
  );
});

describe('a device that we have called and that says an alarm by itself', () => {
  it.each([
    ['bs8521', 'bs8521', STRING(), STRING('0', '011'), 'B'],
    ['bs8521', 'multiprotocol', STRING(), STRING('0', '011'), 'B'],
    ['tt92', 'tt92', 'D#1017123456789***000000', 'D#1014123456789***000000', 'B0'],
    ['ttnew', 'deviceProvisioned', 'D#1017123456789***000000', 'D#1014123456789***000000', 'DB'],
  ])(
    'in %s to a bridge of %s is received: each alarm is stored, reported and acknowledged once',
    async (protocol, units, first, second, ack) => {
      const { made, unit, taken } = await called(protocol, units);
      await says(made, unit, first, ack);
      await says(made, unit, first, ack);
      await says(made, unit, second, ack);
      await made.until(() => alarms(made).length === 2);
      const reported = alarms(made);
      expect(reported.map(({ sourceAlarmEvent }) => (sourceAlarmEvent as { raw: string }).raw)).toEqual([
        first,
        second,
      ]);
      expect(new Set([...reported.map(({ sessionId }) => sessionId), taken.sessionId]).size).toBe(3);
      // The receiver and the device still hear each other.
      expect(unit.has('BYE')).toBe(false);
      await ends(made, unit, taken.sessionId);
      expect(made.sender.runtime.load).toMatchObject({ alarms: 0 });
    },
  );

  it('is no answer to a command that waits for one, and is acknowledged when it is stored', async () => {
    const { made, unit, taken } = await called('bs8521');
    let outcome = '';
    const command = { command: 'releaseDoorLock1' } as const;
    void made.sender.runtime.commands.command(taken.sessionId, command)?.then((done) => {
      outcome = done.ok ? 'done' : done.error.code;
    });
    await made.after(1_500);
    made.sender.breakDisk(true);
    unit.audio.digits.splice(0);
    unit.audio.press(STRING());
    await made.after(STRING().length * 160 + 300);
    expect(unit.audio.digits.map(({ digit }) => digit)).not.toContain('B');
    expect(outcome).toBe('');
    made.sender.breakDisk(false);
    await says(made, unit, STRING(), 'B');
    await made.until(() => alarms(made).length === 1);
  });

  it('is no alarm when its string is none of any protocol', async () => {
    const { made, unit } = await called('bs8521');
    expect(await hears(made, unit, 'A0042057#', 1_500)).toBe('');
    expect(await hears(made, unit, '12345678901234567890', 1_500)).toBe('');
    expect(alarms(made)).toEqual([]);
  });
});

it('an alarm that was acknowledged in such a call is reported after a restart, and leaves no session', async () => {
  const { made, unit } = await called('bs8521');
  made.sender.answerBy(() => undefined);
  await says(made, unit, STRING(), 'B');
  const [before] = alarms(made);
  opened.splice(opened.indexOf(made), 1);
  await made.sender.close(true);
  await made.centre.close();
  const site = await testAppliance({ folder: made.sender.folder });
  site.bridge({ id: 'units', protocol: 'bs8521', name: 'Units', destinationMatch: '^units$' });
  site.answerBy(() => answered({ action: 'drop' }));
  site.runtime.restore();
  await site.quiet();
  await site.after(60_000);
  expect(callbacksOf(site, 'newAlarmbridgeEvent')).toMatchObject([
    { sessionId: before?.sessionId ?? 'none', sourceAlarmEvent: { raw: STRING() } },
  ]);
  expect(site.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(site.runtime.load).toMatchObject({ alarms: 0 });
  await site.close();
});
