import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaSessions } from '#appliance/operation/media-session.ts';
import {
  type MediaSessionView,
  mediaSessionAnswerSchema,
  mediaSessionListSchema,
} from '#shared/contract/runtime/index.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

/* An application that has lost its memory: it asks for its calls and goes on with them. */

let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  house = await twoTelephones();
  ({ net, app, anna, bo } = house);
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const read = async (asked: object = {}) =>
  await mediaSessions({ mediaSessions: house.appliance.runtime.media.shown }, asked);

async function listed(asked: object = {}) {
  const done = await read(asked);
  if (!done.ok) throw new Error(done.error.reason);
  return mediaSessionListSchema.parse({ success: true, ...done.value });
}

async function shown(sessionId: string): Promise<MediaSessionView> {
  const done = await read({ sessionId });
  if (!done.ok) throw new Error(done.error.reason);
  return mediaSessionAnswerSchema.parse({ success: true, ...done.value }).session;
}

describe('the running sessions of media services', () => {
  it('are none without a call, and none after it', async () => {
    expect(await listed()).toEqual({ success: true, sessions: [] });
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', { getIVRCommandAfter: 3_600 });
    const call = await house.calls(anna);
    const [session] = (await listed()).sessions;
    const reported = app.last('/getIvrCommand');
    expect(session).toMatchObject({
      sessionId: reported.sessionId,
      traceId: reported.traceId,
      mediaserviceId: 'service-1',
      siteId: 'north',
      hostId: 'box-1',
      siteBaseUrl: reported.siteBaseUrl,
      callingParty: 'anna',
      calledParty: 'ivr',
      participantCount: 1,
      connectionCount: 1,
    });
    const ageMs = house.appliance.clock.wallMs() - (session?.startTime ?? 0);
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThan(5_000);
    await house.hangsUp(anna, call);
    expect((await listed()).sessions).toEqual([]);
    expect(await read({ sessionId: String(reported.sessionId) })).toMatchObject({
      error: { code: 'sessionUnknown' },
    });
  });

  it('with an IVR: its command is interrupted by what the list gives', async () => {
    app.on('/newCall', { action: 'ivr', sessionReferenceId: { case: '7' } });
    app.on('/getIvrCommand', { getIVRCommandAfter: 3_600 }, { getIVRCommandAfter: 3_600 });
    const call = await house.calls(anna);
    const reported = app.last('/getIvrCommand');
    const session = await shown(String(reported.sessionId));
    expect(session).toMatchObject({
      sessionReferenceId: { case: '7' },
      participants: [
        {
          participantId: reported.participantId,
          type: 'sip',
          role: 'caller',
          state: 'connected',
          answered: true,
          user: 'anna',
          connectionId: reported.connectionId,
        },
        { type: 'ivr', role: 'ivr', connectionId: reported.connectionId },
      ],
      connections: [{ connectionId: reported.connectionId, type: 'ivr', streams: [] }],
    });
    expect(session.participants[0]?.sipCallId).toMatch(/./);
    const [connection] = session.connections;
    expect(connection?.participants.map(({ participantId }) => participantId)).toEqual(
      session.participants.map(({ participantId }) => participantId),
    );
    const { sessionId } = session;
    expect(
      await house.operate('interruptivrcommand', { sessionId, replyId: connection?.replyId }),
    ).toMatchObject({ ok: true });
    await net.after(100, 20);
    expect(app.received('/getIvrCommand')).toHaveLength(2);
    await house.hangsUp(anna, call);
  });

  it('with two who speak, recorded and ringing: shown as they stand, and ended by their handle', async () => {
    app.on('/newCall', { action: 'call', destAddr: 'bo' });
    app.on('/callEvent', { action: 'drop' });
    const call = await anna.invite('ivr', net.pump);
    const { sessionId } = app.last('/newCall');
    const ringing = await shown(String(sessionId));
    expect(ringing.connections).toEqual([]);
    expect(ringing.participants.map(({ role, state, answered }) => [role, state, answered])).toEqual([
      ['caller', 'waiting', false],
      ['callee', 'ringing', false],
    ]);
    await house.takes(bo);
    anna.acknowledge(call, anna.response(200));
    await net.pump();
    const { connectionId } = app.last('/callAnswered');
    const before = await shown(String(sessionId));
    const [{ replyId } = { replyId: '' }] = before.connections;
    await house.operate('startrecording', { replyId, connectionId, recordingFileName: 'talk.wav' });
    const session = await shown(String(sessionId));
    expect(session.connections).toMatchObject([
      { connectionId, type: 'pair', recording: { recordingFileName: 'talk.wav', paused: false } },
    ]);
    expect(session.participants.map(({ user, state }) => [user, state])).toEqual([
      ['anna', 'connected'],
      ['bo', 'connected'],
    ]);
    const [{ participantId } = { participantId: '' }] = session.participants;
    expect(
      await house.operate('hangupparticipant', { participantId, sessionId, replyId: session.replyId }),
    ).toMatchObject({ ok: true });
    await house.leaves(anna);
    await house.leaves(bo);
    expect((await listed()).sessions).toEqual([]);
  });

  it('are found by their service, page after page', async () => {
    house.service({ id: 'service-2', destinationMatch: '^other$' });
    app.on('/newCall', ...Array.from({ length: 3 }, () => ({ action: 'ivr' })));
    app.on('/getIvrCommand', ...Array.from({ length: 3 }, () => ({ getIVRCommandAfter: 3_600 })));
    const calls = [];
    for (const [phone, to] of [
      [anna, 'ivr'],
      [bo, 'ivr'],
      [anna, 'other'],
    ] as const) {
      const call = await phone.invite(to, net.pump);
      phone.acknowledge(call, phone.response(200));
      await net.pump();
      calls.push([phone, call] as const);
    }
    const all = (await listed()).sessions.map(({ sessionId }) => sessionId);
    expect(all).toHaveLength(3);
    const seen: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await listed({ limit: 2, ...(nextToken !== undefined && { nextToken }) });
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    expect(seen).toEqual(all);
    const other = await listed({ mediaserviceId: 'service-2' });
    expect(other.sessions.map(({ calledParty }) => calledParty)).toEqual(['other']);
    for (const [phone, call] of calls) await house.hangsUp(phone, call);
  });
});
