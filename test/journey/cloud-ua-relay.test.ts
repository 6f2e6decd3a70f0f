import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  APP_HOST,
  APP_PORT,
  NOTHING_LEFT,
  type RemoteHouse,
  remoteHouse,
} from '#test/support/remote-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

/** `forceRtpRelay` (provisioning document 2.4): an application behind NAT is heard and reached where its audio comes from. */
let house: RemoteHouse;
let anna: Telephone;

beforeEach(async () => {
  house = await remoteHouse();
  anna = await house.net.device('anna', '192.0.2.20');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

it.each([
  [true, 'is taken, and ours goes there'],
  [false, 'is passed over: who is on a public network is where it said'],
])('with forceRtpRelay %s audio from another place than the announced one %s', async (forceRtpRelay) => {
  house.agent({ forceRtpRelay });
  const talk = await anna.invite('door-1', house.net.pump);
  const reported = house.app.last('/newRemoteCall');
  const receive = {
    codec: 'PCMA',
    receiveIp: APP_HOST,
    receivePort: APP_PORT,
    telephoneEventPayloadType: 101,
  };
  const answered = await house.operate('answerremotecall', { replyId: String(reported.replyId), ...receive });
  expect(answered).toMatchObject({ ok: true });
  anna.acknowledge(talk, anna.response(200));
  await house.net.pump();
  const behind = house.ear({ host: '203.0.113.7', port: 51_000 });
  behind.talkTo(Number(reported.remoteRtpPort));
  expect(await house.hearing(behind, anna.audio)).toBe(forceRtpRelay);
  expect(await house.hearing(anna.audio, behind, 1_200)).toBe(forceRtpRelay);
  anna.inDialog(talk, 'BYE');
  await house.net.pump();
  anna.response(200, 'BYE');
});
