import { afterEach, describe, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  allQuiet,
  answerCall,
  centreBridge,
  centreKnows,
  LOGIN,
  noDefects,
  type Pair,
  phoneAt,
  send,
  sendingPair,
  told,
} from '#test/support/sending.ts';

const opened: Pair[] = [];

/** A centre whose application sends every alarm to the telephone `arc`. */
async function two(protocol: string, deviceProtocol?: string) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol, { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
  made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const arc = await phoneAt(made, 'centre', 'arc');
  const unit = await phoneAt(made, 'sender', 'unit', {
    serviceData: { alarmBridge: { ...(deviceProtocol && { alarmProtocol: deviceProtocol }) } },
  });
  return { made, arc, unit };
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

const VOICE = { alarmVoiceCallbackDestination: 'sip:unit@care.example', callbackSipFrom: '4711' };

describe('speech after an event was taken', () => {
  it.each(['bs8521', 'tt92', 'ttnew', 'nowip', 'scaip'])(
    'joins the receiver (%s) with the device, until the receiver hangs up',
    async (protocol) => {
      const { made, arc, unit } = await two(protocol, 'scaip');
      await send(made, VOICE);
      await made.until(() => told(made.sender, 'alarmSent').length === 1);
      const call = answerCall(made, arc);
      const arcTalk = await call;
      const invite = made.until(() => unit.has('INVITE'), 20_000);
      await invite;
      const ringing = unit.request('INVITE');
      expect(ringing.from.uriText).toBe('sip:4711@care.example');
      unit.hearPort(ringing);
      unit.respond(ringing, 200, { sdp: unit.describe() });
      await made.after(1_500);
      arc.audio.digits.splice(0);
      unit.audio.press('9');
      await made.after(800);
      expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['9']);
      arc.inDialog(arcTalk, 'BYE');
      await made.until(() => unit.has('BYE'), 15_000);
      unit.respond(unit.request('BYE'), 200);
      await made.after(15_000);
      allQuiet(made);
    },
  );
});

/** The event is taken, and receiver and device speak. */
async function speaking(protocol: string, deviceProtocol = 'scaip', body: Record<string, unknown> = {}) {
  const all = await two(protocol, deviceProtocol);
  const { made, arc, unit } = all;
  const taken = await send(made, { ...VOICE, ...body });
  const arcTalk = await answerCall(made, arc);
  const unitTalk = await answerCall(made, unit);
  await made.after(1_500);
  unit.audio.digits.splice(0);
  arc.audio.digits.splice(0);
  return { ...all, taken, arcTalk, unitTalk };
}

describe('commands of a receiver', () => {
  it.each([
    ['bs8521', 'volumeUp', '3 200'],
    ['nowip', 'volumeUp', '3 200'],
    ['ttnew', 'speak', '8 200'],
    ['bs8521', 'releaseDoorLock1', '9 200'],
  ] as const)('of %s: %s reaches a device of SCAIP as %s ms', async (protocol, command, tone) => {
    const { made, unit } = await speaking(protocol);
    const [alarm] = told(made.centre, 'newAlarmbridgeEvent');
    const done = made.centre.runtime.commands.command(String(alarm?.sessionId), { command });
    await made.after(4_000);
    expect(await done).toMatchObject({ ok: true });
    const heard = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
    expect(heard).toEqual([tone]);
  });
});

describe('an application ends a sending session', () => {
  it.each(['bs8521', 'scaip', 'nowip'])(
    'in the call (%s): both are gone, the device is cleared',
    async (protocol) => {
      const { made, arc, unit, taken } = await speaking(protocol);
      const done = made.sender.runtime.commands.hangUp(taken.sessionId);
      await made.until(() => unit.has('BYE'), 15_000);
      expect(await done).toMatchObject({ ok: true });
      expect(unit.audio.digits.map(({ digit }) => digit)).toEqual(['0']);
      unit.respond(unit.request('BYE'), 200);
      await made.until(() => arc.has('BYE'), 15_000);
      arc.respond(arc.request('BYE'), 200);
      await made.after(15_000);
      allQuiet(made);
    },
  );
});
