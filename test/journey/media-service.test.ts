import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let appliance: TestMediaService['appliance'];
let net: TestMediaService['net'];
let app: TestMediaService['app'];

beforeEach(async () => {
  house = await mediaService();
  ({ appliance, net, app } = house);
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const PROMPT = { format: 'tone', frequency: 1_000, duration: 500 };
const service = (fields?: Record<string, unknown>) => house.service(fields);
const calls = (phone: Telephone) => house.calls(phone);
const takes = (phone: Telephone) => house.takes(phone);
const hangsUp = (phone: Telephone, talk: Talk) => house.hangsUp(phone, talk);
const leaves = (phone: Telephone) => house.leaves(phone);
const hearing = (from: Telephone, to: Telephone, hz?: number) => house.hearing(from, to, hz);

describe('a caller of a media service', () => {
  it('hears a prompt, presses digits, is connected, and everything is reported', async () => {
    service();
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    app.on('/newCall', { action: 'ivr', sessionReferenceId: { case: '17' } });
    app.on('/getIvrCommand', { phrases: [PROMPT], dtmf: { maxDigits: 2 } }, { hangup: true });
    app.on('/callEvent', { action: 'call', destAddr: 'bo' }, { action: 'drop' });
    const talk = await calls(anna);
    expect(app.last('/newCall')).toMatchObject({
      callingParty: 'anna',
      calledParty: 'ivr',
      domain: 'care.example',
    });
    await net.after(700, 100);
    expect(levelAt(anna.audio.received, 1_000)).toBeGreaterThan(-30);
    anna.audio.press('42');
    await net.after(800, 100);
    const [, second] = app.received('/getIvrCommand');
    expect(second).toMatchObject({
      dtmfParams: { dtmfMatch: '42', reason: 'maxDigits' },
      lastCommandResult: { phrases: 'completed' },
      sessionReferenceId: { case: '17' },
    });
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop', callingParty: 'anna' });
    const back = await takes(bo);
    await net.after(300, 100);
    expect(app.last('/callNotify')).toMatchObject({ event: 'ringing', remoteUser: 'anna' });
    expect(app.last('/callAnswered')).toMatchObject({ callingPartyNumber: 'anna', remotePartyNumber: 'bo' });
    expect(await hearing(anna, bo)).toBe(true);
    expect(await hearing(bo, anna)).toBe(true);
    await hangsUp(bo, back);
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop' });
    await leaves(anna);
    expect(talk.theirTag).not.toBe('');
    expect(app.last('/sessionCompleted')).toMatchObject({ domain: 'care.example', reason: 'drop' });
    expect(app.received('/sessionCompleted')).toHaveLength(1);
    expect((await appliance.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "acceptedBy": "bo",
          "configRevision": 7,
          "deliveries": {
            "count": 9,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "anna",
          "durationMs": 3400,
          "from": "anna",
          "kind": "mediaService",
          "legs": [
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "2",
              "lost": 0,
              "mos": 4.37,
              "received": 95,
            },
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "1",
              "lost": 0,
              "mos": 4.37,
              "received": 170,
            },
          ],
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "reason": "The application ended the session",
          "receiver": "service-1",
          "receiverName": "Switchboard",
          "requestUri": "sip:ivr@care.example",
          "result": "done",
          "rule": "destinationMatch ^ivr$",
          "source": "192.0.2.20",
          "speechMs": 1900,
          "times": {
            "arrived": 0,
            "callbackAnswered": 0,
            "deviceAnswered": 0,
            "ended": 3400,
            "voiceJoined": 1500,
          },
          "to": "ivr",
          "v": 1,
        },
      ]
    `);
  });

  it('is refused with the code of the application', async () => {
    service();
    const anna = await net.device('anna', '192.0.2.20');
    app.on('/newCall', { action: 'drop', dropCode: 486 });
    await anna.invite('ivr', net.pump);
    anna.response(486);
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'drop' });
  });

  it('is called through: ringing, greetings for both, no answer of ours before the callee has one', async () => {
    service();
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    const greeting = {
      playMode: 'onAnswer',
      caller: { phrases: [{ ...PROMPT, frequency: 600 }] },
      callee: { phrases: [{ ...PROMPT, frequency: 1_500 }] },
    };
    app.on('/newCall', {
      action: 'call',
      destAddr: 'bo',
      greeting,
      sipFrom: 'desk',
      displayName: 'Switchboard "A"',
      xHeaders: { 'X-Case': ['17', '18'] },
      contactParameters: { tgrp: 'north' },
      sipDiversion: 'sip:anna@care.example',
      sipDiversionParameters: { reason: 'unconditional' },
      sipTo: 'sip:front@care.example',
    });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    const invite = bo.request('INVITE');
    expect(invite.from.uriText).toBe('sip:desk@care.example');
    expect(invite.headers('X-Case')).toEqual(['17', '18']);
    expect(invite.header('Contact')).toContain('>;tgrp=north');
    expect(invite.header('Diversion')).toBe('<sip:anna@care.example>;reason=unconditional');
    expect(invite.to.uriText).toBe('sip:front@care.example');
    bo.hearPort(invite);
    bo.respond(invite, 180);
    await net.pump();
    anna.response(180);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.request('ACK');
    await net.after(400, 100);
    expect(levelAt(anna.audio.received, 600)).toBeGreaterThan(-30);
    expect(levelAt(bo.audio.received, 1_500)).toBeGreaterThan(-30);
    expect(levelAt(bo.audio.received, 600)).toBeLessThan(-40);
    await net.after(400, 100);
    expect(await hearing(anna, bo)).toBe(true);
    await hangsUp(anna, talk);
    expect(app.last('/callEvent')).toMatchObject({ event: 'callingPartyDrop' });
    await leaves(bo);
  });

  it('that gives up while others ring lets them go', async () => {
    service();
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    const talk = await anna.invite('ivr', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    anna.cancel(talk);
    await net.pump();
    anna.response(487);
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await net.pump();
    expect(app.last('/callEvent')).toMatchObject({ event: 'callingPartyDrop' });
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'callingPartyDrop' });
  });

  it('hears of a callee that is busy by what the application decides', async () => {
    service();
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop', dropCode: '486' });
    await anna.invite('ivr', net.pump);
    bo.respond(bo.request('INVITE'), 486);
    await net.pump();
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop', sipStatus: 486 });
    anna.response(486);
  });

  it('waits with music, and is connected to a party of another session', async () => {
    service();
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    const near: (string | undefined)[] = [];
    const { media } = appliance.media;
    const { openLeg } = media;
    media.openLeg = (opening) => {
      near.push(opening.near);
      return openLeg(opening);
    };
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', {
      backgroundPrompt: { format: 'tone', frequency: 440, duration: 200, repeatPause: 0 },
      getIVRCommandAfter: 600,
    });
    await calls(anna);
    await net.after(600, 100);
    expect(levelAt(anna.audio.received, 440)).toBeGreaterThan(-30);
    const parked = app.last('/getIvrCommand');
    app.on('/newCall', {
      action: 'connect',
      participantId: parked.participantId,
      replyId: parked.replyId,
    });
    app.on('/callEvent', { action: 'drop' });
    const back = await calls(bo);
    await net.after(400, 100);
    expect(app.last('/callAnswered')).toMatchObject({
      calleeParticipantId: parked.participantId,
      sessionId: parked.sessionId,
    });
    // On one worker of the media engine: else they could not be joined.
    expect(near).toEqual([undefined, `${parked.sessionId}.1`]);
    expect(await hearing(bo, anna)).toBe(true);
    anna.audio.forget();
    await net.after(400, 100);
    expect(levelAt(anna.audio.received, 440)).toBeLessThan(-40);
    expect(await hearing(anna, bo)).toBe(true);
    expect(app.received('/sessionCompleted')).toEqual([]);
    await hangsUp(bo, back);
    await leaves(anna);
    const completed = app.received('/sessionCompleted').map(({ reason }) => reason);
    expect(completed.toSorted()).toEqual(['drop', 'moved']);
  });

  it('is overheard by a monitor that is silent to all', async () => {
    service();
    const [anna, bo, eve] = [
      await net.device('anna', '192.0.2.20'),
      await net.device('bo', '192.0.2.21'),
      await net.device('eve', '192.0.2.22'),
    ];
    app.on('/newCall', { action: 'call', destAddr: 'bo', monitorDestAddr: 'eve', monitorSipFrom: 'watch' });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    const back = await takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(eve.inbox.some((each) => each.kind === 'request' && each.from.uriText.includes('watch'))).toBe(
      true,
    );
    await takes(eve);
    await net.after(300, 100);
    expect(app.received('/callAnswered').map(({ monitoringParticipant }) => monitoringParticipant)).toEqual([
      false,
      true,
    ]);
    expect(await hearing(anna, eve, 700)).toBe(true);
    expect(await hearing(bo, eve, 900)).toBe(true);
    expect(await hearing(anna, bo, 700)).toBe(true);
    expect(await hearing(eve, anna, 1_300)).toBe(false);
    await hangsUp(bo, back);
    await leaves(anna);
    await leaves(eve);
  });

  it('is overheard in every connection of its session, each kept apart from the others', async () => {
    service();
    const [anna, bo, eve] = [
      await net.device('anna', '192.0.2.20'),
      await net.device('bo', '192.0.2.21'),
      await net.device('eve', '192.0.2.22'),
    ];
    app.on('/newCall', { action: 'call', destAddr: 'bo', monitorDestAddr: 'eve' });
    const talk = await anna.invite('ivr', net.pump);
    const back = await takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await takes(eve);
    const { connectionId, replyId } = app.received('/callAnswered')[0] ?? {};
    app.on('/callEvent', { action: 'ivr' }, { action: 'ivr' });
    app.on('/getIvrCommand', { getIVRCommandAfter: 3_600 }, { getIVRCommandAfter: 3_600 });
    expect(await house.operate('splitconnection', { connectionId, replyId })).toMatchObject({ ok: true });
    await net.after(300, 100);
    const pairs = [
      [anna, eve],
      [bo, eve],
      [anna, bo],
      [bo, anna],
      [eve, anna],
      [eve, bo],
    ] as const;
    const received: boolean[] = [];
    for (const [from, to] of pairs) received.push(await hearing(from, to, 700));
    expect(received).toEqual([true, true, false, false, false, false]);

    // Bo goes into a conference: no beep announces it, and Eve hears both still.
    const session = app.last('/newCall');
    const made = await house.operate('createconferenceconnection', {
      sessionId: session.sessionId,
      beep: true,
    });
    if (!made.ok) throw new Error(made.error.reason);
    app.on('/callEvent', { action: 'joinconferenceconnection', connectionId: made.value?.connectionId });
    const [, bosIvr] = app
      .received('/callAnswered')
      .filter(({ monitoringParticipant }) => !monitoringParticipant)
      .slice(1);
    for (const phone of [anna, bo, eve]) phone.audio.forget();
    expect(
      await house.operate('splitconnection', {
        connectionId: bosIvr?.connectionId,
        replyId: bosIvr?.replyId,
      }),
    ).toMatchObject({ ok: true });
    await net.after(600, 100);
    received.length = 0;
    for (const [from, to] of pairs) received.push(await hearing(from, to, 700));
    expect(received).toEqual([true, true, false, false, false, false]);
    app.on('/callEvent', { action: 'drop' });
    await hangsUp(bo, back);
    await hangsUp(anna, talk);
    await leaves(eve);
  });

  it('goes to the emergency destination when the application is silent, and it is informed late', async () => {
    service({ emergencyDestination: 'bo', callbackTimeout: 2_000, alarmPath: '/alarm' });
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    app.on('/newCall', 500);
    const talk = await anna.invite('ivr', net.pump);
    const back = await takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(await hearing(anna, bo)).toBe(true);
    expect(app.received('/alarm').map(({ type, error }) => `${type} ${error}`)).toEqual([
      'newCallEventError newCall request failed',
      'emergencyFallback triggeredByError',
    ]);
    await hangsUp(bo, back);
    await leaves(anna);
    await net.after(3_000, 500);
    expect(appliance.posted.some(({ call, delivery }) => call.path === '/newCall' && delivery.late)).toBe(
      true,
    );
  });

  it('is asked nothing of where emergencyFallback is always', async () => {
    service({ emergencyDestination: 'bo', emergencyFallback: 'always' });
    const [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
    const talk = await anna.invite('ivr', net.pump);
    const back = await takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await hangsUp(bo, back);
    await leaves(anna);
    expect(app.order).not.toContain('/newCall');
    expect(appliance.logged.join()).toContain('triggeredByAlways');
  });

  it.each([
    ['an empty answer', '', 'newCall response empty'],
    ['no JSON', 'hello', 'newCall response without action'],
    ['no action', { destAddr: '1' }, 'newCall response without action'],
    ['an unknown action', { action: 'dance' }, 'newCall response with unknown action'],
    ['fields that cannot be', { action: 'call' }, 'newCall response with unknown action'],
    ['500', 500, 'newCall request failed'],
  ] as const)('is refused after %s, and an alarm says so', async (_, answer, error) => {
    service();
    const anna = await net.device('anna', '192.0.2.20');
    app.on('/newCall', answer);
    await anna.invite('ivr', net.pump);
    anna.response(480);
    expect(appliance.logged.join()).toContain(error);
  });

  it('is let go after three commands that cannot be, 10,000 phrases among them', async () => {
    service();
    const anna = await net.device('anna', '192.0.2.20');
    const phrases = Array.from({ length: 10_000 }, () => ({ format: 'silence', duration: 1 }));
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', '', 'no', { phrases });
    await calls(anna);
    await net.after(2_500, 250);
    await leaves(anna);
    const alarms = appliance.logged.join();
    expect(alarms).toContain('Empty body in getIvrCommand response');
    expect(alarms).toContain('IVR command failed');
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'ivrCommandError' });
  });

  it('is let go when the session has lasted too long', async () => {
    service({ maxSessionDuration: 60 });
    const anna = await net.device('anna', '192.0.2.20');
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { getIVRCommandAfter: 3_600 });
    await calls(anna);
    await net.after(61_000, 1_000);
    await leaves(anna);
    expect(appliance.logged.join()).toContain('maxDuration');
  });

  it('leaves a recording behind, and a callback about it', async () => {
    service();
    const anna = await net.device('anna', '192.0.2.20');
    app.on('/newCall', { action: 'ivr' });
    app.on(
      '/getIvrCommand',
      { record: { fileName: 'word.wav', maxDuration: 1, beep: true } },
      { hangup: true },
    );
    app.on('/callEvent', { action: 'drop' });
    await calls(anna);
    for (let turn = 0; turn < 10; turn++) {
      anna.audio.say(render([tone(500, 200, -12)]));
      await net.after(200, 100);
      await house.threads.caughtUp();
    }
    await leaves(anna);
    const deadline = Date.now() + 10_000;
    while (!app.order.includes('/recordingReady') && Date.now() < deadline) await net.after(200, 100);
    expect(app.last('/recordingReady')).toMatchObject({
      event: 'recordingSuccessful',
      recordingFileName: 'word.wav',
    });
    expect(app.received('/getIvrCommand')[1]).toMatchObject({ lastCommandResult: { record: 'completed' } });
  });
});
