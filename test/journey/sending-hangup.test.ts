import { describe, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  allQuiet,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  phoneAt,
  send,
  sendingPair,
} from '#test/support/sending.ts';

/*
 * A party hangs up, at every moment of the way: whatever happens, the event has one reported end, and no party is left
 * on a line.
 */

type Phone = Awaited<ReturnType<typeof phoneAt>>;
const opened = keptPairs();

async function three(protocol: string) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol, { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
  made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const arc = await phoneAt(made, 'centre', 'arc');
  const unit = await phoneAt(made, 'sender', 'unit');
  return { made, arc, unit };
}

/** People who answer, and who hang up when their time has come. */
async function live(made: Pair, phones: readonly Phone[], ms: number, leaves?: Phone): Promise<void> {
  const talks = new Map<Phone, ReturnType<Phone['answeredTalk']>>();
  for (let left = ms; left > 0; left -= 200) {
    await made.after(200);
    for (const phone of phones) {
      if (phone.has('INVITE')) {
        const invite = phone.request('INVITE');
        phone.hearPort(invite);
        phone.respond(invite, 200, { sdp: phone.describe() });
        talks.set(phone, phone.answeredTalk(invite));
      }
      if (phone.has('CANCEL')) phone.respond(phone.request('CANCEL'), 200);
      if (phone.has('BYE')) {
        phone.respond(phone.request('BYE'), 200);
        talks.delete(phone);
      }
    }
    const talk = leaves && talks.get(leaves);
    if (leaves !== undefined && talk !== undefined && phones.every((phone) => talks.has(phone))) {
      await made.after(600);
      leaves.inDialog(talk, 'BYE');
      talks.delete(leaves);
    }
  }
}

const outcomes = (made: Pair): number =>
  callbacksOf(made.sender, 'alarmSent').length + callbacksOf(made.sender, 'alarmSendFailure').length;

const VOICE = { alarmVoiceCallbackDestination: 'sip:unit@care.example' };

describe('the application hangs up', () => {
  const moments = [0, 400, 1_000, 2_000, 3_500, 5_000, 6_500, 8_000];
  it.each(
    ['bs8521', 'ttnew', 'nowip', 'scaip'].flatMap((protocol) => moments.map((ms) => [protocol, ms] as const)),
  )('%s, after %i ms: one end is reported, no party is left on a line', async (protocol, ms) => {
    const { made, arc, unit } = await three(protocol);
    const { sessionId } = await send(made, VOICE);
    if (ms > 0) await live(made, [arc, unit], ms);
    void made.sender.runtime.commands.hangUp(sessionId);
    await live(made, [arc, unit], 90_000);
    expect(outcomes(made)).toBe(1);
    allQuiet(made);
  });
});

describe('one of those who speak hangs up', () => {
  it.each(
    ['bs8521', 'ttnew', 'nowip', 'scaip'].flatMap((protocol) => [
      [protocol, 'device'] as const,
      [protocol, 'operator'] as const,
    ]),
  )('%s: the %s; the other one is not left on the line', async (protocol, who) => {
    const { made, arc, unit } = await three(protocol);
    await send(made, VOICE);
    await live(made, [arc, unit], 120_000, who === 'device' ? unit : arc);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
    expect(outcomes(made)).toBe(1);
    allQuiet(made);
  });
});

describe('a device that does not answer', () => {
  it('is called three times; then the receiver is let go, and a person is notified', async () => {
    const { made, arc, unit } = await three('bs8521');
    made.sender.notify('https://app.example/alarms');
    await send(made, VOICE);
    for (
      let left = 180_000;
      left > 0 && made.sender.runtime.load.sendings + outcomes(made) !== 1;
      left -= 200
    )
      await live(made, [arc], 200);
    await live(made, [arc], 150_000);
    const errors = made.sender.posted.filter(({ target }) => target.url.endsWith('/alarms'));
    expect(errors.map(({ body }) => body.error)).toContain('destinationUnreached');
    expect(
      unit.received.filter((each) => each.kind === 'request' && each.method === 'INVITE').length,
    ).toBeGreaterThan(2);
    await live(made, [arc], 60_000);
    allQuiet(made);
  });
});
