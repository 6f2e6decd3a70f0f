import { describe, expect, it } from 'vitest';
import {
  parseMessage,
  type SipRequest,
  type SipResponse,
  writeRequest,
} from '#appliance/sip/message/index.ts';
import {
  AT_CENTRE,
  allQuiet,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';

/*
 * Two appliances, a scheme between them: one is its controller, the other the centre. Whenever their call is cut, each waiting unit
 * is taken once in the end, and the centre's application has a callback about it. The same unit in a new call is a new event there.
 */

const opened = keptPairs();
const UNITS = ['0042', '0043', '0007'] as const;

/**
 * Three units of a scheme wait; `cut` ends the call of the two, as a network between them would. `onMessage`: called for each SIP
 * message that is on its way, before it arrives.
 */
async function scheme(
  protocol: string,
  onMessage: (cut: () => number | undefined) => void = () => undefined,
) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol);
  let invite: SipRequest | undefined;
  let answer: SipResponse | undefined;
  made.lose((_, bytes) => {
    const read = parseMessage(bytes);
    if (read.ok && read.value.kind === 'request' && read.value.method === 'INVITE') invite = read.value;
    else if (read.ok && read.value.kind === 'response' && read.value.cseq.method === 'INVITE')
      if (read.value.status === 200) answer = read.value;
    onMessage(cut);
    return false;
  });
  /** How many units were taken by then; undefined: there is no call. */
  const cut = (): number | undefined => {
    if (invite === undefined || answer?.callId !== invite.callId) return undefined;
    if (made.sender.runtime.load.calls === 0) return undefined;
    const taken = callbacksOf(made.sender, 'alarmSent').length;
    byeTo(made, 'centre', invite, answer);
    byeTo(made, 'sender', invite, answer);
    return taken;
  };
  const sessions: string[] = [];
  for (const deviceId of UNITS) {
    const alarmEvent = { deviceId, systemConfig: 'groupedSupervisorOffDuty', audio: 'duplex' };
    sessions.push((await send(made, { alarmEvent })).sessionId);
  }
  return { made, sessions, cut };
}

function byeTo(made: Pair, whom: 'sender' | 'centre', invite: SipRequest, answer: SipResponse): void {
  const to = made[whom];
  const from = whom === 'sender' ? made.centre : made.sender;
  const [caller, callee] = [answer.header('From') ?? '', answer.header('To') ?? ''];
  const bytes = writeRequest({
    method: 'BYE',
    uri: `sip:${to.address}`,
    headers: [
      ['Via', `SIP/2.0/UDP ${from.address}:5060;branch=z9hG4bKcut${whom}`],
      ['Max-Forwards', '70'],
      ['From', whom === 'centre' ? caller : callee],
      ['To', whom === 'centre' ? callee : caller],
      ['Call-ID', invite.callId],
      ['CSeq', `${whom === 'centre' ? 900 : 901} BYE`],
    ],
    body: Buffer.alloc(0),
  });
  const [localAddress, remoteAddress] = [to.address, from.address];
  const ports = { localPort: 5060, remotePort: 5060, connection: 0 };
  to.runtime.message({ transport: 'UDP', reliable: false, localAddress, remoteAddress, ...ports }, bytes);
}

/** Units in the callbacks to the centre's application, without the controller's own frame. */
const reportedUnits = (made: Pair): number[] =>
  callbacksOf(made.centre, 'newAlarmbridgeEvent').flatMap(({ alarmEvent }) => {
    const { deviceId } = alarmEvent as { readonly deviceId?: string };
    return deviceId === undefined ? [] : [Number(deviceId)];
  });

/** Each unit is taken once, whatever has happened; `cutAt`: units that were taken when the call was cut. */
async function losesNothing(
  { made, sessions }: Awaited<ReturnType<typeof scheme>>,
  cutAt: number | undefined,
  isExact = true,
) {
  await made.until(() => callbacksOf(made.sender, 'alarmSent').length === UNITS.length, 300_000);
  await made.after(60_000);
  const sent = callbacksOf(made.sender, 'alarmSent').map(({ sessionId }) => String(sessionId));
  expect(sent.toSorted()).toEqual(sessions.toSorted());
  const queued = callbacksOf(made.sender, 'alarmQueued').map(({ sessionId }) => String(sessionId));
  expect(queued.toSorted()).toEqual(sessions.toSorted());
  expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
  expect(new Set(reportedUnits(made))).toEqual(new Set(UNITS.map(Number)));
  const dialogs = new Set(callbacksOf(made.sender, 'alarmSent').map(({ dialogId }) => dialogId)).size;
  if (isExact) expect(dialogs).toBe(cutAt === undefined || cutAt === 0 || cutAt === UNITS.length ? 1 : 2);
  allQuiet(made);
}

const MOMENTS = Array.from({ length: 16 }, (_, index) => 1_000 + index * 2_000);
const EVERY_PART = [0, 1, 2, 3];

describe.each(['bs8521', 'tt92', 'ttnew'])('a scheme of %s', (protocol) => {
  const takenAt = new Set<number>();

  it.each(MOMENTS)('whose call is cut after %i ms loses no unit', async (ms) => {
    const all = await scheme(protocol);
    await all.made.after(ms);
    const cutAt = all.cut();
    if (cutAt !== undefined) takenAt.add(cutAt);
    expect(reportedUnits(all.made).length).toBeGreaterThanOrEqual(cutAt ?? 0);
    await losesNothing(all, cutAt);
  });

  it('was cut before the first unit was taken, between two, and behind the last', () => {
    expect([...takenAt].toSorted()).toEqual(EVERY_PART);
  });
});

/** Its messages take no time here: the call is cut at one of them, of one side alone when the other has not answered. */
describe('a scheme of nowip', () => {
  it.each(Array.from({ length: 24 }, (_, index) => 3 + index * 2))(
    'whose call is cut at message %i loses no unit',
    async (at) => {
      let messages = 0;
      let cutAt: number | undefined;
      const all = await scheme('nowip', (cut) => {
        if (++messages >= at) cutAt ??= cut();
      });
      await losesNothing(all, cutAt, false);
      expect(cutAt).toBeDefined();
    },
  );
});

/** Tones of the centre from its acknowledge on do not arrive for so long, but for those that `passes` names. */
async function lostCentre(protocol: string, ms: number, passes: (message: string) => boolean) {
  const { made, sessions } = await scheme(protocol);
  const { sender, centre } = made;
  const carries = [sender.media.network.carries, centre.media.network.carries] as const;
  const queued = () => callbacksOf(sender, 'alarmQueued').length === UNITS.length;
  let isLost = false;
  made.lose((to, bytes) => {
    isLost ||= queued();
    return isLost && to === sender.address && !passes(bytes.toString('latin1'));
  });
  await made.until(queued);
  isLost = true;
  centre.media.network.carries = (datagram) => datagram.toHost === sender.address || carries[1](datagram);
  await made.after(ms);
  made.lose(() => false);
  [sender.media.network.carries, centre.media.network.carries] = carries;
  await losesNothing({ made, sessions, cut: () => undefined }, undefined, false);
}

describe('a centre that is lost once it has acknowledged', () => {
  // Those of BS 8521 and NOW-IP hang up themselves when no device answers their commands.
  it.each(['tt92', 'ttnew'])(
    '%s, but answers as a telephone: after 130 s its call is given up, and another one takes the units',
    (protocol) => lostCentre(protocol, 125_000, (message) => /^CSeq: \d+ OPTIONS/m.test(message)),
  );

  it.each(['bs8521', 'tt92', 'ttnew', 'nowip'])(
    '%s, altogether: within 45 s its call is given up, and another one takes the units',
    (protocol) => lostCentre(protocol, 44_000, () => false),
  );
});
