import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;
let bo: Telephone;
let talks: { readonly anna: Talk; readonly bo: Talk };
/** The newCall of Bo, who moves to the session of Anna. */
let reported: Readonly<Record<string, unknown>>;

const HOLD = { phrases: [{ format: 'tone', frequency: 440, duration: 60_000 }] };

beforeEach(async () => {
  house = await mediaService();
  ({ net, app } = house);
  house.service({ destinationMatch: '^(ivr|help)$' });
  [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const dialled = async (phone: Telephone, number: string): Promise<Talk> => {
  const talk = await phone.invite(number, net.pump);
  phone.acknowledge(talk, phone.response(200));
  await net.pump();
  return talk;
};

/** Anna waits at an IVR; the newCall of Bo is answered with what leads to her session. */
async function moves(
  answer: (parked: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', HOLD);
  const first = await dialled(anna, 'ivr');
  const parked = app.last('/getIvrCommand');
  app.on('/newCall', await answer(parked));
  talks = { anna: first, bo: await dialled(bo, 'help') };
  reported = app.last('/newCall');
  expect(reported).toMatchObject({ callingParty: 'bo', calledParty: 'help' });
  await net.after(300, 100);
}

const intoCall = () =>
  moves(async ({ participantId, replyId }) => ({ action: 'connect', participantId, replyId }));
const intoConference = () =>
  moves(async ({ sessionId, replyId }) => {
    const made = await house.operate('createconferenceconnection', { sessionId, replyId });
    return {
      action: 'joinconferenceconnection',
      connectionId: made.ok ? made.value.connectionId : undefined,
    };
  });

describe('a caller whose newCall leads into another session', () => {
  it.each([
    ['connect', intoCall],
    ['joinconferenceconnection', intoConference],
  ] as const)('%s: is hung up on by its first replyId, and its session is completed then', async (_, go) => {
    await go();
    const { replyId, sessionId, participantId } = reported;
    expect(app.received('/sessionCompleted')).toEqual([]);
    app.on('/callEvent', { action: 'drop' });
    expect(await house.operate('hangupparticipant', { replyId, sessionId, participantId })).toMatchObject({
      ok: true,
    });
    await house.leaves(bo);
    const completed = app.received('/sessionCompleted').filter((each) => each.sessionId === sessionId);
    expect(completed).toMatchObject([{ reason: 'moved' }]);
    expect(Number(completed[0]?.sessionDuration)).toBeGreaterThan(0.2);
    if (go === intoCall) await house.leaves(anna);
    else await house.hangsUp(anna, talks.anna);
    expect(app.received('/sessionCompleted')).toHaveLength(2);
    expect(await house.operate('hangupparticipant', { replyId, sessionId, participantId })).toMatchObject({
      ok: false,
      error: { code: 'sessionUnknown' },
    });
  });

  it('keeps its numbers in the callEvents of that session, as the others keep theirs', async () => {
    await intoCall();
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(anna, talks.anna);
    expect(app.last('/callEvent')).toMatchObject({
      remainingParticipantId: reported.participantId,
      user: 'bo',
      callingParty: 'bo',
      calledParty: 'help',
      srcAddr: '192.0.2.21',
    });
    await house.leaves(bo);
  });

  it('that leaves first: the callEvent about the other one has the numbers of the other one', async () => {
    await intoCall();
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(bo, talks.bo);
    expect(app.last('/callEvent')).toMatchObject({
      participantId: reported.participantId,
      user: 'anna',
      callingParty: 'anna',
      calledParty: 'ivr',
    });
    await house.leaves(anna);
  });

  it('has a conference made where it is, by the names of the session that it began', async () => {
    await intoCall();
    const { replyId, sessionId } = reported;
    const made = await house.operate('createconferenceconnection', { replyId, sessionId });
    const there = String(app.last('/callAnswered').sessionId);
    expect(made).toMatchObject({ ok: true, value: { connectionId: expect.stringContaining(there) } });
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(bo, talks.bo);
    await house.leaves(anna);
  });
});
