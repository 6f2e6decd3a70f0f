import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { TABLE } from '#test/support/device-command-table.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { atm, MESSAGE, messageOf, STRING, VOICE_PROTOCOLS, voiceBridge } from '#test/support/voice-alarm.ts';

/*
 * Unanswered is never cleared. A unit that hears clear-down takes its alarm for dealt with; one that is hung up without it dials on by
 * itself. However the call to its destination ends, only people who had answered clear it by hanging up.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;
let talk: Talk;
/** Messages to the device. */
let orders: string[];

beforeEach(async () => {
  orders = [];
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  arc = await net.device('arc', '192.0.2.31');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);
const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

/** Notes of the alarm's session: its commands to the device, and its end. */
function noted() {
  const trace = site.trace(String(reported()[0]?.body.traceId));
  return {
    commands: trace
      .filter(({ kind, detail }) => kind === 'deviceCommand' && detail.command !== 'keepAlive')
      .map(({ detail }) => detail.command),
    outcome: trace.find(({ kind }) => kind === 'sessionEnded')?.detail.outcome,
  };
}

/** The device confirms each command by message and by BS 8521; the test keeps the commands. */
function listens(protocol: string): void {
  while (unit.has('MESSAGE')) {
    const request = unit.request('MESSAGE');
    unit.respond(request, 200);
    const order = decodeAtm(request.body);
    if (!order.ok) continue;
    orders.push(order.value.data);
    if (order.value.type !== 'A') messageOf(unit, atm('A', '.'), 'here', `confirm-${request.callId}`);
  }
  if (protocol === 'bs8521' && unit.audio.digits.at(-1)?.digit === '#') unit.audio.press('B');
}

async function calls(protocol: string, byMessage: boolean): Promise<void> {
  talk = await unit.invite('here', net.pump, { challenged: !byMessage });
  unit.acknowledge(talk, unit.response(200));
  const { digits, ms = 80, afterMs = 700 } = STRING[protocol] ?? { digits: '' };
  await net.after(afterMs, 100);
  unit.audio.press(digits, { onMs: ms, offMs: ms });
}

/** An alarm of this protocol, whose destination is being called. */
async function raised(protocol: string, fields: Record<string, unknown> = {}): Promise<void> {
  voiceBridge(site, protocol, fields);
  const byMessage = Object.hasOwn(MESSAGE, protocol);
  const proof = byMessage ? { authType: 'deviceid', digest: undefined } : {};
  unit = await net.device('unit', '192.0.2.30', proof, false);
  if (byMessage) messageOf(unit, MESSAGE[protocol] ?? '', 'here', 'alarm');
  await net.pump();
  listens(protocol);
  await calls(protocol, byMessage);
  for (let waited = 0; waited < 12_000 && !arc.has('INVITE'); waited += 500) {
    await net.after(500);
    listens(protocol);
  }
  unit.audio.digits.splice(0);
  orders.splice(0);
}

/** The people of the destination do this with each call, until the device is let go. */
async function until(
  protocol: string,
  does: (invite: SipRequest) => unknown,
  mostMs = 240_000,
): Promise<number> {
  let times = 0;
  for (let waited = 0; waited < mostMs && !unit.has('BYE'); waited += 500) {
    while (arc.has('INVITE')) {
      times++;
      await does(arc.request('INVITE'));
    }
    while (arc.has('CANCEL')) arc.respond(arc.request('CANCEL'), 200);
    await net.after(500);
    listens(protocol);
  }
  return times;
}

/** No person has spoken with the device: it is hung up, has not heard that its alarm is dealt with, and a platform alarm is raised. */
function expectUncleared(): void {
  expect(unit.has('BYE')).toBe(true);
  expect(noted()).toEqual({ commands: [], outcome: 'unreached' });
  expect(orders).toEqual([]);
  // The line is kept alive meanwhile (BS 8521, SCAIP); nothing else is said.
  expect(unit.audio.digits.map(({ digit }) => digit).join('')).toMatch(/^(A#|4)*$/);
  expect(errors()).toEqual(['destinationUnreached']);
  const alarm = site.posted.find(({ body }) => body.error === 'destinationUnreached');
  expect(alarm?.body).toMatchObject({
    sessionId: reported()[0]?.body.sessionId,
    errorDetails: {
      destination: 'sip:arc@care.example',
      reason: expect.stringContaining('without clear-down'),
    },
  });
}

async function nothingLeft(): Promise<void> {
  unit.respond(unit.request('BYE'), 200);
  for (let waited = 0; waited < 40_000; waited += 2_000) {
    await net.after(2_000);
    while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  }
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0, legs: 0 });
}

/** No person is reached, in every way. */
const ROUTES: Readonly<Record<string, (invite: SipRequest) => unknown>> = {
  'is busy': (invite) => arc.respond(invite, 486),
  'does not answer': () => undefined,
  'is lost while it rings': (invite) => {
    arc.respond(invite, 180);
    arc.respond(invite, 503);
  },
  'answers and hangs up, and its audio never came': async (invite) => {
    arc.audio.sending = false;
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(2_000);
    arc.inDialog(arc.answeredTalk(invite), 'BYE');
    await net.pump();
  },
};

/** Ways that end as one of those above do. */
const FURTHER_ROUTES: typeof ROUTES = {
  'declines for everybody': (invite) => arc.respond(invite, 603),
  'answers what cannot be served': (invite) => arc.respond(invite, 200, { sdp: 'v=0\r\n' }),
  'takes the call, speaks and dies': async (invite) => {
    arc.audio.sending = true;
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(2_000);
    arc.audio.sending = false;
  },
  'takes the call, speaks and is cut off by its network': async (invite) => {
    await speaksThen(invite, (dialog) =>
      arc.inDialog(dialog, 'BYE', { headers: [['Reason', 'Q.850;cause=38;text="Network out of order"']] }),
    );
  },
};

/** The people take the call and are heard; then this happens. */
async function speaksThen(invite: SipRequest, does: (dialog: Talk) => unknown): Promise<void> {
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.pump();
  arc.request('ACK');
  await net.after(2_000);
  await does(arc.answeredTalk(invite));
  await net.pump();
}

describe.each(['bs8521', 'scaip', 'nowip'])('an alarm of %s', (protocol) => {
  it.each(Object.entries(FURTHER_ROUTES))('whose destination %s is not cleared', async (_, does) => {
    await raised(protocol);
    expect(await until(protocol, does, 400_000)).toBe(5);
    expectUncleared();
    await nothingLeft();
  });

  it('whose people give the call away and leave, and whose named ones do not answer, is not cleared', async () => {
    const operator = await net.device('desk', '192.0.2.33');
    await raised(protocol);
    const times = await until(protocol, async (invite) => {
      if (operator.received.length > 1) {
        arc.respond(invite, 486);
        return;
      }
      await speaksThen(invite, async (dialog) => {
        arc.inDialog(dialog, 'REFER', { headers: [['Refer-To', '<sip:desk@care.example>']] });
        await net.pump();
        const rings = operator.request('INVITE');
        operator.respond(rings, 180);
        arc.inDialog(dialog, 'BYE');
        await net.pump();
        operator.respond(rings, 486);
      });
    });
    expect(times).toBe(5);
    expectUncleared();
    await nothingLeft();
  });

  it('whose destination is busy is not cleared, arcDisconnectClearsCall false: no party is left on the line', async () => {
    await raised(protocol, { arcDisconnectClearsCall: false });
    await until(protocol, ROUTES['is busy'] ?? (() => undefined));
    expectUncleared();
    await nothingLeft();
  });

  it('dials on by itself: its next call is an alarm of its own, and people are called again', async () => {
    await raised(protocol);
    await until(protocol, (invite) => arc.respond(invite, 486));
    unit.respond(unit.request('BYE'), 200);
    await net.after(5_000);
    const byMessage = Object.hasOwn(MESSAGE, protocol);
    if (byMessage) messageOf(unit, (MESSAGE[protocol] ?? '').replace('R1', 'R2'), 'here', 'again');
    await net.pump();
    listens(protocol);
    await calls(protocol, byMessage);
    for (let waited = 0; waited < 12_000 && !arc.has('INVITE'); waited += 500) await net.after(500);
    expect(reported()).toHaveLength(2);
    const invite = await takesCall(arc, net);
    await net.after(2_000);
    arc.inDialog(arc.answeredTalk(invite), 'BYE');
    await net.after(15_000);
    expect(errors()).toEqual(['destinationUnreached']);
  });
});

describe.each(VOICE_PROTOCOLS)('an alarm of %s', (protocol) => {
  it.each(Object.entries(ROUTES))('whose destination %s is not cleared', async (_, does) => {
    await raised(protocol);
    expect(await until(protocol, does)).toBe(5);
    expectUncleared();
    await nothingLeft();
  });

  it('whose device hangs up while people are called is not cleared', async () => {
    await raised(protocol);
    unit.inDialog(talk, 'BYE');
    await net.after(500);
    expect(noted()).toEqual({ commands: [], outcome: 'deviceHungUp' });
    expect(unit.audio.digits).toEqual([]);
    expect(orders).toEqual([]);
  });

  it('whose people have spoken and hang up is cleared', async () => {
    await raised(protocol);
    const invite = await takesCall(arc, net);
    await net.after(2_000);
    arc.inDialog(arc.answeredTalk(invite), 'BYE');
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) {
      await net.after(500);
      listens(protocol);
    }
    expect(noted().commands).toEqual(['clearDown']);
    expect(unit.has('BYE')).toBe(true);
    expect(errors()).toEqual([]);
    const word = TABLE[protocol]?.clearDown ?? '';
    const received = unit.audio.digits.map(({ digit }) => digit).join('');
    // A word of its protocol: digits with their lengths, or the data of a message.
    if (word.startsWith('2 ')) expect(orders).toContain('D');
    else if (word !== '' && word !== 'BYE') expect(received).toContain(word.replaceAll(/ \d+|[, ]/g, ''));
  });
});

describe('missing people to call', () => {
  it('a tone device that is to reach its own destination, of which none is known, is hung up uncleared at once', async () => {
    const alarmBridge = { usePredefinedDestination: true };
    site.device({
      deviceId: '12345678:0001',
      deviceType: 'alarmbridgeAlarmUnit',
      serviceData: { alarmBridge },
    });
    await raised('bs8521', { defaultEmergencyDestination: undefined });
    await until('bs8521', () => undefined, 5_000);
    expect(unit.has('BYE')).toBe(true);
    expect(noted()).toEqual({ commands: [], outcome: 'unreached' });
    expect(errors()).toEqual(['destinationUnreached']);
    await nothingLeft();
  });

  it('a NOW-IP alarm without a decision is not dealt with: its call is an event of its own, and is not cleared', async () => {
    site.answerBy(() => ({ kind: 'failed', code: 'unreachable', reason: 'no connection' }));
    await raised('nowip', { defaultEmergencyDestination: undefined });
    expect(orders).toEqual([]);
    // The MESSAGE, then the call.
    expect(new Set(reported().map(({ body }) => body.sessionId)).size).toBe(2);
    await until('nowip', () => undefined, 30_000);
    expect(unit.has('BYE')).toBe(true);
    expect(orders).toEqual([]);
  });
});
