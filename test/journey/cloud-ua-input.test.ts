import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
const rings = () => anna.invite('door-1', net.pump);
const answer = (fields: object = {}) =>
  house.operate('answerremotecall', { replyId: replyId(), ...END, ...fields });
async function speaks(talk: Talk): Promise<void> {
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
}
async function hangsUp(talk: Talk): Promise<void> {
  anna.inDialog(talk, 'BYE');
  await net.pump();
  anna.response(200, 'BYE');
}

describe('an unusable target', () => {
  const TALKING: readonly (readonly [string, object, object])[] = [
    [
      'a private receiveIp outside the networks that are allowed',
      { receiveIp: '192.168.1.9' },
      { path: '/receiveIp' },
    ],
    ['a receiveIp that is none', { receiveIp: 'app.example' }, { path: '/receiveIp' }],
    ['a receiveIp of another family', { receiveIp: '2a00:1450::7' }, { path: '/receiveIp' }],
    ['a codec that is not spoken', { codec: 'G729' }, { path: '/codec' }],
    ['GSM in an answer', { codec: 'GSM' }, { path: '/codec' }],
    ['no port', { receivePort: 0 }, { path: '/receivePort' }],
    ['a payload type of a codec', { telephoneEventPayloadType: 8 }, { path: '/telephoneEventPayloadType' }],
    [
      'a key for none of ours',
      { crypto: [{ id: 9, suite: 'AES_CM_128_HMAC_SHA1_80', config: `inline:${'A'.repeat(40)}` }] },
      { path: '/crypto' },
    ],
    [
      'a key that is none',
      { crypto: [{ id: 1, suite: 'AES_CM_128_HMAC_SHA1_80', config: 'inline:short' }] },
      { path: '/crypto' },
    ],
    ['an unknown member', { receiveHost: 'a' }, { path: '/receiveHost' }],
  ];
  it.each(TALKING)('%s is refused, and the call still waits', async (_, fields, error) => {
    const talk = await rings();
    expect(await answer(fields)).toMatchObject({ ok: false, error: { code: 'invalid', ...error } });
    expect(await answer()).toMatchObject({ ok: true });
    await speaks(talk);
    await hangsUp(talk);
  });

  it('a replyId that was never issued', async () => {
    const talk = await rings();
    for (const operation of ['answerremotecall', 'sendremotecallringback', 'hangupcall'] as const) {
      const body = { replyId: 'a.b.c', ...(operation === 'answerremotecall' && END) };
      expect(await house.operate(operation, body)).toMatchObject({ error: { code: 'replyIdInvalid' } });
    }
    anna.cancel(talk);
    await net.pump();
  });

  it('a second answer, and ringback behind it', async () => {
    const talk = await rings();
    expect(await answer()).toMatchObject({ ok: true });
    await speaks(talk);
    expect(await answer()).toMatchObject({ error: { code: 'conflict', path: '/replyId' } });
    expect(await house.operate('sendremotecallringback', { replyId: replyId() })).toMatchObject({
      error: { code: 'conflict' },
    });
    await hangsUp(talk);
  });

  const PLACING: readonly (readonly [string, object, object])[] = [
    ['no SIP address', { destinationUri: 'sip:a b' }, { path: '/destinationUri' }],
    ['a user that is none', { sourceUser: 'a@b' }, { path: '/sourceUser' }],
    ['a private receiveIp', { receiveIp: '192.168.1.9' }, { path: '/receiveIp' }],
    [
      'a callbackBaseUrl of an unknown host',
      { callbackBaseUrl: 'https://evil.example' },
      { path: '/callbackBaseUrl' },
    ],
    ['keys of no use', { crypto: [{ id: 1, suite: 'ROT13', config: 'inline:x' }] }, { path: '/crypto' }],
  ];
  it.each(PLACING)('%s: no one is called', async (_, fields, error) => {
    expect(await house.operate('placeremotecall', { ...PLACE, ...fields })).toMatchObject({
      error: { code: 'invalid', ...error },
    });
    expect(anna.has('INVITE')).toBe(false);
  });

  it('a user of several user agents is recognised by its callbackBaseUrl, or by whose calls come to it', async () => {
    house.agent({ id: 'agent-2', destinationMatch: '^gate-', callbackBaseUrl: 'https://gate.example/cb' });
    expect(await house.operate('placeremotecall', { ...PLACE, sourceUser: 'nobody' })).toMatchObject({
      error: { code: 'invalid', path: '/sourceUser' },
    });
    const byUser = { ...PLACE, sourceUser: 'gate-1' };
    const byUrl = { ...PLACE, sourceUser: 'nobody', callbackBaseUrl: 'https://gate.example/cb' };
    for (const body of [byUser, byUrl]) {
      await house.operate('placeremotecall', body);
      anna.respond(anna.request('INVITE'), 486);
      await net.pump();
      expect(house.appliance.posted.at(-1)?.target.url).toBe('https://gate.example/cb');
    }
  });

  it('the one of several with one callbackBaseUrl is taken whose user calls, else the first by order', async () => {
    const callbackBaseUrl = 'https://gate.example/cb';
    const signedBy = (sub: string) => [{ sub, scope: 'b', secret: 's'.repeat(40), type: 'HS256' }];
    house.agent({
      id: 'agent-2',
      order: 20,
      destinationMatch: '^gate-',
      callbackBaseUrl,
      restAuthentication: signedBy('gate'),
    });
    house.agent({
      id: 'agent-3',
      order: 10,
      destinationMatch: '^yard-',
      callbackBaseUrl,
      restAuthentication: signedBy('yard'),
    });
    const takers: unknown[] = [];
    for (const sourceUser of ['gate-1', 'yard-1', 'nobody']) {
      expect(await house.operate('placeremotecall', { ...PLACE, sourceUser, callbackBaseUrl })).toMatchObject(
        {
          ok: true,
        },
      );
      anna.respond(anna.request('INVITE'), 486);
      await net.pump();
      takers.push(house.appliance.posted.at(-1)?.target.restAuthentication[0]?.sub);
    }
    expect(takers).toEqual(['gate', 'yard', 'yard']);
    expect(await house.operate('placeremotecall', { ...PLACE, sourceUser: 'nobody' })).toMatchObject({
      error: { path: '/sourceUser', reason: expect.stringContaining('is that of no cloud SIP user agent') },
    });
  });
});
