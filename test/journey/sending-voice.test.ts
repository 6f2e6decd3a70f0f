import { afterEach, describe, expect, it } from 'vitest';
import {
  allQuiet,
  answerCall,
  noDefects,
  type Pair,
  send,
  speaking,
  told,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';

const opened: Pair[] = [];

async function two(protocol: string, deviceProtocol?: string) {
  const all = await withPeople(protocol, deviceProtocol);
  opened.push(all.made);
  return all;
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

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

describe('commands of a receiver', () => {
  it.each([
    ['bs8521', 'volumeUp', '3 200'],
    ['nowip', 'volumeUp', '3 200'],
    ['ttnew', 'speak', '8 200'],
    ['bs8521', 'releaseDoorLock1', '9 200'],
  ] as const)('of %s: %s reaches a device of SCAIP as %s ms', async (protocol, command, tone) => {
    const { made, unit } = await speaking(await two(protocol, 'scaip'));
    const [alarm] = told(made.centre, 'newAlarmbridgeEvent');
    const done = made.centre.runtime.commands.command(String(alarm?.sessionId), { command });
    await made.after(4_000);
    expect(await done).toMatchObject({ ok: true });
    const heard = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
    expect(heard).toEqual([tone]);
  });
});

describe('commands of a receiver to a device that we have called', () => {
  it.each([
    ['bs8521', 'volumeUp', 'A34#', 'B', 4],
    ['bs8521', 'speak', 'A7', 'B', 4],
    ['bs8521', 'releaseDoorLock1', 'A20001#', 'A0001#', 4],
    ['ttnew', 'switchToDuplex', '701', '701', 3],
    ['tt92', 'volumeUp', '1', '', 1],
  ] as const)('of %s: %s is said as %s, confirmed with %s, or said again', async (...row) => {
    const [protocol, command, said, confirmed, times] = row;
    const { made, unit, taken } = await speaking(await two('scaip', protocol));
    const ask = async (answers: boolean): Promise<{ heard: string; outcome: string }> => {
      let outcome = '';
      let confirms = answers;
      void made.sender.runtime.commands.command(taken.sessionId, { command })?.then((done) => {
        outcome = done.ok ? 'done' : done.error.code;
      });
      let heard = '';
      for (let ms = 0; ms < 14_000 && outcome === ''; ms += 200) {
        await made.after(200);
        heard += unit.audio.digits
          .splice(0)
          .map(({ digit }) => digit)
          .join('');
        if (!confirms || heard !== said) continue;
        unit.audio.press(confirmed);
        confirms = false;
      }
      return { heard, outcome };
    };
    expect(await ask(true)).toEqual({ heard: said, outcome: 'done' });
    await made.after(600);
    unit.audio.digits.splice(0);
    const silent = await ask(false);
    expect(silent).toEqual(
      confirmed === ''
        ? { heard: said, outcome: 'done' }
        : { heard: said.repeat(times), outcome: 'deviceSilent' },
    );
  });
});

describe('an application ends a sending session', () => {
  it.each(['bs8521', 'scaip', 'nowip'])(
    'in the call (%s): both are gone, the device is cleared',
    async (protocol) => {
      const { made, arc, unit, taken } = await speaking(await two(protocol, 'scaip'));
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
