import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;
let eve: Telephone;

beforeEach(async () => {
  house = await twoTelephones();
  ({ net, app, anna, bo } = house);
  eve = await net.device('eve', '192.0.2.22');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const HOLD = { getIVRCommandAfter: 3_600 };

describe('placeivrcall', () => {
  it('calls a person, who hears the IVR; interrupts, hangs up', async () => {
    app.on('/getIvrCommand', { phrases: [{ format: 'silence', duration: 60_000 }] }, HOLD);
    const placed = await house.operate('placeivrcall', {
      destAddr: 'anna',
      sipFrom: 'desk',
      sessionReferenceId: { case: '9' },
    });
    expect(placed).toMatchObject({ ok: true, value: { sessionId: expect.any(String) } });
    const talk = await house.takes(anna);
    expect(app.received('/callNotify')[0]).toMatchObject({
      event: 'ringing',
      sessionReferenceId: { case: '9' },
    });
    expect(app.last('/callAnswered')).toMatchObject({ remotePartyNumber: 'anna' });
    const asked = app.last('/getIvrCommand');
    const { replyId, sessionId } = asked;
    // Two at once: the second finds the first one's work done.
    const both = await Promise.all([
      house.operate('interruptivrcommand', { replyId, sessionId }),
      house.operate('interruptivrcommand', { replyId, sessionId }),
    ]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    await net.after(200, 100);
    expect(app.received('/getIvrCommand')).toHaveLength(2);
    expect(app.last('/getIvrCommand')).toMatchObject({ lastCommandResult: { phrases: 'interrupted' } });
    const { participantId } = asked;
    expect(await house.operate('hangupparticipant', { replyId, sessionId, participantId })).toMatchObject({
      ok: true,
    });
    await house.leaves(anna);
    expect(talk.callId).not.toBe('');
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop' });
    expect(app.last('/sessionCompleted')).toMatchObject({ sessionReferenceId: { case: '9' } });
    expect(await house.operate('interruptivrcommand', { replyId, sessionId })).toMatchObject({
      error: { code: 'sessionUnknown' },
    });
  });

  it('reports a callee that does not answer in time, and addresses that are none', async () => {
    await house.operate('placeivrcall', { destAddr: 'anna', maxRingTime: 5 });
    anna.respond(anna.request('INVITE'), 180);
    await net.after(6_000);
    anna.respond(anna.request('CANCEL'), 200);
    await net.pump();
    expect(app.last('/callEvent')).toMatchObject({ event: 'calledPartyDrop', sipStatus: 408 });
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'notAnswered' });
    expect(await house.operate('placeivrcall', { destAddr: 'sip:a b' })).toMatchObject({
      error: { code: 'invalid', path: '/destAddr' },
    });
    expect(await house.operate('placeivrcall', { destAddr: '1', mediaserviceId: 'none' })).toMatchObject({
      error: {
        code: 'invalid',
        path: '/mediaserviceId',
        reason: expect.stringContaining('no media service none'),
      },
    });
    const [service] = house.appliance.tenant.mediaServices;
    if (service === undefined) throw new Error('the tenant has no media service');
    house.appliance.tenant.put('mediaservice', 'other', { ...service, id: 'other' });
    expect(await house.operate('placeivrcall', { destAddr: '1' })).toMatchObject({
      error: {
        reason: expect.stringMatching(/has 2 media services\. Name one with mediaserviceId: .*other/),
      },
    });
  });
});

describe('a conference of three', () => {
  it('lets each hear the others, mutes, holds, and lets go', async () => {
    app.on('/newCall', { action: 'ivr' }, { action: 'ivr' }, { action: 'ivr' });
    app.on('/getIvrCommand', HOLD, HOLD, HOLD);
    const talks = [await house.calls(anna), await house.calls(bo), await house.calls(eve)];
    const parked = app.received('/getIvrCommand');
    const { sessionId, replyId } = parked[0] ?? {};
    const made = await house.operate('createconferenceconnection', {
      sessionId,
      replyId,
      maxParticipants: 3,
    });
    const connectionId = made.ok ? made.value.connectionId : undefined;
    expect(connectionId).toBeTypeOf('string');
    const join = { action: 'joinconferenceconnection', connectionId };
    app.on('/callEvent', join, join, join);
    for (const each of parked) {
      const split = { replyId: each.replyId, connectionId: each.connectionId };
      expect(await house.operate('splitconnection', split)).toMatchObject({ ok: true });
    }
    await net.after(400, 100);
    const phones = [anna, bo, eve];
    for (const [index, from] of phones.entries())
      for (const to of phones)
        if (to !== from) expect(await house.hearing(from, to, 500 + 300 * index)).toBe(true);
    const participantId = String(parked[1]?.participantId);
    const reply = { replyId: app.last('/callAnswered').replyId, connectionId };
    await house.operate('conferenceparticipant', { ...reply, participantId, mute: true });
    expect(await house.hearing(bo, anna, 800)).toBe(false);
    expect(await house.hearing(anna, bo, 500)).toBe(true);
    const whisperTo = String(parked[0]?.participantId);
    await house.operate('conferenceparticipant', { ...reply, participantId, mute: false, whisperTo });
    expect(await house.hearing(bo, anna, 800)).toBe(true);
    expect(await house.hearing(bo, eve, 800)).toBe(false);
    await house.operate('conferenceparticipant', { ...reply, participantId, whisperTo: null });
    expect(await house.hearing(bo, eve, 800)).toBe(true);
    await house.operate('conferenceparticipant', { ...reply, participantId, hold: true });
    expect(await house.hearing(anna, bo, 500)).toBe(false);
    app.on('/callEvent', { action: 'drop' });
    await house.operate('leaveconference', { ...reply, participantId });
    await house.leaves(bo);
    for (const [index, phone] of [anna, eve].entries()) {
      const talk = talks[index * 2];
      if (talk !== undefined) await house.hangsUp(phone, talk);
    }
    // Two of the three sessions were over when their callers moved; each is completed when its caller has left.
    expect(app.received('/sessionCompleted').map(({ reason }) => reason)).toEqual([
      'moved',
      'moved',
      'callingPartyDrop',
    ]);
  });
});

describe('two who are connected', () => {
  it('are parted, and each gets what the application decides', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    const talk = await anna.invite('ivr', net.pump);
    const back = await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    const { replyId, connectionId } = app.last('/callAnswered');
    app.on('/callEvent', { action: 'ivr' }, { action: 'drop' });
    app.on('/getIvrCommand', HOLD);
    await house.operate('splitconnection', { replyId, connectionId });
    await house.leaves(bo);
    expect(app.received('/callEvent').map(({ event }) => event)).toEqual([
      'callerConnectionSplit',
      'calleeConnectionSplit',
    ]);
    expect(app.last('/getIvrCommand')).toMatchObject({ connectionId: expect.any(String) });
    expect(await house.operate('splitconnection', { replyId, connectionId })).toMatchObject({
      error: { code: 'connectionUnknown', path: '/connectionId' },
    });
    await house.hangsUp(anna, talk);
    expect(back.callId).not.toBe('');
  });

  it('are recorded from startrecording to stoprecording', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    const { replyId, connectionId } = app.last('/callAnswered');
    const of = { replyId, connectionId };
    expect(await house.operate('stoprecording', of)).toMatchObject({ error: { code: 'conflict' } });
    expect(await house.operate('startrecording', { ...of, recordingFileName: 'two.wav' })).toMatchObject({
      ok: true,
    });
    for (let turn = 0; turn < 5; turn++) {
      await house.hearing(anna, bo, 700);
      await house.threads.caughtUp();
    }
    expect(await house.operate('pauserecording', of)).toMatchObject({ ok: true });
    expect(await house.operate('resumerecording', of)).toMatchObject({ ok: true });
    expect(await house.operate('stoprecording', of)).toMatchObject({ ok: true });
    const deadline = Date.now() + 10_000;
    while (!app.order.includes('/recordingReady') && Date.now() < deadline) await net.after(200, 100);
    expect(app.last('/recordingReady')).toMatchObject({
      event: 'recordingSuccessful',
      recordingFileName: 'two.wav',
      connectionId,
    });
    await house.hangsUp(anna, talk);
    await house.leaves(bo);
  });
});

describe('a prompt file', () => {
  it('is played, and one that is not there is reported as an error', async () => {
    const file = join(house.folder, 'hello.wav');
    writeFileSync(file, wavOf(sine(1_200, 0.6, 8_000), 8_000));
    house.threads.files.set('hello.wav', file);
    app.on('/newCall', { action: 'ivr' });
    app.on(
      '/getIvrCommand',
      { phrases: [{ format: 'file', fileName: 'hello.wav', repeat: 2 }] },
      {
        phrases: [
          { format: 'tone', frequency: 700, duration: 300 },
          { format: 'file', fileName: 'none.wav' },
          { format: 'tone', frequency: 2_000, duration: 300 },
        ],
      },
      { hangup: true },
    );
    app.on('/callEvent', { action: 'drop' });
    await house.calls(anna);
    const deadline = Date.now() + 10_000;
    while (app.received('/getIvrCommand').length < 3 && Date.now() < deadline) await net.after(200, 100);
    expect(levelAt(anna.audio.received, 1_200)).toBeGreaterThan(-35);
    const results = app.received('/getIvrCommand').map(({ lastCommandResult }) => lastCommandResult);
    const reason = 'There is no prompt file none.wav; upload it first.';
    const failedPhrases = [{ phrase: 1, error: 'phraseError', reason }];
    expect(results).toEqual([undefined, { phrases: 'completed' }, { phrases: 'error', failedPhrases }]);
    expect(levelAt(anna.audio.received, 700)).toBeGreaterThan(-40);
    expect(levelAt(anna.audio.received, 2_000)).toBeGreaterThan(-40);
    expect(house.appliance.logged.join()).toContain('phraseError');
    await house.leaves(anna);
  });

  it('that a command has just recorded is played in the next one; its name is free only to replace it', async () => {
    const record = { fileName: 'note.wav', maxDuration: 0.6 };
    const phrases = [{ format: 'file', fileName: 'note.wav' }];
    app.on('/newCall', { action: 'ivr' });
    app.on(
      '/getIvrCommand',
      { record },
      { phrases },
      { record },
      { record: { ...record, overwrite: true } },
      { phrases },
      { hangup: true },
    );
    app.on('/callEvent', { action: 'drop' });
    await house.calls(anna);
    anna.audio.say(sine(1_200, 1, 8_000));
    const deadline = Date.now() + 20_000;
    while (app.received('/getIvrCommand').length < 4 && Date.now() < deadline) await net.after(200, 100);
    expect(levelAt(anna.audio.received, 1_200)).toBeGreaterThan(-35);
    anna.audio.forget();
    anna.audio.say(sine(2_100, 1, 8_000));
    while (app.received('/getIvrCommand').length < 6 && Date.now() < deadline) await net.after(200, 100);
    expect(levelAt(anna.audio.received, 2_100)).toBeGreaterThan(-35);
    const results = app.received('/getIvrCommand').map(({ lastCommandResult }) => lastCommandResult);
    expect(results.slice(1)).toEqual([
      { record: 'completed' },
      { phrases: 'completed' },
      {
        record: 'error',
        reason: expect.stringMatching(/^note\.wav is not recorded \(exists\): .* set overwrite/),
      },
      { record: 'completed' },
      { phrases: 'completed' },
    ]);
    await house.leaves(anna);
  });

  it('that was read once comes from the cache, and the trace says so', async () => {
    const file = join(house.folder, 'hello.wav');
    writeFileSync(file, wavOf(sine(1_200, 0.6, 8_000), 8_000));
    house.threads.files.set('hello.wav', file);
    const phrases = [{ format: 'file', fileName: 'hello.wav' }];
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { phrases }, { phrases }, { hangup: true });
    app.on('/callEvent', { action: 'drop' });
    await house.calls(anna);
    const deadline = Date.now() + 10_000;
    while (app.received('/getIvrCommand').length < 3 && Date.now() < deadline) await net.after(200, 100);
    await house.leaves(anna);
    await net.after(40_000, 4_000);
    const trace = house.appliance.trace(String(app.last('/newCall').traceId));
    const notes = trace.map(({ detail }) => String(detail.text));
    expect(trace.flatMap(({ kind, detail }) => (kind === 'promptPlayed' ? [detail] : []))).toEqual([
      { fileName: 'hello.wav' },
      { fileName: 'hello.wav' },
    ]);
    expect(notes.filter((text) => text.startsWith('phrase'))).toEqual([
      'phrase 1: read now',
      'phrase 1: from the cache',
    ]);
  });
});
