import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { openFrameListener } from '#appliance/io/frame-listener/index.ts';
import { dtmf, render } from '#appliance/media/dtmf/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { siaFrame } from '#test/support/panel.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { speechOf } from '#test/support/tone-speech.ts';

/*
 * The same alarm from two addresses. A stranger may have planted the first one, so that the second is delivered, too; a device whose address
 * has changed must not become several calls.
 */

const [ONE, TWO] = ['127.0.0.1', '127.0.0.2'];
let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const nowip = (data: string) => encodeAtm({ version: '1', type: '1', data, time: '.', mac: '.' });
const ALARM = {
  scaip: '<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>',
  nowip: nowip('010012345678000101000000'),
  lacs: '<lacs><ref>R1</ref><id>unit</id><event>E1</event></lacs>',
} as const;
type Protocol = keyof typeof ALARM;
/** Answers of the protocol as the device reads them. */
const TAKEN = { scaip: /<snu>0<\/snu>/, nowip: /<type>A<\/type>/, lacs: /<answer ref="R1"\/>/ } as const;
const OUR_LACS = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'id', eventCode: 'event', reference: 'ref' },
  eventTable: { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } },
  reply: { template: '<answer ref="{{reference}}"/>' },
};

function bridge(protocol: Protocol, of = site): void {
  const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: OUR_LACS };
  of.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  const named = protocol === 'lacs' ? { protocolProfile: 'ours' } : {};
  const defaultEmergencyDestination = 'sip:arc@care.example';
  of.bridge({ protocol, name: 'Units', destinationMatch: '^here$', defaultEmergencyDestination, ...named });
}

let messages = 0;
/** The unit, or who says to be it, speaks from the address of this telephone. */
async function says(from: Telephone, body: string, by = net): Promise<string[]> {
  from.send({
    method: 'MESSAGE',
    uri: 'sip:here@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:here@care.example>'],
      ['Call-ID', `message-${++messages}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(body),
  });
  await by.pump();
  const received: string[] = [];
  while (from.has('MESSAGE')) {
    const request = from.request('MESSAGE');
    from.respond(request, 200);
    received.push(request.body.toString());
  }
  await by.pump();
  return received;
}

interface Report {
  readonly sessionId: string;
  readonly possibleRepeatOf?: string;
}

const reported = (of = site): readonly Report[] =>
  of.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);
const errors = () => site.posted.flatMap(({ body }) => body.error ?? []);

describe.each(['scaip', 'nowip', 'lacs'] as const)('%s', (protocol) => {
  beforeEach(() => {
    bridge(protocol);
    site.device({ deviceId: 'unit' });
  });

  it('delivers the alarm that a stranger has planted and that of the device, and answers each', async () => {
    const [stranger, unit] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
    expect(await says(stranger, ALARM[protocol])).toEqual([expect.stringMatching(TAKEN[protocol])]);
    expect(await says(unit, ALARM[protocol])).toEqual([expect.stringMatching(TAKEN[protocol])]);
    const [planted, own] = reported();
    expect(reported()).toHaveLength(2);
    expect(planted?.possibleRepeatOf).toBeUndefined();
    expect(own?.possibleRepeatOf).toBe(planted?.sessionId);
    expect(own?.sessionId).not.toBe(planted?.sessionId);
    expect(new Set(site.posted.map(({ delivery }) => delivery.id)).size).toBe(site.posted.length);
    for (const from of [unit, stranger])
      expect(await says(from, ALARM[protocol])).toEqual([expect.stringMatching(TAKEN[protocol])]);
    expect(reported()).toHaveLength(2);
  });

  it('delivers three more addresses, counts the rest, answers them and says so to a person', async () => {
    const all = Array.from({ length: 6 }, (_, n) => net.stranger('unit', `127.0.0.${n + 1}`));
    for (const each of all)
      expect(await says(each, ALARM[protocol])).toEqual([expect.stringMatching(TAKEN[protocol])]);
    expect(reported()).toHaveLength(4);
    expect(errors()).toEqual(['possibleRepeats']);
    expect(site.logged.filter((line) => line.includes('possible_repeat.counted'))).toHaveLength(2);
  });

  it('knows both after a restart, and a third address is reported then', async () => {
    const [first, second] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
    await says(first, ALARM[protocol]);
    await says(second, ALARM[protocol]);
    const [planted] = reported();
    await site.close(true);
    site = await testAppliance({ folder: site.folder });
    site.answerBy(() => answered({ action: 'drop' }));
    bridge(protocol);
    site.device({ deviceId: 'unit' });
    site.runtime.restore();
    net = telephones(site);
    for (const address of [ONE, TWO])
      expect(await says(net.stranger('unit', address), ALARM[protocol])).toEqual([
        expect.stringMatching(TAKEN[protocol]),
      ]);
    expect(reported()).toEqual([]);
    await says(net.stranger('unit', '127.0.0.3'), ALARM[protocol]);
    expect(reported()).toMatchObject([{ possibleRepeatOf: planted?.sessionId }]);
  });

  it('gives what was planted at another host no id that the alarm of the device has here', async () => {
    const other = await testAppliance();
    other.answerBy(() => answered({ action: 'drop' }));
    bridge(protocol, other);
    other.device({ deviceId: 'unit' });
    const there = telephones(other);
    await says(there.stranger('unit', ONE), ALARM[protocol], there);
    await says(net.stranger('unit', TWO), ALARM[protocol]);
    const ids = [other, site].map((of) => reported(of).map(({ sessionId }) => sessionId));
    expect(ids.map(({ length }) => length)).toEqual([1, 1]);
    expect(ids[0]).not.toEqual(ids[1]);
    await other.close();
  });
});

it('a device that proves itself repeats from anywhere', async () => {
  bridge('scaip');
  const unit = await net.device('unit', ONE, {}, false);
  const moved = await net.device('unit', TWO, {}, false);
  const proven = async (from: Telephone) => {
    const message = (headers: (readonly [string, string])[]) => ({
      method: 'MESSAGE',
      uri: 'sip:here@care.example',
      headers: [
        ['From', '<sip:unit@care.example>;tag=m'],
        ['To', '<sip:here@care.example>'],
        ['Call-ID', `message-${++messages}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', 'application/xml'],
        ...headers,
      ] as const,
      body: Buffer.from(ALARM.scaip),
    });
    from.send(message([]));
    await net.pump();
    from.send(message([from.proof(from.response(401, 'MESSAGE'), 'MESSAGE', 'sip:here@care.example')]));
    await net.pump();
  };
  await proven(unit);
  await proven(moved);
  expect(reported()).toHaveLength(1);
});

describe('speech of a device whose address has changed', () => {
  let arc: Telephone;

  beforeEach(async () => {
    bridge('scaip');
    arc = await net.device('arc', '192.0.2.31');
    const serviceData = { alarmBridge: { voiceDestination: 'sip:unit@127.0.0.2:5060' } };
    site.device({ deviceId: 'unit', serviceData });
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  });

  it('is one call to the device when it wants to be called', async () => {
    const wanted = ALARM.scaip.replace('</mrq>', '<cha>1</cha></mrq>');
    const [before, now] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
    await says(before, wanted);
    await says(now, wanted);
    expect(reported()).toHaveLength(2);
    await net.after(20_000);
    const invite = now.request('INVITE');
    expect(now.has('INVITE')).toBe(false);
    now.respond(invite, 200, { sdp: now.describe() });
    await net.pump();
    arc.respond(arc.request('INVITE'), 200, { sdp: arc.describe() });
    await net.after(400_000, 10_000);
    expect([now.has('INVITE'), arc.has('INVITE')]).toEqual([false, false]);
    expect(errors()).not.toContain('voiceCallMissing');
  });

  it('is one call of the device, and no other is missed', async () => {
    const [before, now] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
    await says(before, ALARM.scaip);
    await says(now, ALARM.scaip);
    expect(reported()).toHaveLength(2);
    const talk = await now.invite('here', net.pump, { challenged: false });
    now.acknowledge(talk, now.response(200));
    await net.pump();
    const people = arc.request('INVITE');
    arc.hearPort(people);
    arc.respond(people, 200, { sdp: arc.describe() });
    await net.after(1_000);
    now.inDialog(talk, 'BYE');
    await net.after(70_000, 5_000);
    expect(arc.has('INVITE')).toBe(false);
    expect(errors()).not.toContain('voiceCallMissing');
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('is missed when only another address has called', async () => {
    const [stranger, own] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
    await says(stranger, ALARM.scaip);
    await says(own, ALARM.scaip);
    const talk = await stranger.invite('here', net.pump, { challenged: false });
    stranger.acknowledge(talk, stranger.response(200));
    await net.pump();
    const people = arc.request('INVITE');
    arc.hearPort(people);
    arc.respond(people, 200, { sdp: arc.describe() });
    await net.after(1_000);
    stranger.inDialog(talk, 'BYE');
    await net.after(70_000, 5_000);
    expect(errors()).toContain('voiceCallMissing');
  });
});

it('a NOW-IP device whose address has changed has one call', async () => {
  bridge('nowip');
  const arc = await net.device('arc', '192.0.2.31');
  site.device({ deviceId: 'unit' });
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const [before, now] = [net.stranger('unit', ONE), net.stranger('unit', TWO)];
  await says(before, ALARM.nowip);
  await says(now, ALARM.nowip);
  expect(reported()).toHaveLength(2);
  const talk = await now.invite('here', net.pump, { challenged: false });
  now.acknowledge(talk, now.response(200));
  await net.pump();
  const people = arc.request('INVITE');
  arc.hearPort(people);
  arc.respond(people, 200, { sdp: arc.describe() });
  await net.after(1_000);
  now.inDialog(talk, 'BYE');
  await net.after(70_000, 5_000);
  expect(arc.has('INVITE')).toBe(false);
  expect(errors()).not.toContain('voiceCallMissing');
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  // A person who presses again after the call is heard.
  const received = reported().length;
  await says(now, ALARM.nowip);
  expect(reported()).toHaveLength(received + 1);
});

it('calls in tones are alarms of their own, whatever their number and address', async () => {
  site.bridge({ protocol: 'bs8521', name: 'Units', destinationMatch: '^here$' });
  site.device({ deviceId: 'unit' });
  const { string, ms, askedMs } = speechOf('bs8521');
  for (const address of ['192.0.2.60', '192.0.2.61']) {
    const unit = await net.device('unit', address);
    const talk = await unit.invite('here', net.pump, { callId: `call-${address}` });
    unit.acknowledge(talk, unit.response(200));
    await net.after(askedMs, 100);
    const made = dtmf(string, { onMs: ms, offMs: ms });
    if (!made.ok) throw new Error(made.error.reason);
    unit.audio.say(render(made.value));
    await net.after(8_000, 100);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
  }
  expect(reported().map(({ possibleRepeatOf }) => possibleRepeatOf)).toEqual([undefined, undefined]);
});

describe('DC-09 over real sockets', () => {
  const frame = siaFrame('0001', 'NBA12');

  async function listen() {
    site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$' });
    const { dc09 } = site.runtime;
    const listening = await openFrameListener(
      { host: '0.0.0.0', port: 0 },
      {
        frame: (one, connection) => dc09.frame(one, connection),
        closed: (connection) => dc09.closed(connection),
        report: () => {},
      },
    );
    return listening;
  }

  const by = {
    tcp: async (localAddress: string, port: number) => {
      const socket = connect({ host: ONE, port, localAddress });
      socket.write(frame);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return answer.toString('latin1');
    },
    udp: async (localAddress: string, port: number) => {
      const socket = createSocket('udp4');
      socket.bind(0, localAddress);
      await once(socket, 'listening');
      socket.send(frame, port, ONE);
      const [answer] = (await once(socket, 'message')) as [Buffer];
      socket.close();
      return answer.toString('latin1');
    },
  };

  it.each(['tcp', 'udp'] as const)(
    'by %s: two addresses, two alarms, each acknowledged; ports do not count',
    async (transport) => {
      const { port, close } = await listen();
      const said: string[] = [];
      for (const address of [ONE, ONE, TWO, TWO]) said.push(await by[transport](address, port));
      await close();
      await site.quiet();
      for (const answer of said) expect(answer).toContain('"ACK"0001L0#1234[]');
      const [first, second] = reported();
      expect(reported()).toHaveLength(2);
      expect(second?.possibleRepeatOf).toBe(first?.sessionId);
    },
  );
});
