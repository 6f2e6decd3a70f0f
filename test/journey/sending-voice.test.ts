import { describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import {
  allQuiet,
  answerCall,
  callbacksOf,
  keptPairs,
  send,
  speaking,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(protocol: string, deviceProtocol?: string) {
  const all = await withPeople(protocol, deviceProtocol);
  opened.push(all.made);
  return all;
}

describe('speech after an event was taken', () => {
  it.each(['bs8521', 'tt92', 'ttnew', 'nowip', 'scaip'])(
    'joins the receiver (%s) with the device, until the receiver hangs up',
    async (protocol) => {
      const { made, arc, unit } = await two(protocol, 'scaip');
      await send(made, VOICE);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
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
  ] as const)('in %s: %s reaches a device of SCAIP as %s ms', async (protocol, command, tone) => {
    const { made, unit } = await speaking(await two(protocol, 'scaip'));
    const [alarm] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
    const done = made.centre.runtime.commands.command(String(alarm?.sessionId), { command });
    await made.after(4_000);
    expect(await done).toMatchObject({ ok: true });
    const detected = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
    expect(detected).toEqual([tone]);
  });
});

describe('control tones of a SCAIP receiver by INFO', () => {
  it.each(['scaip', 'ttnew'])('reach a device of %s that we have called', async (deviceProtocol) => {
    const { made, unit } = await speaking(await two('scaip', deviceProtocol));
    // The centre's own application would say them in the audio: here its call says INFO.
    const [call] = [...made.centre.runtime.calls.running];
    const leg = [...(call?.legs ?? [])].find(({ allows }) => allows.includes('INFO'));
    const body = 'Signal=3\r\nDuration=200\r\n';
    leg?.send('said', 'INFO', [['Content-Type', 'application/dtmf-relay']], Buffer.from(body));
    await made.after(2_500);
    const detected = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 100) * 100}`);
    expect(detected).toEqual([deviceProtocol === 'scaip' ? '3 200' : '1 500']);
  });
});

describe('digits by INFO, when tones are to reach the device as they are', () => {
  const INFO = [['Content-Type', 'application/dtmf-relay']] as [string, string][];
  const body = (digit: string) => `Signal=${digit}\r\nDuration=200\r\n`;

  it.each(['scaip', 'bs8521'])(
    'pass in both directions between the receiver (%s) and the device',
    async (protocol) => {
      const all = await two(protocol, 'ttnew');
      const { made, unit, unitTalk, arc } = await speaking(all, { toneHandler: 'transparent' });
      const [call] = [...made.centre.runtime.calls.running];
      const leg = [...(call?.legs ?? [])].find(({ allows }) => allows.includes('INFO'));
      for (const digit of ['3', '*']) {
        leg?.send('said', 'INFO', INFO, Buffer.from(body(digit)));
        await made.after(600);
      }
      const lengths = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 100) * 100}`);
      expect(lengths).toEqual(['3 200', '* 200']);
      arc.audio.digits.splice(0);
      unit.inDialog(unitTalk, 'INFO', { headers: INFO, body: body('6') });
      await made.after(1_000);
      expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['6']);
    },
  );
});

describe('commands of a receiver to a device that we have called', () => {
  it.each([
    ['bs8521', 'volumeUp', 'A34#', 'B', 4],
    ['bs8521', 'speak', 'A7', 'B', 4],
    ['bs8521', 'releaseDoorLock1', 'A20001#', 'A0001#', 4],
    ['ttnew', 'switchToDuplex', '701', '701', 3],
    ['tt92', 'volumeUp', '1', '', 1],
  ] as const)('in %s: %s is said as %s, confirmed with %s, or said again', async (...row) => {
    const [protocol, command, said, confirmed, times] = row;
    const { made, unit, taken } = await speaking(await two('scaip', protocol));
    const ask = async (answers: boolean): Promise<{ received: string; outcome: string }> => {
      let outcome = '';
      let confirms = answers;
      void made.sender.runtime.commands.command(taken.sessionId, { command })?.then((done) => {
        outcome = done.ok ? 'done' : done.error.code;
      });
      let detected = '';
      for (let ms = 0; ms < 14_000 && outcome === ''; ms += 200) {
        await made.after(200);
        detected += unit.audio.digits
          .splice(0)
          .map(({ digit }) => digit)
          .join('');
        if (!confirms || detected !== said) continue;
        unit.audio.press(confirmed);
        confirms = false;
      }
      return { received: detected, outcome };
    };
    expect(await ask(true)).toEqual({ received: said, outcome: 'done' });
    await made.after(600);
    unit.audio.digits.splice(0);
    const silent = await ask(false);
    expect(silent).toEqual(
      confirmed === ''
        ? { received: said, outcome: 'done' }
        : { received: said.repeat(times), outcome: 'deviceSilent' },
    );
  });
});

describe('toneHandler transparent', () => {
  it.each([
    ['', 'deviceSilent'],
    ['B', 'done'],
  ])('a command of the centre is answered by the device alone: it says "%s"', async (answer, expected) => {
    const { made, unit } = await speaking(await two('bs8521', 'bs8521'), { toneHandler: 'transparent' });
    const [alarm] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
    let outcome = '';
    void made.centre.runtime.commands
      .command(String(alarm?.sessionId), { command: 'volumeUp' })
      ?.then((done) => {
        outcome = done.ok ? 'done' : done.error.code;
      });
    let detected = '';
    for (let ms = 0; ms < 15_000 && outcome === ''; ms += 200) {
      await made.after(200);
      detected += unit.audio.digits
        .splice(0)
        .map(({ digit }) => digit)
        .join('');
      if (answer === '' || !detected.endsWith('A34#')) continue;
      unit.audio.press(answer);
      detected = '';
    }
    expect(outcome).toBe(expected);
  });
});

describe('clearDown of the application', () => {
  it.each(['bs8521', 'tt92', 'ttnew', 'nowip', 'scaip'])(
    'ends the call to a device of %s that we have called, also when the device stays on the line',
    async (deviceProtocol) => {
      const { made, unit, arc, taken } = await speaking(await two('scaip', deviceProtocol));
      let outcome = '';
      void made.sender.runtime.commands.command(taken.sessionId, { command: 'clearDown' })?.then((done) => {
        outcome = done.ok ? 'done' : done.error.code;
      });
      await made.until(() => unit.has('BYE'), 14_000);
      unit.respond(unit.request('BYE'), 200);
      await made.after(15_000);
      expect(arc.has('BYE')).toBe(true);
      const confirms = deviceProtocol === 'bs8521' || deviceProtocol === 'nowip';
      expect(outcome).toBe(confirms ? 'deviceSilent' : 'done');
    },
  );
});

describe('commands of a receiver to a NOW-IP device that we have called', () => {
  /** The device says this to whoever has called it. */
  function says(unit: Awaited<ReturnType<typeof two>>['unit'], type: string, data: string) {
    const body = Buffer.from(encodeAtm({ version: '1', type, data, time: '.', mac: '.' }));
    unit.send({
      method: 'MESSAGE',
      uri: 'sip:4711@care.example',
      headers: [
        ['From', '<sip:unit@care.example>;tag=m'],
        ['To', '<sip:4711@care.example>'],
        ['Call-ID', `m-${type}-${unit.received.length}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', 'application/xml'],
      ],
      body,
    });
  }

  it.each([
    ['volumeUp', '34', ['A', ''], 'done'],
    ['speak', '7', ['A', ''], 'done'],
    ['releaseDoorLock1', '20001', ['7', '0001'], 'done'],
    ['releaseDoorLock1', '20001', ['7', '0000'], 'commandNotSupported'],
    ['setVolumeLevel1', '31', ['5', '31'], 'commandNotSupported'],
    ['volumeUp', '34', undefined, 'deviceSilent'],
    ['keepAlive', undefined, undefined, 'done'],
  ] as const)('%s is the message %s; answered %j it is %s', async (command, said, answer, expected) => {
    const { made, unit, taken } = await speaking(await two('scaip', 'nowip'));
    let outcome = '';
    void made.sender.runtime.commands.command(taken.sessionId, { command })?.then((done) => {
      outcome = done.ok ? 'done' : done.error.code;
    });
    const detected: string[] = [];
    for (let ms = 0; ms < 14_000 && outcome === ''; ms += 200) {
      await made.after(200);
      if (!unit.has('MESSAGE')) continue;
      const request = unit.request('MESSAGE');
      unit.respond(request, 200);
      const atm = decodeAtm(request.body);
      detected.push(atm.ok ? `${atm.value.type} ${atm.value.data}` : 'unreadable');
      expect(request.from.uriText).toBe('sip:4711@care.example');
      if (answer !== undefined) says(unit, answer[0], answer[1]);
    }
    expect(outcome).toBe(expected);
    const times = said === undefined ? 0 : answer === undefined ? 4 : 1;
    expect(detected).toEqual(Array(times).fill(`2 ${said}`));
    expect(unit.audio.digits).toEqual([]);
  });

  it('clear-down is a message, too: as the command of the receiver, and before we end the call ourselves', async () => {
    const { made, arc, arcTalk, unit } = await speaking(await two('scaip', 'nowip'));
    /** The device hears so; the call goes on until it answers. */
    const reported = async () => {
      await made.until(() => unit.has('MESSAGE'), 15_000);
      const request = unit.request('MESSAGE');
      unit.respond(request, 200);
      expect(decodeAtm(request.body)).toMatchObject({ value: { type: '2', data: 'D' } });
      await made.after(1_000);
      expect(unit.has('BYE')).toBe(false);
      says(unit, 'A', '');
    };
    // The centre says tone 0, and when the device does not hang up, leaves 10 s later.
    arc.inDialog(arcTalk, 'BYE');
    await reported();
    await reported();
    await made.until(() => unit.has('BYE'), 2_000);
    unit.respond(unit.request('BYE'), 200);
    await made.after(15_000);
    allQuiet(made);
  });
});

describe('a controller of BS 8521 that we have called', () => {
  it('learns who calls and says who it is, its unit is selected; commands wait so long, and it is cleared', async () => {
    const { made, unit, taken } = await speaking(await two('scaip', 'bs8521'));
    /** Says it; then the end of what it hears is this, tones of 500 ms or more in brackets. */
    const says = async (text: string, expected: string, onMs = 80) => {
      unit.audio.digits.splice(0);
      unit.audio.press(text, { onMs });
      let detected = '';
      const hears = () => {
        for (const { digit, ms } of unit.audio.digits.splice(0)) detected += ms < 500 ? digit : `(${digit})`;
        return detected.endsWith(expected);
      };
      await made.until(hears, 15_000).catch(() => expect(detected).toBe(expected));
    };
    await says('B', 'A41000000471100000570000000#', 1_000);
    let outcome = '';
    void made.sender.runtime.commands.command(taken.sessionId, { command: 'volumeUp' })?.then((done) => {
      outcome = done.ok ? 'done' : done.error.code;
    });
    await says('B', '(B)');
    await says('A11001234567800000570000000#', 'BA00042#');
    // Selected: now the command is said.
    await says('A004205700000#', 'BA34#');
    expect(outcome).toBe('');
    unit.audio.press('B');
    await made.until(() => outcome === 'done', 3_000);
    void made.sender.runtime.commands.hangUp(taken.sessionId);
    await says('', 'A9');
    await says('A000000#', 'BAD');
    unit.audio.press('B');
    await made.until(() => unit.has('BYE'), 5_000);
    unit.respond(unit.request('BYE'), 200);
  });
});

describe('an application ends a sending session', () => {
  it.each(['bs8521', 'scaip', 'nowip'])(
    'in the call (%s): both are lost, the device is cleared',
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
