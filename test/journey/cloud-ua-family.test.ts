import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressPolicy } from '#shared/matching/index.ts';
import {
  APP_HOST,
  APP_PORT,
  NOTHING_LEFT,
  type RemoteHouse,
  remoteHouse,
} from '#test/support/remote-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

/** An application may speak either family that the host has: the answers to it follow its family (media document 4.2). */
const [APP_SIX, OURS, OURS_SIX] = ['2001:db8:7::5', '192.0.2.10', '2001:db8::10'];
const NO_ROUTE = '2001:db8:8::5';

let house: RemoteHouse;
let net: RemoteHouse['net'];
let app: RemoteHouse['app'];
let anna: Telephone;

beforeEach(async () => {
  house = await remoteHouse({
    audioPolicy: addressPolicy({
      allowPrivate: ['10.7.0.0/16', '2001:db8::/32'],
      listeners: () => [],
      ownAddresses: () => [],
    }),
    audioTowards: (remote) => ({ [APP_HOST]: OURS, [APP_SIX]: OURS_SIX })[remote],
  });
  ({ net, app } = house);
  house.agent();
  anna = await net.device('anna', '192.0.2.20');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const END = { codec: 'PCMA', receiveIp: APP_HOST, receivePort: APP_PORT };
const rings = () => anna.invite('door-1', net.pump);
const answer = (receiveIp: string) =>
  house.operate('answerremotecall', { ...END, replyId: app.last('/newRemoteCall').replyId, receiveIp });
async function hangsUp(talk: Talk): Promise<void> {
  anna.inDialog(talk, 'BYE');
  await net.pump();
  anna.response(200, 'BYE');
}

describe('an application of a host with both families', () => {
  it.each([
    ['IPv4', APP_HOST, OURS, true],
    ['IPv6', APP_SIX, OURS_SIX, false],
  ])('answers a call in %s, and both hear each other', async (_, host, ours, sameLeg) => {
    const talk = await rings();
    const first = app.last('/newRemoteCall');
    expect(first.remoteRtpIp).toBe(OURS);
    const done = await answer(host);
    if (!done.ok || done.value === undefined) throw new Error(JSON.stringify(done));
    expect(done.value.localIp).toBe(ours);
    // A leg has one family: another one takes its place, with a port of its own.
    expect(done.value.localPort === first.remoteRtpPort).toBe(sameLeg);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(app.last('/callAnswered')).toMatchObject({
      remoteRtpIp: ours,
      remoteRtpPort: done.value.localPort,
    });
    expect(house.appliance.media.openLegs).toHaveLength(2);
    const ear = house.ear({ host });
    ear.talkTo(done.value.localPort);
    expect(await house.hearing(anna.audio, ear)).toBe(true);
    expect(await house.hearing(ear, anna.audio, 900)).toBe(true);
    await hangsUp(talk);
  });

  it.each([
    [APP_HOST, OURS],
    [APP_SIX, OURS_SIX],
  ])('places one from %s', async (receiveIp, localIp) => {
    const placed = { ...END, receiveIp, destinationUri: 'anna', sourceUser: 'door-1' };
    const opens = vi.spyOn(house.appliance.media.media, 'openLeg');
    const done = await house.operate('placeremotecall', placed);
    expect(done).toMatchObject({ ok: true, value: { localIp } });
    expect(opens.mock.calls[0]?.[0].family).toBe(localIp.includes(':') ? 6 : 4);
    const invite = anna.request('INVITE');
    anna.hearPort(invite);
    anna.respond(invite, 200, { sdp: anna.describe() });
    await net.pump();
    anna.request('ACK');
    expect(app.last('/callAnswered')).toMatchObject({ remoteRtpIp: localIp });
    await hangsUp(anna.answeredTalk(invite));
  });

  it('is refused an address without a route, and the call still waits', async () => {
    const talk = await rings();
    expect(await answer(NO_ROUTE)).toMatchObject({
      error: {
        code: 'invalid',
        path: '/receiveIp',
        reason: `receiveIp: this host has no IPv6 address that leads to ${NO_ROUTE}; name an IPv4 address, or give the host one of IPv6`,
      },
    });
    const placed = { ...END, receiveIp: NO_ROUTE, destinationUri: 'anna', sourceUser: 'door-1' };
    expect(await house.operate('placeremotecall', placed)).toMatchObject({ error: { path: '/receiveIp' } });
    expect(await answer(APP_SIX)).toMatchObject({ ok: true });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await hangsUp(talk);
  });

  it('keeps its call when no leg of the other family can be opened, and answers it in the first', async () => {
    const talk = await rings();
    house.appliance.media.refuseLegs({ code: 'NoPort', reason: 'the ports are used up' });
    expect(await answer(APP_SIX)).toMatchObject({
      error: { code: 'conflict', reason: 'the ports are used up' },
    });
    house.appliance.media.refuseLegs(null);
    expect(await answer(APP_HOST)).toMatchObject({ ok: true, value: { localIp: OURS } });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await hangsUp(talk);
  });

  it('that answers as its caller leaves holds nothing', async () => {
    const talk = await rings();
    const answering = answer(APP_SIX);
    anna.cancel(talk);
    await net.pump();
    expect(await answering).toMatchObject({ ok: false });
  });
});
