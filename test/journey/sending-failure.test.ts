import { describe, expect, it } from 'vitest';
import type { TestOptions } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
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
  phoneAt,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(target: Record<string, unknown>, options: Parameters<typeof sendingPair>[1] = {}) {
  const made = await sendingPair(target, options);
  opened.push(made);
  centreKnows(made);
  return made;
}

/** No receiver is at these addresses. */
const NOWHERE = '203.0.113.9';
const DEAD: Readonly<Record<string, string>> = {
  scaip: `sip:alarm@${NOWHERE}`,
  nowip: `sip:alarm@${NOWHERE}`,
  bs8521: `sip:alarm@${NOWHERE}`,
  tt92: `sip:alarm@${NOWHERE}`,
  voicecall: `sip:alarm@${NOWHERE}`,
  'sia-dcs': `${NOWHERE}:12300`,
  'adm-cid': `${NOWHERE}:12300`,
};
const ALIVE = (protocol: string): string =>
  protocol === 'sia-dcs' || protocol === 'adm-cid' ? `${CENTRE}:12300` : AT_CENTRE;
const RECEIVED = (protocol: string): string =>
  protocol === 'sia-dcs' || protocol === 'adm-cid' ? 'dc09' : protocol;

describe('a receiver that is not there', () => {
  it.each(Object.keys(DEAD))('%s: the backup is tried, and takes the event', async (protocol) => {
    const made = await two({
      protocol,
      destAddr: DEAD[protocol],
      ...LOGIN,
      backupEndpoint: { backupDestAddr: ALIVE(protocol) },
    });
    centreBridge(made, RECEIVED(protocol), {
      ...(RECEIVED(protocol) === 'dc09' && { destinationMatch: '#12345678$' }),
    });
    made.frames.cutTo(({ host }) => host === NOWHERE);
    await send(made);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 120_000);
    await made.after(1_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
  });

  it.each(Object.keys(DEAD))(
    '%s: with no other transport it is reported as a failure, once',
    async (protocol) => {
      const made = await two({ protocol, destAddr: DEAD[protocol] });
      made.frames.cutTo(() => true);
      const { sessionId } = await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSendFailure').length === 1, 240_000);
      expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([
        { sessionId, protocol, warning: expect.stringMatching(/^(noAnswer|noRoute)$/), reason: /./ },
      ]);
      await made.after(60_000);
      expect(callbacksOf(made.sender, 'alarmSendFailure')).toHaveLength(1);
      expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
      allQuiet(made);
    },
  );

  it('is reported as an alarm of the platform where no application is set', async () => {
    const made = await two(
      { protocol: 'scaip', destAddr: DEAD.scaip },
      { bridge: { callbackBaseUrl: undefined } },
    );
    made.sender.notify('https://app.example/alarms');
    const { sessionId } = await send(made);
    await made.until(() => made.sender.posted.length > 0, 120_000);
    expect(made.sender.posted.map(({ body }) => body)).toMatchObject([
      { type: 'serviceAlarm', error: 'alarmNotSent', sessionId, errorDetails: { warning: 'noAnswer' } },
    ]);
  });
});

describe('a receiver that refuses', () => {
  it('for want of a password is reported as authFailed', async () => {
    const made = await two({
      protocol: 'bs8521',
      destAddr: AT_CENTRE,
      sipAuthUser: 'carillon',
      sipAuthPassword: 'wrong',
    });
    centreBridge(made, 'bs8521');
    await send(made);
    await made.until(() => callbacksOf(made.sender, 'alarmSendFailure').length === 1, 60_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([{ warning: 'authFailed' }]);
  });

  it('cannot get an event that its protocol has no words for: a person is called', async () => {
    const made = await two(
      { protocol: 'tt92', destAddr: AT_CENTRE },
      { mapper: { unknownAlarmEventVoiceDestination: 'sip:person@care.example' } },
    );
    const person = await phoneAt(made, 'sender', 'person');
    const unit = await phoneAt(made, 'sender', 'unit');
    await send(made, {
      alarmEvent: { statusCode: 'restoral' },
      alarmVoiceCallbackDestination: 'sip:unit@care.example',
    });
    await answerCall(made, person);
    await answerCall(made, unit);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([{ warning: 'notExpressible' }]);
  });
});

describe('an appliance that dies while it sends', () => {
  const again = async (made: Pair): Promise<Pair> => {
    const { folder } = made.sender;
    await made.sender.close(true);
    const sender: TestOptions = { folder };
    const next = await sendingPair({ protocol: 'scaip', destAddr: AT_CENTRE }, { pair: { sender } });
    opened.push(next);
    return next;
  };

  it('sends after its restart what had not arrived, under the same id', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    first.lose(() => true);
    const { sessionId, traceId } = await send(first);
    await first.after(3_000);
    opened.splice(0);
    const next = await again(first);
    centreBridge(next, 'scaip');
    next.sender.runtime.restore();
    await next.until(() => callbacksOf(next.sender, 'alarmSent').length === 1, 30_000);
    expect(callbacksOf(next.sender, 'alarmSent')).toMatchObject([{ sessionId, traceId }]);
    expect(callbacksOf(next.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    await first.centre.close();
  });

  it('spends no try before SIP is open, and sends as soon as it is', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    first.lose(() => true);
    const { sessionId } = await send(first);
    await first.after(3_000);
    opened.splice(0);
    const next = await again(first);
    centreBridge(next, 'scaip');
    next.sender.runtime.restore({ sendsLater: true });
    await next.after(30_000);
    expect(next.sender.runtime.sending.sessions.sessionIds).toEqual([sessionId]);
    expect(callbacksOf(next.centre, 'newAlarmbridgeEvent')).toEqual([]);
    next.sender.runtime.networkOpened();
    await next.until(() => callbacksOf(next.sender, 'alarmSent').length === 1, 5_000);
    await first.centre.close();
  });

  it('does not send twice under another reference what had arrived before', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(first, 'scaip');
    // The event arrives, its answer does not.
    first.lose((to) => to === first.sender.address);
    await send(first);
    await first.after(2_000);
    const refs = first.centre.posted.map(({ body }) => JSON.stringify(body.sourceAlarmEvent));
    expect(refs).toHaveLength(1);
    opened.splice(0);
    const next = await again(first);
    centreBridge(next, 'scaip');
    next.sender.runtime.restore();
    await next.until(() => callbacksOf(next.sender, 'alarmSent').length === 1, 30_000);
    const refOf = (text: string) => /<ref>(\w+)<\/ref>/.exec(text)?.[1];
    const [second] = callbacksOf(next.centre, 'newAlarmbridgeEvent');
    expect(refOf(JSON.stringify(second?.sourceAlarmEvent))).toBe(refOf(refs[0] ?? ''));
    await first.centre.close();
  });

  it('waits for an event sender that comes with the configuration, a minute at most', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    first.lose(() => true);
    const sessions = [(await send(first)).sessionId];
    await first.after(3_000);
    opened.splice(0);
    const next = await again(first);
    centreBridge(next, 'scaip');
    next.sender.tenant.remove('alarmeventmapper', 'mapper-1');
    next.sender.runtime.restore();
    await next.after(20_000);
    expect(callbacksOf(next.sender, 'alarmSendFailure')).toEqual([]);
    next.sender.mapper({ protocol: 'scaip', destAddr: AT_CENTRE });
    await next.until(() => callbacksOf(next.sender, 'alarmSent').length === 1, 5_000);
    expect(callbacksOf(next.sender, 'alarmSent').map(({ sessionId }) => sessionId)).toEqual(sessions);
    expect(callbacksOf(next.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    await first.centre.close();
  });

  it('reports that an event was not sent whose event sender does not come back', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    first.lose(() => true);
    const { sessionId } = await send(first);
    opened.splice(0);
    const next = await again(first);
    next.sender.tenant.remove('alarmeventmapper', 'mapper-1');
    next.sender.runtime.restore();
    await next.until(() => callbacksOf(next.sender, 'alarmSendFailure').length === 1, 65_000);
    expect(callbacksOf(next.sender, 'alarmSendFailure')).toMatchObject([
      { sessionId, reason: expect.stringContaining('mapper-1 does not exist') },
    ]);
    await first.centre.close();
  });

  it('does not send what was taken before', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(first, 'scaip');
    await send(first);
    await first.after(2_000);
    expect(callbacksOf(first.sender, 'alarmSent')).toHaveLength(1);
    opened.splice(0);
    const next = await again(first);
    centreBridge(next, 'scaip');
    next.sender.runtime.restore();
    await next.after(20_000);
    expect(callbacksOf(next.sender, 'alarmSent')).toEqual([]);
    expect(callbacksOf(next.centre, 'newAlarmbridgeEvent')).toEqual([]);
    await first.centre.close();
  });

  it('answers the same Idempotency-Key alike, also after its restart, and sends once', async () => {
    const first = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(first, 'scaip');
    const one = await send(first, {}, 'key-1');
    const two_ = await send(first, {}, 'key-1');
    expect(two_.sessionId).toBe(one.sessionId);
    await first.after(2_000);
    expect(callbacksOf(first.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    opened.splice(0);
    const next = await again(first);
    next.sender.runtime.restore();
    expect((await send(next, {}, 'key-1')).sessionId).toBe(one.sessionId);
    await first.centre.close();
  });
});

describe('a disk that cannot be written', () => {
  it('makes sendalarmevent fail, and nothing is sent', async () => {
    const made = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(made, 'scaip');
    made.sender.breakDisk(true);
    await expect(send(made)).rejects.toThrow();
    made.sender.breakDisk(false);
    await made.after(5_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
  });
});
