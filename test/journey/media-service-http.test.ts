import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { addressPolicy } from '#shared/matching/index.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Phone } from '#test/support/phone.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

/* The action `httpcall`: the application itself is the other party, by RTP alone. */
let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;
let ear: Phone;

const [HOST, PORT] = ['10.7.0.5', 40_000];
/** Where the ways of this host begin; none leads to the rest. */
const ROUTES = [
  ['10.', '192.0.2.10'],
  ['2001:db8:7::', '2001:db8::10'],
] as const;
const HTTPCALL = {
  action: 'httpcall',
  codec: 'PCMU',
  receiveIp: HOST,
  receivePort: PORT,
  telephoneEventPayloadType: 101,
};
const HOLD = { getIVRCommandAfter: 3_600 };

beforeEach(async () => {
  house = await mediaService({
    audioPolicy: addressPolicy({
      allowPrivate: ['10.7.0.0/16', '2001:db8:7::/48'],
      listeners: () => [],
      ownAddresses: () => [],
    }),
    audioTowards: (remote) => ROUTES.find(([prefix]) => remote.startsWith(prefix))?.[1],
  });
  ({ net, app } = house);
  house.service();
  anna = await net.device('anna', '192.0.2.20');
  ear = house.appliance.media.phone({ host: HOST, port: PORT, codec: 'PCMU' });
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

/** Anna is on the line with the application. */
async function talks(fields: object = {}): Promise<Talk> {
  app.on('/newCall', { ...HTTPCALL, ...fields });
  const talk = await anna.invite('ivr', net.pump);
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  ear.talkTo(Number(app.last('/callAnswered').remoteRtpPort));
  return talk;
}

async function hearing(from: Phone, to: Phone, hz: number): Promise<boolean> {
  to.forget();
  from.say(render([tone(hz, 400, -12)]));
  await net.after(800, 100);
  return levelAt(to.received, hz) > -30;
}

describe('httpcall', () => {
  it('both hear each other, digits come as events, and callAnswered says where to speak', async () => {
    const talk = await talks();
    expect(app.last('/callAnswered')).toMatchObject({
      callingPartyNumber: 'anna',
      remotePartyNumber: 'ivr',
      codec: 'PCMU',
      remoteRtpIp: '192.0.2.10',
      remoteRtpPort: expect.any(Number),
    });
    expect(app.last('/callAnswered').crypto).toBeUndefined();
    expect(await hearing(anna.audio, ear, 700)).toBe(true);
    expect(await hearing(ear, anna.audio, 1_000)).toBe(true);
    anna.audio.press('5', { by: 'rfc4733' });
    await net.after(800, 100);
    expect(ear.digits.map(({ digit }) => digit).join('')).toBe('5');
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(anna, talk);
    expect(app.received('/callEvent')).toMatchObject([{ event: 'callingPartyDrop' }]);
  });

  it.each([
    ['2001:DB8:7:0::5', '2001:db8:7::5', '2001:db8::10'],
    ['::ffff:10.7.0.5', HOST, '192.0.2.10'],
  ])('the application at %s gets our address of its family', async (receiveIp, host, ours) => {
    const opens = vi.spyOn(house.appliance.media.media, 'openLeg');
    ear = house.appliance.media.phone({ host, port: PORT, codec: 'PCMU' });
    const talk = await talks({ receiveIp });
    expect(app.last('/callAnswered')).toMatchObject({ remoteRtpIp: ours });
    expect(opens.mock.lastCall?.[0].family).toBe(host.includes(':') ? 6 : 4);
    expect(await hearing(anna.audio, ear, 700)).toBe(true);
    expect(await hearing(ear, anna.audio, 1_000)).toBe(true);
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(anna, talk);
  });

  it('hangupremoteparticipant takes the application out of it, and it is asked what becomes of the caller', async () => {
    const talk = await talks();
    app.on('/callEvent', { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    const { callerParticipantId: participantId } = app.last('/callAnswered');
    const { replyId } = app.last('/callAnswered');
    expect(await house.operate('hangupremoteparticipant', { participantId, replyId })).toMatchObject({
      ok: true,
    });
    expect(app.last('/callEvent')).toMatchObject({
      event: 'calledPartyDrop',
      remainingParticipantId: participantId,
    });
    expect(app.received('/getIvrCommand')).toHaveLength(1);
    expect(await hearing(anna.audio, ear, 700)).toBe(false);
    await house.hangsUp(anna, talk);
  });

  it.each([
    ['by event', () => ear.press('74', { by: 'rfc4733' })],
    ['in band', () => ear.press('74')],
  ])('left alone it is connected to an IVR, and keys it presses %s are digits there', async (_, press) => {
    const talk = await talks();
    const { calleeParticipantId } = app.last('/callAnswered');
    app.on('/callEvent', { action: 'ivr' });
    app.on('/getIvrCommand', { dtmf: { maxDigits: 2 } }, { hangup: true });
    await house.hangsUp(anna, talk);
    expect(app.last('/callEvent')).toMatchObject({
      event: 'callingPartyDrop',
      remainingParticipantId: calleeParticipantId,
    });
    app.on('/callEvent', { action: 'drop' });
    press();
    await net.after(2_000, 100);
    expect(app.last('/getIvrCommand')).toMatchObject({
      dtmfParams: { dtmfMatch: '74', reason: 'maxDigits' },
    });
    await net.after(2_000, 100);
    expect(app.order.at(-1)).toBe('/sessionCompleted');
  });

  it('goes on when the application sends no audio; it ends with the media worker', async () => {
    app.on('/newCall', HTTPCALL);
    const talk = await anna.invite('ivr', net.pump);
    anna.acknowledge(talk, anna.response(200));
    await net.after(15_000, 500);
    expect(house.appliance.runtime.media.size).toBe(1);
    app.on('/callEvent', { action: 'drop' }, { action: 'drop' });
    house.appliance.media.crash();
    await net.pump();
    await house.leaves(anna);
    expect(house.appliance.logged.join()).toContain('mediaServerError');
  });

  it('with keys it is SRTP, and ours is sent', async () => {
    const theirs = Buffer.alloc(30, 7).toString('base64');
    const suite = 'AES_CM_128_HMAC_SHA1_80';
    const talk = await talks({ crypto: [{ id: 4, suite, config: `inline:${theirs}` }] });
    expect(app.last('/callAnswered').crypto).toMatchObject([
      { id: 4, suite, config: expect.stringMatching(/^inline:/) },
    ]);
    app.on('/callEvent', { action: 'drop' });
    await house.hangsUp(anna, talk);
  });

  it.each([
    [{ receiveIp: '127.0.0.1' }, /receiveIp/],
    [
      { receiveIp: '2001:db8:7:8::1' },
      /receiveIp: this host has no IPv6 address that leads to 2001:db8:7:8::1; name an IPv4/,
    ],
    [{ crypto: [{ id: 1, suite: 'NULL', config: 'inline:AA' }] }, /crypto/],
  ])('%o is not taken: the application learns why and is asked again', async (fields, reason) => {
    app.on('/newCall', { ...HTTPCALL, ...fields });
    app.on('/callEvent', { action: 'drop' });
    await anna.invite('ivr', net.pump);
    anna.response(603);
    expect(app.last('/callEvent')).toMatchObject({
      event: 'calledPartyDrop',
      sipStatus: 488,
      sipReason: expect.stringMatching(reason),
    });
  });

  it('without an address it is no action', async () => {
    app.on('/newCall', { action: 'httpcall', codec: 'PCMA' });
    await anna.invite('ivr', net.pump);
    anna.response(480);
    expect(house.appliance.logged.join('\n')).toContain('receiveIp: is mandatory for httpcall');
  });
});
