import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;

beforeEach(async () => {
  house = await mediaService();
  ({ net, app } = house);
  house.service();
  anna = await net.device('anna', '192.0.2.20');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

/** The callEvent after a call that the application asks for on behalf of Anna. */
async function called(destAddr: string, more: object, meanwhile: () => Promise<void> | void) {
  app.on('/newCall', { action: 'call', destAddr, ...more });
  app.on('/callEvent', { action: 'drop', dropCode: 480 });
  await anna.invite('ivr', net.pump);
  await meanwhile();
  await net.pump();
  anna.response(480);
  const { event, sipStatus, sipReason } = app.last('/callEvent');
  return { event, sipStatus, sipReason };
}

const nothing = () => {};

describe('callEvent says why a party was not reached', () => {
  it.each([
    ['its reason phrase', 486, { reason: 'Busy in a meeting' }, 'Busy in a meeting'],
    [
      'the text of its Reason field (RFC 3326), which its network knows',
      480,
      { headers: [['Reason', 'Q.850;cause=17;text="User busy"']] },
      'User busy',
    ],
    [
      'its Warning for a person (RFC 3261 20.43)',
      404,
      { headers: [['Warning', '399 pbx.example "extension 17 has moved to Lund"']] },
      'extension 17 has moved to Lund',
    ],
    ['a Reason without a text is passed over', 603, { headers: [['Reason', 'SIP;cause=603']] }, 'Said'],
    ['the standard phrase, where it says none', 486, { reason: '' }, 'Busy Here'],
  ] as const)('in the words of the peer: %s', async (_, status, parts, sipReason) => {
    const bo = await net.device('bo', '192.0.2.21');
    const reported = await called('bo', {}, () => {
      const { headers = [], ...more } = { headers: undefined, ...parts };
      bo.respond(bo.request('INVITE'), status, { ...more, headers });
    });
    expect(reported).toEqual({ event: 'calledPartyDrop', sipStatus: status, sipReason });
  });

  it('reports several in the words of the one whose status is sent', async () => {
    const [bo, second] = [await net.device('bo', '192.0.2.21'), await net.device('bo', '192.0.2.22')];
    const reported = await called('bo', {}, async () => {
      bo.respond(bo.request('INVITE'), 486, { reason: 'Speaking with a customer' });
      await net.pump();
      second.respond(second.request('INVITE'), 404, { reason: 'Nobody at this desk' });
    });
    expect(reported).toMatchObject({ sipStatus: 486, sipReason: 'Speaking with a customer' });
  });

  it('after maxRingTime: how long it was', async () => {
    const bo = await net.device('bo', '192.0.2.21');
    const reported = await called('bo', { maxRingTime: 2.5 }, async () => {
      const invite = bo.request('INVITE');
      bo.respond(invite, 180);
      await net.after(3_000, 500);
      bo.respond(bo.request('CANCEL'), 200);
      bo.respond(invite, 487);
    });
    expect(reported).toEqual({ event: 'calledPartyDrop', sipStatus: 408, sipReason: 'no answer in 2.5 s' });
  });

  it('a telephone that has never said a word to the INVITE', async () => {
    await net.device('bo', '192.0.2.21');
    const reported = await called('bo', { maxRingTime: 60 }, () => net.after(33_000, 1_000));
    expect(reported).toMatchObject({ sipStatus: 408, sipReason: 'no answer to the INVITE in 32 s' });
  });

  it('a device that is not registered', async () => {
    await net.device('bo', '192.0.2.21', {}, false);
    expect(await called('bo', {}, nothing)).toEqual({
      event: 'calledPartyDrop',
      sipStatus: 480,
      sipReason: 'bo is not registered',
    });
  });

  it('a number that no trunk takes, an unregistered name', async () => {
    expect(await called('+46701234567', {}, nothing)).toMatchObject({
      sipStatus: 404,
      sipReason: expect.stringContaining('no trunk takes +46701234567'),
    });
    expect(await called('nobody', {}, nothing)).toMatchObject({ sipReason: 'nobody here is nobody' });
  });

  it('a host that cannot be found', async () => {
    const reported = await called('sip:desk@nowhere.example', {}, nothing);
    expect(reported).toMatchObject({ sipStatus: 503, sipReason: expect.stringContaining('nowhere.example') });
  });
});

it('callEvent carries the Reason of a BYE, and nothing for normal clearing', async () => {
  const command = { phrases: [{ format: 'tone', frequency: 1_000, duration: 5_000 }] };
  app.on('/newCall', { action: 'ivr' }, { action: 'ivr' });
  app.on('/getIvrCommand', command, command);
  const talk = await house.calls(anna);
  anna.inDialog(talk, 'BYE', { headers: [['Reason', 'Q.850;cause=41;text="Temporary failure"']] });
  await net.pump();
  expect(app.last('/callEvent')).toMatchObject({ sipReason: 'Temporary failure' });
  expect(app.last('/callEvent')).not.toHaveProperty('sipStatus');
  await house.hangsUp(anna, await house.calls(anna));
  expect(app.last('/callEvent')).not.toHaveProperty('sipReason');
});
