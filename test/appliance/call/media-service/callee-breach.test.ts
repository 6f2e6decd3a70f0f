import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  house = await mediaService();
  ({ net, app } = house);
  house.service({ alarmPath: '/alarm' });
  [anna, bo] = [await net.device('anna', '192.0.2.20'), await net.device('bo', '192.0.2.21')];
  app.on('/newCall', { action: 'call', destAddr: 'bo', maxRingTime: 5 });
  app.on('/callEvent', { action: 'drop', dropCode: 480 });
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

/** Bo has rung for too long, the CANCEL is out, and the application has let Anna go. */
async function rangLong() {
  await anna.invite('ivr', net.pump);
  const invite = bo.request('INVITE');
  bo.hearPort(invite);
  bo.respond(invite, 180);
  await net.after(5_500, 500);
  anna.response(480);
  bo.request('CANCEL');
  return invite;
}

const VIDEO = [
  'v=0',
  'o=bo 1 1 IN IP4 192.0.2.21',
  's=-',
  'c=IN IP4 192.0.2.21',
  't=0 0',
  'm=audio 0 RTP/AVP 8',
  'm=video 40002 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  '',
].join('\r\n');

describe('a callee whose time is over', () => {
  it('and that ignores the CANCEL is an alarm', async () => {
    const invite = await rangLong();
    expect(app.received('/alarm')).toEqual([]);
    await net.after(40_000, 1_000);
    expect(app.received('/alarm')).toMatchObject([
      {
        ...{ type: 'callError', error: 'cancelFailed', status: 408, user: 'bo', callId: invite.callId },
        errorDetails: { reason: expect.stringContaining('32 s after the CANCEL') },
      },
    ]);
  });

  it('and that answers is hung up on, which is an alarm', async () => {
    const invite = await rangLong();
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    bo.request('ACK');
    await house.leaves(bo);
    expect(app.received('/alarm')).toMatchObject([{ error: 'cancelFailed', status: 200, user: 'bo' }]);
  });
});

describe('a callee that answers with a description which nothing can be agreed with', () => {
  it.each([
    ['video only', VIDEO, 488],
    ['no description', 'hello\r\n', 400],
  ])('%s: is hung up on, the application hears why, and it is an alarm', async (_, sdp, status) => {
    await anna.invite('ivr', net.pump);
    bo.respond(bo.request('INVITE'), 200, { sdp });
    await net.pump();
    bo.request('ACK');
    await house.leaves(bo);
    anna.response(480);
    const { sipStatus, sipReason } = app.last('/callEvent');
    expect(sipStatus).toBe(status);
    expect(app.received('/alarm')).toMatchObject([
      {
        type: 'callError',
        error: 'invalidSdp',
        status,
        user: 'bo',
        errorDetails: { reason: sipReason },
      },
    ]);
    expect(String(sipReason).length).toBeGreaterThan(10);
  });

  it('is no alarm where it refuses with 488 itself', async () => {
    await anna.invite('ivr', net.pump);
    bo.respond(bo.request('INVITE'), 488, { reason: 'Not Acceptable Here' });
    await net.pump();
    anna.response(480);
    expect(app.last('/callEvent')).toMatchObject({ sipStatus: 488, sipReason: 'Not Acceptable Here' });
    expect(app.received('/alarm')).toEqual([]);
  });
});
