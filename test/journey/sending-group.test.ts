import { describe, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import {
  AT_CENTRE,
  allQuiet,
  answerCall,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  send,
  sendingPair,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(protocol: string) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol);
  return made;
}

const ofUnit = (deviceId: string) => ({
  alarmEvent: { deviceId, systemConfig: 'groupedSupervisorOffDuty', audio: 'duplex' },
});

/** Names of callbacks about sending, in their order, by unit. */
const course = (made: Pair): string[] =>
  made.sender.posted
    .filter(({ call }) => call.path.startsWith('/alarm'))
    .map(({ call, body }) => `${call.path.slice(1)} ${String(body.sessionId)}`);

describe('events of a group scheme', () => {
  it('is queued by the acknowledge of its string, and sent when the centre selects its unit', async () => {
    const made = await two('bs8521');
    const { sessionId } = await send(made, ofUnit('0042'));
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    expect(course(made)).toEqual([`alarmQueued ${sessionId}`, `alarmSent ${sessionId}`]);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    await made.after(30_000);
    allQuiet(made);
  });

  it.each(['bs8521', 'nowip'])(
    'share one call of %s: the centre asks for the next one, selects it, and clears',
    async (protocol) => {
      const made = await two(protocol);
      const first = await send(made, ofUnit('0042'));
      const second = await send(made, ofUnit('0043'));
      const third = await send(made, ofUnit('0044'));
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 3, 90_000);
      expect(
        callbacksOf(made.centre, 'newAlarmbridgeEvent').map(({ alarmEvent }) => alarmEvent),
      ).toMatchObject([{ deviceId: '0042' }, { deviceId: '0043' }, { deviceId: '0044' }]);
      const sent = callbacksOf(made.sender, 'alarmSent').map(({ sessionId }) => sessionId);
      expect(sent).toEqual([first.sessionId, second.sessionId, third.sessionId]);
      expect(callbacksOf(made.sender, 'alarmQueued')).toHaveLength(3);
      const dialogs = new Set(callbacksOf(made.sender, 'alarmSent').map(({ dialogId }) => dialogId));
      expect(dialogs.size).toBe(1);
      await made.after(30_000);
      allQuiet(made);
    },
  );

  it.each(['tt92', 'ttnew'])(
    'share one call of %s: each unit is named in a group of 8, selected, spoken with and cleared',
    async (protocol) => {
      const made = await two(protocol);
      const sessions: string[] = [];
      for (const unit of ['0042', '0043', '0007']) sessions.push((await send(made, ofUnit(unit))).sessionId);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 3, 120_000);
      // The frame of the controller, then its units.
      expect(
        callbacksOf(made.centre, 'newAlarmbridgeEvent').map(({ alarmEvent }) => alarmEvent),
      ).toMatchObject([
        { controllerId: '12345678' },
        { controllerId: '12345678', deviceId: '042' },
        { controllerId: '12345678', deviceId: '043' },
        { controllerId: '12345678', deviceId: '007' },
      ]);
      expect(callbacksOf(made.sender, 'alarmQueued').map(({ sessionId }) => sessionId)).toEqual(sessions);
      expect(callbacksOf(made.sender, 'alarmSent').map(({ sessionId }) => sessionId)).toEqual(sessions);
      expect(callbacksOf(made.sender, 'alarmSent').map(({ alarmString }) => alarmString)).toEqual(
        ['6D42DDDD', '6D43DDDD', '6DD7DDDD'].map((group) => `D#102612345678****000000 ${group}`),
      );
      expect(new Set(callbacksOf(made.sender, 'alarmSent').map(({ dialogId }) => dialogId)).size).toBe(1);
      await made.after(40_000);
      allQuiet(made);
    },
  );

  it('a unit of TT whose alarm comes while another one speaks is named in the call, and selected after it', async () => {
    const all = await withPeople('ttnew');
    opened.push(all.made);
    const { made, arc, unit } = all;
    await send(made, { ...VOICE, ...ofUnit('0042') });
    const arcTalk = await answerCall(made, arc);
    await answerCall(made, unit);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    const second = await send(made, ofUnit('0043'));
    await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 2);
    await made.after(4_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
    arc.inDialog(arcTalk, 'BYE');
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 2, 30_000);
    expect(callbacksOf(made.sender, 'alarmSent')[1]).toMatchObject({ sessionId: second.sessionId });
    const dialogs = new Set(callbacksOf(made.sender, 'alarmSent').map(({ dialogId }) => dialogId));
    expect(dialogs.size).toBe(1);
  });

  it('that the centre does not select go out in a new call, and fail only when tries are used up', async () => {
    const made = await two('bs8521');
    // The centre acknowledges the string; then its line is cut.
    const { sessionId } = await send(made, ofUnit('0042'));
    await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 1);
    made.lose(() => true);
    made.sender.media.network.carries = () => false;
    made.centre.media.network.carries = () => false;
    await made.until(() => callbacksOf(made.sender, 'alarmSendFailure').length === 1, 900_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([{ sessionId }]);
    expect(callbacksOf(made.sender, 'alarmQueued')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
  }, 60_000);

  it('go on in a new call when the one that held their call is taken back', async () => {
    const made = await two('bs8521');
    const first = await send(made, ofUnit('0042'));
    const second = await send(made, ofUnit('0043'));
    await made.after(2_000);
    void made.sender.runtime.commands.hangUp(first.sessionId);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 120_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ sessionId: second.sessionId }]);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([{ sessionId: first.sessionId }]);
    await made.after(60_000);
    allQuiet(made);
  });

  it('go out by SCAIP without a queue', async () => {
    const made = await two('scaip');
    made.centre.answerBy(() => answered({ action: 'drop' }));
    await send(made, ofUnit('0042'));
    await made.after(2_000);
    expect(callbacksOf(made.sender, 'alarmQueued')).toEqual([]);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
  });
});
