import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;
let bo: Telephone;
let eve: Telephone;
let dan: Telephone;
let first: Talk;
/** The call of Dan. */
let talk: Talk;

const HOLD = { phrases: [{ format: 'tone', frequency: 440, duration: 60_000 }] };

/** Anna waits at an IVR; her application has a conference for two, which every other caller is to join. Dan is in it. */
async function conferenceOfTwo(): Promise<void> {
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', HOLD);
  first = await house.calls(anna);
  const { sessionId, replyId } = app.last('/getIvrCommand');
  const made = await house.operate('createconferenceconnection', {
    sessionId,
    replyId,
    maxParticipants: 2,
  });
  const join = {
    action: 'joinconferenceconnection',
    connectionId: made.ok ? made.value.connectionId : undefined,
  };
  app.on('/newCall', join, join, join);
  talk = await house.calls(dan);
}

beforeEach(async () => {
  house = await mediaService();
  ({ net, app } = house);
  house.service({ alarmPath: '/alarm' });
  [anna, bo, eve, dan] = [
    await net.device('anna', '192.0.2.20'),
    await net.device('bo', '192.0.2.21'),
    await net.device('eve', '192.0.2.22'),
    await net.device('dan', '192.0.2.23'),
  ];
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const isRefused = (phone: Telephone, status: number, why: string): void => {
  const refusal = phone.response(status);
  expect(refusal.header('Warning')).toContain(why);
  expect(phone.inbox.filter((each) => each.kind === 'response' && each.status === 200)).toEqual([]);
};

describe('a caller that cannot join', () => {
  it('a conference that has its participants is refused before the answer, with an error of its own', async () => {
    await conferenceOfTwo();
    const back = await house.calls(bo);
    eve.inbox.length = 0;
    await eve.invite('ivr', net.pump);
    isRefused(eve, 486, 'the conference has its 2 participants already');
    expect(app.last('/alarm')).toMatchObject({
      type: 'callEventError',
      error: 'conferenceFull',
      errorDetails: { reason: expect.stringContaining('maxParticipants') },
    });
    expect(app.last('/sessionCompleted')).toMatchObject({ reason: 'conferenceFull' });
    await house.hangsUp(bo, back);
    await house.hangsUp(dan, talk);
    await house.hangsUp(anna, first);
  });

  it('the last seat, which a caller before it is being answered for', async () => {
    await conferenceOfTwo();
    const back = await bo.invite('ivr', net.pump);
    const answer = bo.response(200);
    eve.inbox.length = 0;
    await eve.invite('ivr', net.pump);
    isRefused(eve, 486, 'participants already');
    bo.acknowledge(back, answer);
    await net.pump();
    expect(app.last('/callAnswered')).toMatchObject({ callingPartyNumber: 'bo' });
    await house.hangsUp(bo, back);
    await house.hangsUp(dan, talk);
    await house.hangsUp(anna, first);
  });

  it.each([
    ['joinconferenceconnection', { connectionId: 'none' }, 480, 'connectionUnknown'],
    ['connect', { participantId: 'none' }, 480, 'participantUnknown'],
  ])('%s to what is not there', async (action, fields, status, error) => {
    app.on('/newCall', { action, ...fields });
    eve.inbox.length = 0;
    await eve.invite('ivr', net.pump);
    isRefused(eve, status, 'none');
    expect(app.last('/alarm')).toMatchObject({ type: 'callEventError', error });
  });
});
