import { afterEach, describe, expect, it } from 'vitest';
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

async function two(...given: Parameters<typeof sendingPair>) {
  const made = await sendingPair(...given);
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

describe('an event that goes out by SCAIP', () => {
  it('arrives with every field, is acknowledged, and told as sent', async () => {
    const made = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(made, 'scaip');
    const taken = await send(made, { sipFrom: 'unit-17', traceId: 'order-4711' });
    await made.after(1_000);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
      {
        sourceAlarmProtocol: 'scaip',
        sipFrom: 'unit-17',
        alarmEvent: {
          controllerId: '12345678',
          deviceId: '0042',
          deviceType: 'fallDetector',
          statusCode: 'alarm',
          location: 'bedRoom',
          priority: 7,
          audio: 'none',
        },
      },
    ]);
    expect(told(made.sender, 'alarmSent')).toMatchObject([
      {
        sessionId: taken.sessionId,
        traceId: 'order-4711',
        protocol: 'scaip',
        callingParty: 'unit-17',
        serviceProvider: 'alarm',
        domain: 'care.example',
        alarmString: expect.stringContaining('<cid>12345678</cid>'),
      },
    ]);
    expect(told(made.sender, 'alarmSendFailure')).toEqual([]);
    allQuiet(made);
  });
});

describe('an event that goes out by NOW-IP', () => {
  it('arrives in the digits of BS 8521, without a call when nobody is to speak', async () => {
    const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE });
    centreBridge(made, 'nowip');
    await send(made);
    await made.after(2_000);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
      {
        sourceAlarmProtocol: 'nowip',
        alarmEvent: {
          controllerId: '12345678',
          deviceId: '0042',
          deviceType: 'fallDetector',
          location: 'bedRoom',
        },
      },
    ]);
    expect(told(made.sender, 'alarmSent')).toMatchObject([
      { protocol: 'nowip', alarmString: expect.stringMatching(/^00001234567800420/) },
    ]);
    await made.after(70_000);
    allQuiet(made);
  });

  it('whose receiver deals with it before its call comes is one event, and its call is cleared', async () => {
    const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE, ...LOGIN });
    centreKnows(made);
    centreBridge(made, 'nowip');
    await send(made, { alarmEvent: { audio: 'duplex' } });
    await made.after(30_000);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(told(made.sender, 'alarmSent')).toHaveLength(1);
    allQuiet(made);
  });

  it('that is a heartbeat is a message of type 0, and no event', async () => {
    const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE });
    centreBridge(made, 'nowip');
    await send(made, { alarmEvent: { deviceType: 'heartbeat', statusCode: undefined } });
    await made.after(2_000);
    expect(told(made.sender, 'alarmSent')).toMatchObject([{ alarmString: '123456780042' }]);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
  });
});

describe('an event whose target is a callback', () => {
  it('is posted to partnerUrl under the id of its session', async () => {
    const made = await two({ protocol: 'callback', partnerUrl: 'https://partner.example/in' });
    const { sessionId } = await send(made);
    await made.after(1_000);
    const posted = made.sender.posted.find(({ target }) => target.url === 'https://partner.example/in');
    expect(posted?.delivery.id).toBe(sessionId);
    expect(posted?.body).toMatchObject({
      sessionId,
      targetAlarmProtocol: 'callback',
      alarmEvent: { controllerId: '12345678', deviceType: 'fallDetector', statusCode: 'alarm' },
    });
    expect(told(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'callback', sessionId }]);
    allQuiet(made);
  });
});

describe('an event whose event sender tells an application (alarmHandling callback)', () => {
  it('is posted to the application of its alarm bridge, signed as its callbacks are', async () => {
    const made = await two(
      { protocol: 'scaip', destAddr: AT_CENTRE },
      { mapper: { alarmHandling: 'callback' } },
    );
    const { sessionId } = await send(made);
    await made.after(1_000);
    const posted = made.sender.posted.find(({ target }) => target.url.endsWith('/newAlarmbridgeEvent'));
    expect(posted?.target).toMatchObject({ url: 'https://app.example/cb/newAlarmbridgeEvent' });
    expect(posted?.body).toMatchObject({
      sessionId,
      sourceAlarmProtocol: 'api',
      targetAlarmProtocol: 'callback',
      alarmEvent: { controllerId: '12345678', deviceType: 'fallDetector' },
    });
    expect(told(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'callback', sessionId }]);
    expect(told(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
    allQuiet(made);
  });

  it('goes to partnerUrl where the event sender names one', async () => {
    const made = await two(
      { protocol: 'callback', partnerUrl: 'https://partner.example/in' },
      { mapper: { alarmHandling: 'callback' } },
    );
    await send(made);
    await made.after(1_000);
    expect(made.sender.posted.some(({ target }) => target.url === 'https://partner.example/in')).toBe(true);
    expect(told(made.sender, 'alarmSent')).toHaveLength(1);
  });
});
