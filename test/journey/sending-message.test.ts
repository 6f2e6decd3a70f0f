import { describe, expect, it } from 'vitest';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import {
  AT_CENTRE,
  allQuiet,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  phoneAt,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(...given: Parameters<typeof sendingPair>) {
  const made = await sendingPair(...given);
  opened.push(made);
  return made;
}

describe('an event that goes out by SCAIP', () => {
  it('arrives with every field, is acknowledged, and reported as sent', async () => {
    const made = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(made, 'scaip');
    const taken = await send(made, { sipFrom: 'unit-17', traceId: 'order-4711' });
    await made.after(1_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
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
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
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
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
    allQuiet(made);
  });
});

describe('an event of SCAIP of more than 1000 bytes', () => {
  /** Five bytes each in XML. */
  const LONG = { alarmEvent: { audio: 'duplex', callerId: `sip:${'&'.repeat(200)}@care.example` } };

  /** Transports of what went to the centre, one for each try. */
  async function transports(
    destAddr: string,
    body: Record<string, unknown>,
    network: { readonly lost?: boolean; readonly closed?: boolean } = {},
  ): Promise<string[]> {
    const made = await two({ protocol: 'scaip', destAddr });
    centreBridge(made, 'scaip');
    const seen: string[] = [];
    made.lose((to, bytes) => {
      const via = /^MESSAGE .*\r\nVia: SIP\/2.0\/(\w+)/.exec(bytes.toString('latin1'))?.[1];
      if (via === undefined || to !== made.centre.address) return false;
      if (seen.at(-1) !== via) seen.push(via);
      return network.lost === true && via === 'TCP';
    });
    if (network.closed === true) made.sender.network.noTransport.add('TCP');
    await send(made, body);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 30_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    return seen;
  }

  it('goes by TCP, a short one by UDP', async () => {
    expect(await transports(AT_CENTRE, LONG)).toEqual(['TCP']);
    expect(await transports(AT_CENTRE, {})).toEqual(['UDP']);
  });

  it('goes by UDP where that is said', async () => {
    expect(await transports(`${AT_CENTRE};transport=udp`, LONG)).toEqual(['UDP']);
  });

  it('goes by UDP where no connection opens', async () => {
    expect(await transports(AT_CENTRE, LONG, { closed: true })).toEqual(['UDP']);
  });

  it('goes by UDP when the connection brings no answer', async () => {
    expect(await transports(AT_CENTRE, LONG, { lost: true })).toEqual(['TCP', 'UDP']);
  });
});

describe('an event of SCAIP whose profile deflates long bodies', () => {
  /** Five bytes each in XML. */
  const LONG = { alarmEvent: { audio: 'duplex', callerId: `sip:${'&'.repeat(200)}@care.example` } };

  /** The sender's MESSAGEs to the centre: deflated or not, and by which transport. */
  async function deflating(lost: (isDeflated: boolean) => boolean, above: number | null = 500) {
    const made = await two(
      { protocol: 'scaip', destAddr: AT_CENTRE },
      { mapper: { protocolProfile: 'ours' } },
    );
    const content = { sender: { deflateAboveBytes: above } };
    const row = protocolProfileRequestSchema.parse({ name: 'ours', kind: 'xml', extends: 'scaip', content });
    made.sender.tenant.put('protocolprofile', 'ours', row);
    centreBridge(made, 'scaip');
    const seen: string[] = [];
    made.lose((to, bytes) => {
      const text = bytes.toString('latin1');
      const via = /^MESSAGE .*\r\nVia: SIP\/2.0\/(\w+)/.exec(text)?.[1];
      if (via === undefined || to !== made.centre.address) return false;
      const isDeflated = text.includes('Content-Encoding: deflate');
      const route = `${via} ${isDeflated ? 'deflated' : 'plain'}`;
      if (seen.at(-1) !== route) seen.push(route);
      return lost(isDeflated);
    });
    return { made, seen };
  }

  const sentOnce = async (made: Awaited<ReturnType<typeof two>>) => {
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 30_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
      { alarmString: expect.stringMatching(/^<.*mrq>$/s) },
    ]);
  };

  it('is deflated when it is longer, and needs no connection then', async () => {
    const { made, seen } = await deflating(() => false);
    await send(made, LONG);
    await sentOnce(made);
    expect(seen).toEqual(['UDP deflated']);
  });

  it('is not when it is shorter, or none is to be', async () => {
    const short = await deflating(() => false);
    await send(short.made);
    await sentOnce(short.made);
    expect(short.seen).toEqual(['UDP plain']);
    const never = await deflating(() => false, null);
    await send(never.made, LONG);
    await sentOnce(never.made);
    expect(never.seen).toEqual(['TCP plain']);
  });

  it('is said again as it is to a receiver that does not answer', async () => {
    const { made, seen } = await deflating((isDeflated) => isDeflated);
    await send(made, LONG);
    await sentOnce(made);
    expect(seen).toEqual(['UDP deflated', 'TCP plain']);
  });

  it.each([
    ['refuses the encoding', 415, undefined],
    ['finds no XML in it', 200, '<mrs><ref>0</ref><snu>2</snu></mrs>'],
  ])('is sent at once as it is to a receiver that %s', async (_what, status, answer) => {
    const { made } = await deflating(() => false);
    const phone = await phoneAt(made, 'sender', 'old');
    made.sender.mapper(
      { protocol: 'scaip', destAddr: `sip:alarm@${phone.host};transport=udp` },
      { protocolProfile: 'ours' },
    );
    await send(made, LONG);
    await made.until(() => phone.has('MESSAGE'));
    const first = phone.request('MESSAGE');
    expect(first.header('Content-Encoding')).toBe('deflate');
    expect(first.body.length).toBeLessThan(500);
    phone.respond(first, status, answer === undefined ? {} : { sdp: answer });
    await made.after(200);
    const second = phone.request('MESSAGE');
    expect(second.header('Content-Encoding')).toBeUndefined();
    expect(second.body.toString()).toContain('&amp;&amp;');
    const ref = /<ref>(\w+)<\/ref>/.exec(second.body.toString())?.[1];
    phone.respond(second, 200, { sdp: `<mrs><ref>${ref}</ref><snu>0</snu></mrs>` });
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 5_000);
  });
});

describe('an event that goes out by NOW-IP', () => {
  it('arrives in the digits of BS 8521, without a call when no person is to speak', async () => {
    const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE });
    centreBridge(made, 'nowip');
    await send(made);
    await made.after(2_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
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
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
      { protocol: 'nowip', alarmString: expect.stringMatching(/^00001234567800420/) },
    ]);
    await made.after(70_000);
    allQuiet(made);
  });

  it('is one event when the receiver deals with it before its call comes, and its call is cleared', async () => {
    const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE, ...LOGIN });
    centreKnows(made);
    centreBridge(made, 'nowip');
    await send(made, { alarmEvent: { audio: 'duplex' } });
    await made.after(30_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
    allQuiet(made);
  });

  it.each([undefined, 'online'])(
    'that is a heartbeat (%s) is a message of type 0, and no event',
    async (statusCode) => {
      const made = await two({ protocol: 'nowip', destAddr: AT_CENTRE });
      centreBridge(made, 'nowip');
      await send(made, { alarmEvent: { deviceType: 'heartbeat', statusCode } });
      await made.after(2_000);
      expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ alarmString: '123456780042' }]);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
    },
  );
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
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'callback', sessionId }]);
    allQuiet(made);
  });
});

describe('an event whose event sender notifies an application (alarmHandling callback)', () => {
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
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'callback', sessionId }]);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
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
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
  });
});
