import { expect, it } from 'vitest';
import { answerCall, callbacksOf, keptPairs, type Pair, send, withPeople } from '#test/support/sending.ts';

/*
 * hangupalarmcall while a unit of a group scheme is spoken with: its unit is cleared first, and the next one that waits is heard in the
 * same call (protocols 5 and 14). The caller hears whether the scheme has confirmed it.
 */

const opened = keptPairs();

const ofUnit = (deviceId: string) => ({
  alarmEvent: { deviceId, systemConfig: 'groupedSupervisorOffDuty', audio: 'duplex' },
});

/** People at the centre speak with the first of two units. */
async function speakingWithFirst(protocol: string) {
  const { made, arc } = await withPeople(protocol);
  opened.push(made);
  await send(made, ofUnit('0042'));
  await send(made, ofUnit('0043'));
  await answerCall(made, arc);
  await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 2, 20_000);
  await made.after(1_500);
  const [first] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
  return { made, arc, sessionId: String(first?.sessionId) };
}

/** The answer to the application, and after how long it comes. */
async function hangUp(made: Pair, sessionId: string): Promise<string> {
  let outcome = '';
  void made.centre.runtime.commands.hangUp(sessionId)?.then((done) => {
    outcome = done.ok ? 'done' : done.error.code;
  });
  await made.until(() => outcome !== '', 20_000);
  return outcome;
}

it.each(['bs8521', 'nowip', 'tt92', 'ttnew'])(
  '%s: the unit is cleared, and the next one is spoken with in the same call',
  async (protocol) => {
    const { made, arc, sessionId } = await speakingWithFirst(protocol);
    expect(await hangUp(made, sessionId)).toBe('done');
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 2, 30_000);
    expect(new Set(callbacksOf(made.sender, 'alarmSent').map(({ dialogId }) => dialogId)).size).toBe(1);
    const next = callbacksOf(made.centre, 'newAlarmbridgeEvent').at(-1);
    const unit = protocol.startsWith('tt') ? '043' : '0043';
    expect(next).toMatchObject({ alarmEvent: { deviceId: unit } });
    expect(next?.sessionId).not.toBe(sessionId);
    // People are joined with it, too.
    await made.until(() => arc.has('INVITE'), 20_000);
  },
);

it.each(['bs8521', 'nowip', 'ttnew'])(
  '%s: of a scheme that does not confirm it the application hears so',
  async (protocol) => {
    const { made, sessionId } = await speakingWithFirst(protocol);
    made.lose(() => true);
    made.sender.media.network.carries = () => false;
    made.centre.media.network.carries = () => false;
    expect(await hangUp(made, sessionId)).toBe('deviceSilent');
  },
);
