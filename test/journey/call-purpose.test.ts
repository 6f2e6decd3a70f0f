import { expect, it, vi } from 'vitest';
import { callsLeft, endOrdinaryCalls } from '#appliance/site/host/site-call.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { recordingHouse } from '#test/support/recording-house.ts';
import { APP_HOST, APP_PORT, remoteHouse } from '#test/support/remote-house.ts';
import { telephones } from '#test/support/telephone.ts';

/* A host goes out of service: calls of alarms and to emergency numbers are waited for, every other call is not. */

const ORDINARY = { ordinary: 1, alarm: 0 };
const URGENT = { ordinary: 0, alarm: 1 };
const IDLE = { ordinary: 0, alarm: 0 };

it('a call of a cloud SIP user agent is no alarm: a drain ends it', async () => {
  const house = await remoteHouse();
  const { net, app } = house;
  const { calls } = house.appliance.runtime;
  house.agent();
  const anna = await net.device('anna', '192.0.2.20');
  const talk = await anna.invite('door-1', net.pump);
  const replyId = String(app.last('/newRemoteCall').replyId);
  const end = { codec: 'PCMA', receiveIp: APP_HOST, receivePort: APP_PORT, telephoneEventPayloadType: 101 };
  expect(await house.operate('answerremotecall', { replyId, ...end })).toMatchObject({ ok: true });
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  expect(callsLeft(calls)).toEqual(ORDINARY);
  endOrdinaryCalls(calls);
  await net.pump();
  anna.respond(anna.request('BYE'), 200);
  await net.pump();
  expect(callsLeft(calls)).toEqual(IDLE);
  await house.close(() => undefined);
});

it('a recording session is no alarm: a drain ends it', async () => {
  const house = await recordingHouse();
  const { calls } = house.appliance.runtime;
  house.application.decision = { wait: true };
  await house.opened();
  expect(callsLeft(calls)).toEqual(ORDINARY);
  endOrdinaryCalls(calls);
  await house.net.pump();
  house.client.respond(house.client.request('BYE'), 200);
  await house.net.pump();
  expect(callsLeft(calls)).toEqual(IDLE);
  await house.net.after(40_000, 4_000);
  await house.close();
});

it.each([
  ['112', URGENT, undefined],
  ['bo', ORDINARY, 503],
] as const)('a call to %s', async (called, left, cordoned) => {
  const site = await testAppliance();
  const net = telephones(site);
  const anna = await net.device('anna', '192.0.2.20');
  const other = await net.device(called, '192.0.2.21');
  const { calls, cordon } = site.runtime;
  await anna.invite(called, net.pump);
  other.respond(other.request('INVITE'), 180);
  await net.pump();
  expect(callsLeft(calls)).toEqual(left);
  endOrdinaryCalls(calls);
  await net.pump();
  expect(other.has('CANCEL')).toBe(left === ORDINARY);
  cordon.admittance = 'cordoned';
  const carol = await net.device('carol', '192.0.2.22');
  await carol.invite(called, net.pump, { challenged: cordoned === undefined });
  expect(other.has('INVITE')).toBe(cordoned === undefined);
  if (cordoned !== undefined) carol.response(cordoned);
  await site.close();
});

it.each([
  ['112', true],
  ['bo', undefined],
] as const)('both legs of a call to %s are admitted as urgent: %s', async (called, urgent) => {
  const site = await testAppliance();
  const net = telephones(site);
  const opened = vi.spyOn(site.media.media, 'openLeg');
  const anna = await net.device('anna', '192.0.2.20');
  const other = await net.device(called, '192.0.2.21');
  await anna.invite(called, net.pump);
  other.respond(other.request('INVITE'), 486);
  await net.pump();
  anna.response(486);
  expect(opened.mock.calls.map(([leg]) => [leg.profile, leg.urgent])).toEqual([
    ['ordinary', urgent],
    ['ordinary', urgent],
  ]);
  await site.close();
});

it('a cordoned host takes the call that an alarm by message waits for, whatever address its device dials', async () => {
  const site = await testAppliance();
  const net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  site.bridge({ destinationMatch: '^here$', defaultEmergencyDestination: 'sip:arc@care.example' });
  const arc = await net.device('arc', '192.0.2.31');
  const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
  const { calls, cordon } = site.runtime;
  cordon.admittance = 'cordoned';
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:here@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:here@care.example>'],
      ['Call-ID', 'message-1'],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from('<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>'),
  });
  await net.pump();
  while (unit.has('MESSAGE')) unit.respond(unit.request('MESSAGE'), 200);
  await net.pump();
  const talk = await unit.invite('arc', net.pump, { challenged: false });
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  expect(arc.has('INVITE')).toBe(true);
  expect(callsLeft(calls)).toEqual(URGENT);
  await site.close();
});
