import { afterEach, describe, expect, it } from 'vitest';
import {
  AT_CENTRE,
  allQuiet,
  centreBridge,
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
