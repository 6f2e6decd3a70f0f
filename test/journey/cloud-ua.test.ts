import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SrtpSuite } from '#appliance/media/rtp/index.ts';
import type { RemoteCrypto } from '#shared/contract/callback/index.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import {
  APP_HOST,
  APP_PORT,
  NOTHING_LEFT,
  type RemoteHouse,
  remoteHouse,
} from '#test/support/remote-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let house: RemoteHouse;
let net: RemoteHouse['net'];
let app: RemoteHouse['app'];
let anna: Telephone;

beforeEach(async () => {
  house = await remoteHouse();
  ({ net, app } = house);
  house.agent();
  anna = await net.device('anna', '192.0.2.20');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const END = { codec: 'PCMA', receiveIp: APP_HOST, receivePort: APP_PORT, telephoneEventPayloadType: 101 };
const PLACE = { ...END, destinationUri: 'anna', sourceUser: 'door-1' };

const replyId = (): string => String(app.last('/newRemoteCall').replyId);
/** Anna calls the door, and it is known to the application. */
const rings = () => anna.invite('door-1', net.pump);
const answer = (fields: object = {}) =>
  house.operate('answerremotecall', { replyId: replyId(), ...END, ...fields });
/** Anna is on the line. */
async function talks(fields: object = {}): Promise<Talk> {
  const talk = await rings();
  expect(await answer(fields)).toMatchObject({ ok: true });
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  return talk;
}
async function hangsUp(talk: Talk): Promise<void> {
  anna.inDialog(talk, 'BYE');
  await net.pump();
  anna.response(200, 'BYE');
}
async function isHungUpOn(): Promise<void> {
  anna.respond(anna.request('BYE'), 200);
  await net.pump();
}
/** Anna takes the call of the application. */
async function takes(): Promise<Talk> {
  const invite = anna.request('INVITE');
  anna.hearPort(invite);
  anna.respond(invite, 180);
  await net.pump();
  anna.respond(invite, 200, { sdp: anna.describe() });
  await net.pump();
  anna.request('ACK');
  return anna.answeredTalk(invite);
}

describe('a call to a cloud SIP user agent', () => {
  it('is announced, rings, is answered; both hear each other; the caller hangs up', async () => {
    app.on('/newRemoteCall', { sessionReferenceId: 'case 17' });
    const talk = await rings();
    const reported = app.last('/newRemoteCall');
    expect(reported).toMatchObject({
      callId: talk.callId,
      codec: 'PCMA',
      destinationUri: 'sip:door-1@care.example',
      sourceUser: 'anna',
      remoteRtpIp: '192.0.2.10',
      remoteRtpPort: expect.any(Number),
      telephoneEventPayloadType: 101,
      domain: 'care.example',
      crypto: [
        { id: 1, suite: 'AES_CM_128_HMAC_SHA1_80' },
        { id: 2, suite: 'AES_CM_128_HMAC_SHA1_32' },
      ],
    });
    expect(anna.has(180)).toBe(false);
    expect(await house.operate('sendremotecallringback', { replyId: replyId() })).toEqual({
      ok: true,
      value: undefined,
    });
    anna.response(180);
    const ear = house.ear();
    ear.talkTo(Number(reported.remoteRtpPort));
    expect(await answer()).toEqual({
      ok: true,
      value: { localIp: '192.0.2.10', localPort: reported.remoteRtpPort, codec: 'PCMA' },
    });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(app.last('/callAnswered')).toMatchObject({
      callingPartyNumber: 'anna',
      remotePartyNumber: 'door-1',
      codec: 'PCMA',
      remoteRtpIp: '192.0.2.10',
      remoteRtpPort: reported.remoteRtpPort,
      sessionReferenceId: 'case 17',
    });
    expect(await house.hearing(ear, anna.audio)).toBe(true);
    expect(await house.hearing(anna.audio, ear, 1_200)).toBe(true);
    await hangsUp(talk);
    expect(app.last('/callHungup')).toMatchObject({
      callId: talk.callId,
      sourceUser: 'anna',
      reason: 'hungUp',
      sessionReferenceId: 'case 17',
    });
    expect(await house.operate('hangupcall', { replyId: replyId() })).toMatchObject({
      error: { code: 'sessionUnknown' },
    });
    expect((await house.appliance.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "acceptedBy": "sip:door-1@care.example",
          "configRevision": 7,
          "deliveries": {
            "count": 3,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "anna",
          "durationMs": 1600,
          "from": "anna",
          "kind": "cloudUserAgent",
          "legs": [
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "1",
              "lost": 0,
              "mos": 4.37,
              "received": 80,
            },
          ],
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "reason": "The session ended: hungUp",
          "receiver": "agent-1",
          "receiverName": "SecureListeners",
          "requestUri": "sip:door-1@care.example",
          "result": "done",
          "rule": "destinationMatch ^door-",
          "source": "192.0.2.20",
          "speechMs": 1600,
          "times": {
            "arrived": 0,
            "callbackAnswered": 0,
            "deviceAnswered": 0,
            "ended": 1600,
            "voiceJoined": 0,
          },
          "to": "door-1",
          "v": 1,
        },
      ]
    `);
  });

  it('is encrypted with the key that the application takes', async () => {
    const talk = await rings();
    const reported = app.last('/newRemoteCall');
    const [ours] = reported.crypto as [RemoteCrypto];
    const theirs = Buffer.alloc(30, 7);
    const ear = house.ear({
      srtp: {
        suite: ours.suite as SrtpSuite,
        sendKey: Buffer.from(ours.config.slice('inline:'.length), 'base64'),
        receiveKey: theirs,
      },
    });
    ear.talkTo(Number(reported.remoteRtpPort));
    const crypto = [{ ...ours, config: `inline:${theirs.toString('base64')}` }];
    expect(await answer({ crypto })).toMatchObject({ ok: true, value: { crypto: [ours] } });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(await house.hearing(ear, anna.audio)).toBe(true);
    expect(await house.hearing(anna.audio, ear)).toBe(true);
    await hangsUp(talk);
  });

  it('may speak the other codec, and digits pass as events', async () => {
    const ear = house.ear({ codec: 'PCMU' });
    const talk = await talks({ codec: 'PCMU' });
    ear.talkTo(Number(app.last('/newRemoteCall').remoteRtpPort));
    expect(await house.hearing(ear, anna.audio)).toBe(true);
    expect(await house.hearing(anna.audio, ear)).toBe(true);
    anna.audio.press('7', { by: 'rfc4733' });
    await net.after(1_000, 100);
    expect(ear.digits).toMatchObject([{ digit: '7', by: 'rfc4733' }]);
    anna.inDialog(talk, 'INFO', {
      headers: [['Content-Type', 'application/dtmf-relay']],
      body: 'Signal=5\r\nDuration=120\r\n',
    });
    await net.after(1_000, 100);
    anna.response(200, 'INFO');
    expect(ear.digits.at(-1)).toMatchObject({ digit: '5' });
    await hangsUp(talk);
  });

  it('is busy when the application hangs up before it answers', async () => {
    await rings();
    expect(await house.operate('hangupcall', { replyId: replyId() })).toMatchObject({ ok: true });
    anna.response(486);
    expect(app.last('/callHungup')).toMatchObject({ reason: 'hungUpByApplication', sourceUser: 'anna' });
  });

  it('ends when the application hangs up on it', async () => {
    await talks();
    const answered = String(app.last('/callAnswered').replyId);
    expect(await house.operate('hangupcall', { replyId: answered })).toMatchObject({ ok: true });
    await isHungUpOn();
    expect(app.last('/callHungup')).toMatchObject({ reason: 'hungUpByApplication' });
  });

  it('ends by hangupremoteparticipant, which knows its other party', async () => {
    await talks();
    const { replyId: handle, callerParticipantId } = app.last('/callAnswered');
    const body = { replyId: handle, participantId: callerParticipantId };
    expect(
      await house.operate('hangupremoteparticipant', { ...body, participantId: 'nobody' }),
    ).toMatchObject({ error: { code: 'participantUnknown' } });
    expect(await house.operate('hangupremoteparticipant', body)).toMatchObject({ ok: true });
    await isHungUpOn();
    expect(await house.operate('hangupremoteparticipant', body)).toMatchObject({
      error: { code: 'sessionUnknown' },
    });
  });

  it('ends when the application hangs up before the answer was acknowledged', async () => {
    const talk = await rings();
    expect(await answer()).toMatchObject({ ok: true });
    expect(await house.operate('hangupcall', { replyId: replyId() })).toMatchObject({ ok: true });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await isHungUpOn();
    expect(app.received('/callAnswered')).toEqual([]);
  });

  it('is given up by its caller before the answer', async () => {
    anna.cancel(await rings());
    await net.pump();
    anna.response(487);
    expect(app.last('/callHungup')).toMatchObject({ sourceUser: 'anna' });
    expect(await answer()).toMatchObject({ error: { code: 'sessionUnknown' } });
  });

  it('is let go without an answer in three minutes', async () => {
    await rings();
    await net.after(181_000, 10_000);
    anna.response(480);
    expect(app.last('/callHungup')).toMatchObject({ reason: 'notAnswered' });
  });

  it('is let go when the application cannot be asked, which learns of it later', async () => {
    app.on('/newRemoteCall', 500);
    await rings();
    anna.response(480);
    await net.after(5_000);
    const late = house.appliance.posted.filter(({ call }) => call.path === '/newRemoteCall');
    expect(late.map(({ delivery }) => delivery.late)).toEqual([false, true]);
    expect(app.last('/callHungup')).toMatchObject({ reason: 'callbackFailed' });
  });

  it('gets 503 when there is no room for its audio', async () => {
    house.appliance.media.network.carries = () => true;
    const { media } = house.appliance.media;
    const { openLeg } = media;
    media.openLeg = (opening) =>
      opening.leg.endsWith('.ua')
        ? Promise.resolve({ ok: false, error: { code: 'Overload', reason: 'full' } })
        : openLeg(opening);
    await rings();
    anna.response(503);
    media.openLeg = openLeg;
    expect(app.received('/newRemoteCall')).toEqual([]);
  });

  it('gets 488 when it does not speak the codec that the user agent is locked to', async () => {
    house.agent({ codecLimit: 'PCMU' });
    await rings();
    anna.response(488);
  });

  it('reports that the caller holds', async () => {
    const talk = await talks();
    anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction: 'sendonly', version: 2 }) });
    const { cseq } = talk;
    await net.pump();
    anna.response(200);
    anna.inDialog(talk, 'ACK', { cseq });
    await net.pump();
    expect(app.last('/callNotify')).toMatchObject({ event: 'reInvite', user: 'anna' });
    await hangsUp(talk);
  });

  it('ends when its media worker dies', async () => {
    await talks();
    house.appliance.media.crash();
    await net.pump();
    await isHungUpOn();
    expect(app.last('/callHungup')).toMatchObject({ reason: 'mediaLost' });
  });
});

describe('a call of a cloud SIP user agent', () => {
  it('rings, is answered; both hear each other; the callee hangs up', async () => {
    const ear = house.ear();
    const placed = await house.operate('placeremotecall', { ...PLACE, sessionReferenceId: 'case 9' });
    if (!placed.ok || placed.value === undefined) throw new Error(JSON.stringify(placed));
    ear.talkTo(placed.value.localPort);
    const invite = anna.inbox.find((each) => each.kind === 'request');
    expect(invite?.from.uriText).toBe('sip:door-1@care.example');
    const talk = await takes();
    expect(app.last('/callNotify')).toMatchObject({ event: 'ringing', user: 'anna' });
    expect(app.last('/callAnswered')).toMatchObject({
      callingPartyNumber: 'door-1',
      remotePartyNumber: 'anna',
      codec: 'PCMA',
      remoteRtpIp: '192.0.2.10',
      remoteRtpPort: placed.value.localPort,
      sessionReferenceId: 'case 9',
    });
    expect(await house.hearing(ear, anna.audio)).toBe(true);
    expect(await house.hearing(anna.audio, ear, 1_200)).toBe(true);
    await hangsUp(talk);
    expect(app.last('/callHungup')).toMatchObject({ callId: talk.callId, destinationUri: 'anna' });
  });

  it.each(['PCMU', 'GSM'] as const)('in %s', async (codec) => {
    const ear = house.ear({ codec });
    const placed = await house.operate('placeremotecall', { ...PLACE, codec });
    ear.talkTo(placed.ok ? (placed.value?.localPort ?? 0) : 0);
    await takes();
    expect(await house.hearing(ear, anna.audio)).toBe(true);
    expect(await house.hearing(anna.audio, ear)).toBe(true);
    const answered = String(app.last('/callAnswered').replyId);
    expect(await house.operate('hangupcall', { replyId: answered })).toMatchObject({ ok: true });
    await isHungUpOn();
    expect(app.last('/callHungup')).toMatchObject({ reason: 'hungUpByApplication' });
  });

  it('reports who is busy', async () => {
    await house.operate('placeremotecall', PLACE);
    anna.respond(anna.request('INVITE'), 486);
    await net.pump();
    anna.request('ACK');
    expect(app.last('/callFailed')).toMatchObject({
      sipStatus: 486,
      sipReason: 'Said',
      errorDescr: 'anna was not reached: 486 Said',
    });
    expect(app.received('/callHungup')).toEqual([]);
  });

  it('is cancelled by the application', async () => {
    const placed = await house.operate('placeremotecall', PLACE);
    const invite = anna.request('INVITE');
    anna.respond(invite, 180);
    await net.pump();
    const handle = placed.ok ? placed.value?.replyId : undefined;
    expect(await house.operate('answerremotecall', { replyId: handle, ...END })).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(await house.operate('hangupcall', { replyId: handle })).toMatchObject({ ok: true });
    anna.respond(anna.request('CANCEL'), 200);
    anna.respond(invite, 487);
    await net.pump();
    anna.request('ACK');
    expect(app.last('/callHungup')).toMatchObject({ reason: 'hungUpByApplication' });
  });

  it('is given up without an answer in three minutes', async () => {
    await house.operate('placeremotecall', PLACE);
    const invite = anna.request('INVITE');
    anna.respond(invite, 180);
    await net.after(181_000, 10_000);
    anna.respond(anna.request('CANCEL'), 200);
    anna.respond(invite, 487);
    await net.pump();
    expect(app.last('/callFailed')).toMatchObject({ sipStatus: 408, sipReason: 'no answer in 180 s' });
  });
});
