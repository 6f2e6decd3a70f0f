import { describe, expect, it } from 'vitest';
import { eachWithTwoTelephones, type TwoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;

eachWithTwoTelephones((made) => {
  house = made;
  ({ net, app, anna, bo } = made);
});

const HOLD = { getIVRCommandAfter: 3_600 };

describe('a telephone in a session', () => {
  it.each([
    ['by event', () => anna.audio.press('7', { by: 'rfc4733' })],
    ['in band', () => anna.audio.press('7')],
  ])('a digit %s is collected once', async (_, press) => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { dtmf: { interDigitTimeout: 1_000 } }, HOLD);
    const talk = await house.calls(anna);
    await net.after(400, 100);
    press();
    await net.after(2_000, 100);
    expect(app.last('/getIvrCommand')).toMatchObject({
      dtmfParams: { dtmfMatch: '7', reason: 'interDigitTimeout' },
    });
    await house.hangsUp(anna, talk);
  });

  it('a digit by INFO is collected', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { dtmf: { maxDigits: 1 } }, HOLD);
    const talk = await house.calls(anna);
    anna.inDialog(talk, 'INFO', {
      headers: [['Content-Type', 'application/dtmf-relay']],
      body: 'Signal=5\r\nDuration=120\r\n',
    });
    await net.pump();
    anna.response(200, 'INFO');
    expect(app.last('/getIvrCommand')).toMatchObject({ dtmfParams: { dtmfMatch: '5', reason: 'maxDigits' } });
    await house.hangsUp(anna, talk);
  });

  it('hold is reported and passed on', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction: 'sendonly', version: 2 }) });
    const { cseq } = talk;
    await net.pump();
    anna.response(200);
    anna.inDialog(talk, 'ACK', { cseq });
    await net.pump();
    expect(app.last('/callNotify')).toMatchObject({ event: 'reInvite', user: 'anna', remoteUser: 'bo' });
    const reported = bo.request('INVITE');
    expect(reported.body.toString()).toContain('a=sendonly');
    bo.respond(reported, 200, { sdp: bo.describe({ direction: 'recvonly', version: 2 }) });
    await net.pump();
    bo.request('ACK');
    await house.hangsUp(anna, talk);
    await house.leaves(bo);
  });

  const alarms = () =>
    house.appliance.logged.flatMap((line) =>
      line.includes('media_service.alarm_raised') || line.includes('platform_alarm.issued')
        ? [JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>]
        : [],
    );

  it('a re-INVITE of ours that is refused is an alarm, and the call goes on as it was', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction: 'sendonly', version: 2 }) });
    const { cseq } = talk;
    await net.pump();
    anna.response(200);
    anna.inDialog(talk, 'ACK', { cseq });
    await net.pump();
    const reported = bo.request('INVITE');
    bo.respond(reported, 500);
    await net.pump();
    bo.request('ACK');
    expect(alarms()).toEqual([
      expect.objectContaining({
        type: 'callError',
        error: 'unexpectedReinviteResponse',
        status: 500,
        user: 'bo',
        participantId: app.last('/callAnswered').calleeParticipantId,
        callId: reported.callId,
      }),
    ]);
    expect(await house.hearing(anna, bo)).toBe(true);
    await house.hangsUp(anna, talk);
    await house.leaves(bo);
  });

  it('the length of each session without a refresh is reported when they are connected', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump, {
      headers: [
        ['Supported', 'timer'],
        ['Session-Expires', '600;refresher=uac'],
      ],
    });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, {
      sdp: bo.describe(),
      headers: [
        ['Require', 'timer'],
        ['Session-Expires', '900;refresher=uac'],
      ],
    });
    await net.pump();
    bo.request('ACK');
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(app.last('/callAnswered')).toMatchObject({ callingPartyExpires: 600, calledPartyExpires: 900 });
    await house.hangsUp(anna, talk);
    await house.leaves(bo);
  });

  describe('a callee that is given up', () => {
    /** Bo rings for Anna, who gives up: a CANCEL is there. */
    async function givenUp() {
      app.on('/newCall', { action: 'call', destAddr: 'bo' });
      const talk = await anna.invite('ivr', net.pump);
      const invite = bo.request('INVITE');
      bo.hearPort(invite);
      bo.respond(invite, 180);
      await net.pump();
      anna.cancel(talk);
      await net.pump();
      bo.respond(bo.request('CANCEL'), 200);
      return invite;
    }

    it('and stops ringing is no alarm', async () => {
      const invite = await givenUp();
      bo.respond(invite, 487);
      await net.after(40_000, 4_000);
      expect(alarms()).toEqual([]);
    });

    it('and still answers is hung up on, which is an alarm', async () => {
      const invite = await givenUp();
      bo.respond(invite, 200, { sdp: bo.describe() });
      await net.pump();
      bo.request('ACK');
      await house.leaves(bo);
      expect(alarms()).toEqual([
        expect.objectContaining({
          type: 'callError',
          error: 'cancelFailed',
          status: 200,
          user: 'bo',
          callId: invite.callId,
        }),
      ]);
    });

    it('and never says that it stopped ringing is an alarm', async () => {
      await givenUp();
      await net.after(40_000, 1_000);
      expect(alarms()).toEqual([expect.objectContaining({ error: 'cancelFailed', status: 408, user: 'bo' })]);
    });
  });

  it('silence for ten seconds ends its call, and is an alarm', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    await house.calls(anna);
    await net.after(400, 100);
    anna.audio.sending = false;
    await net.after(11_000, 500);
    await house.leaves(anna);
    expect(house.appliance.logged.join()).toContain('RTP media timeout');
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'callingPartyDrop' });
  });

  it('a media worker that dies ends it, and is an alarm', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    await house.calls(anna);
    house.appliance.media.crash();
    await net.pump();
    await house.leaves(anna);
    expect(house.appliance.logged.join()).toContain('mediaServerError');
  });

  it('a defect of ours ends its session, leaves no party on the line, and no other session is concerned', async () => {
    app.on('/newCall', { action: 'ivr' }, { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    const talk = await house.calls(anna);
    const { media } = house.appliance.media;
    const { listen } = media;
    media.listen = () => {
      throw new Error('planted');
    };
    await house.calls(bo);
    media.listen = listen;
    await house.leaves(bo);
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'defect' });
    expect(house.appliance.logged.join()).toContain('planted');
    expect(house.appliance.runtime.media.size).toBe(1);
    await house.hangsUp(anna, talk);
  });
});
