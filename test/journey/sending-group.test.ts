import { afterEach, describe, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import {
  AT_CENTRE,
  allQuiet,
  centreBridge,
  centreKnows,
  LOGIN,
  noDefects,
  type Pair,
  send,
  sendingPair,
  told,
} from '#test/support/sending.ts';

const opened: Pair[] = [];

async function two(protocol: string) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol);
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

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
    await made.until(() => told(made.sender, 'alarmSent').length === 1);
    expect(course(made)).toEqual([`alarmQueued ${sessionId}`, `alarmSent ${sessionId}`]);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
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
      await made.until(() => told(made.sender, 'alarmSent').length === 3, 90_000);
      expect(told(made.centre, 'newAlarmbridgeEvent').map(({ alarmEvent }) => alarmEvent)).toMatchObject([
        { deviceId: '0042' },
        { deviceId: '0043' },
        { deviceId: '0044' },
      ]);
      const sent = told(made.sender, 'alarmSent').map(({ sessionId }) => sessionId);
      expect(sent).toEqual([first.sessionId, second.sessionId, third.sessionId]);
      expect(told(made.sender, 'alarmQueued')).toHaveLength(3);
      const dialogs = new Set(told(made.sender, 'alarmSent').map(({ dialogId }) => dialogId));
      expect(dialogs.size).toBe(1);
      await made.after(30_000);
      allQuiet(made);
    },
  );

  it('that the centre does not select go out in a new call, and fail only when tries are used up', async () => {
    const made = await two('bs8521');
    // The centre acknowledges the string; then its line is cut.
    const { sessionId } = await send(made, ofUnit('0042'));
    await made.until(() => told(made.sender, 'alarmQueued').length === 1);
    made.lose(() => true);
    made.sender.media.network.carries = () => false;
    made.centre.media.network.carries = () => false;
    await made.until(() => told(made.sender, 'alarmSendFailure').length === 1, 900_000);
    expect(told(made.sender, 'alarmSendFailure')).toMatchObject([{ sessionId }]);
    expect(told(made.sender, 'alarmQueued')).toHaveLength(1);
    expect(told(made.sender, 'alarmSent')).toEqual([]);
  }, 60_000);

  it('go on in a new call when the one that held their call is taken back', async () => {
    const made = await two('bs8521');
    const first = await send(made, ofUnit('0042'));
    const second = await send(made, ofUnit('0043'));
    await made.after(2_000);
    void made.sender.runtime.commands.hangUp(first.sessionId);
    await made.until(() => told(made.sender, 'alarmSent').length === 1, 120_000);
    expect(told(made.sender, 'alarmSent')).toMatchObject([{ sessionId: second.sessionId }]);
    expect(told(made.sender, 'alarmSendFailure')).toMatchObject([{ sessionId: first.sessionId }]);
    await made.after(60_000);
    allQuiet(made);
  });

  it('go out by SCAIP without a queue', async () => {
    const made = await two('scaip');
    made.centre.answerBy(() => answered({ action: 'drop' }));
    await send(made, ofUnit('0042'));
    await made.after(2_000);
    expect(told(made.sender, 'alarmQueued')).toEqual([]);
    expect(told(made.sender, 'alarmSent')).toHaveLength(1);
  });
});
