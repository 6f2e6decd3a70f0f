import { describe, expect, it } from 'vitest';
import { eachWithTelephones, hangsUp, type TelephoneHouse, talking } from '#test/support/talking.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';
import { referTo as to, transfers } from '#test/support/transfer.ts';

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let bo: Telephone;
let carl: Telephone;

eachWithTelephones({ anna: '192.0.2.20', bo: '192.0.2.21', carl: '192.0.2.22' }, (made) => {
  ({ appliance, net, anna, bo, carl } = made);
});

const calls = (from: Telephone, to: Telephone) => talking(net, from, to);
const reported = (by: Telephone) => transfers(net).takeNotify(by);
const digitsFrom = (from: Telephone, to: Telephone) => transfers(net).digitsFrom(from, to);
const hangUp = (by: Telephone, talk: Talk, other: Telephone) => hangsUp(net, by, talk, other);

describe('a blind transfer', () => {
  it('by the callee: the caller talks with the new one, who asked is released', async () => {
    const { talk, back } = await calls(anna, bo);
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    bo.response(202, 'REFER');
    expect(await reported(bo)).toBe('SIP/2.0 100 Trying active');
    const invite = carl.request('INVITE');
    expect(invite.from.uriText).toBe('sip:anna@care.example');
    carl.respond(invite, 180);
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 180 Trying active');
    carl.hearPort(invite);
    carl.respond(invite, 200, { sdp: carl.describe() });
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 200 OK terminated');
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(await digitsFrom(anna, carl)).toBe('27');
    await hangUp(anna, talk, carl);
  });

  it('by the caller, who hangs up at once: the callee waits and is connected', async () => {
    const { talk } = await calls(anna, bo);
    anna.inDialog(talk, 'REFER', { headers: to('carl') });
    await net.pump();
    anna.response(202, 'REFER');
    await reported(anna);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    expect(bo.has('BYE')).toBe(false);
    const invite = carl.request('INVITE');
    // Whom he will speak with, and not the party that has left.
    expect(invite.from.uriText).toBe('sip:bo@care.example');
    carl.hearPort(invite);
    carl.respond(invite, 200, { sdp: carl.describe() });
    await net.pump();
    expect(await digitsFrom(carl, bo)).toBe('27');
    await hangUp(carl, carl.answeredTalk(invite), bo);
  });

  it('to a busy party fails, and the two talk on', async () => {
    const { talk, back } = await calls(anna, bo);
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    await reported(bo);
    carl.respond(carl.request('INVITE'), 486);
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 486 Failed terminated');
    expect(await digitsFrom(anna, bo)).toBe('27');
    await hangUp(anna, talk, bo);
  });

  it('is over when its asker has left and it fails', async () => {
    const { back } = await calls(anna, bo);
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    await reported(bo);
    bo.inDialog(back, 'BYE');
    await net.pump();
    carl.respond(carl.request('INVITE'), 486);
    await net.pump();
    const bye = anna.request('BYE');
    expect(bye.header('Reason')).toContain('cause=486');
    anna.respond(bye, 200);
    await net.pump();
  });

  it('to an unknown name is refused 404, without a target 400, twice at once 491', async () => {
    const { talk, back } = await calls(anna, bo);
    bo.inDialog(back, 'REFER', { headers: to('nobody') });
    await net.pump();
    bo.response(404, 'REFER');
    bo.inDialog(back, 'REFER');
    await net.pump();
    bo.response(400, 'REFER');
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    anna.inDialog(talk, 'REFER', { headers: to('carl') });
    await net.pump();
    bo.response(202, 'REFER');
    anna.response(491, 'REFER');
    await reported(bo);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    bo.respond(bo.request('NOTIFY'), 200);
    bo.respond(bo.request('BYE'), 200);
    const ringing = carl.request('INVITE');
    carl.respond(ringing, 180);
    await net.pump();
    carl.respond(carl.request('CANCEL'), 200);
    carl.respond(ringing, 487);
    await net.pump();
  });
});

describe('an attended transfer', () => {
  it('joins the peers of two calls of one telephone and releases it', async () => {
    const first = await calls(anna, bo);
    const second = await calls(bo, carl);
    const { callId, ourTag, theirTag } = second.talk;
    const replaces = encodeURIComponent(`${callId};to-tag=${theirTag};from-tag=${ourTag}`);
    bo.inDialog(first.back, 'REFER', {
      headers: [['Refer-To', `<sip:carl@care.example?Replaces=${replaces}>`]],
    });
    await net.pump();
    bo.response(202, 'REFER');
    expect(await reported(bo)).toBe('SIP/2.0 100 Trying active');
    expect(await reported(bo)).toBe('SIP/2.0 200 OK terminated');
    bo.respond(bo.request('BYE'), 200);
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    expect(await digitsFrom(anna, carl)).toBe('27');
    expect(await digitsFrom(carl, anna)).toBe('27');
    await hangUp(carl, second.back, anna);
  });

  it('to an unknown dialog is refused', async () => {
    const { talk, back } = await calls(anna, bo);
    const replaces = encodeURIComponent('none;to-tag=1;from-tag=2');
    bo.inDialog(back, 'REFER', {
      headers: [['Refer-To', `<sip:carl@care.example?Replaces=${replaces}>`]],
    });
    await net.pump();
    bo.response(404, 'REFER');
    await hangUp(anna, talk, bo);
  });
});

describe('a semi-attended transfer', () => {
  /** Bo talks with Anna and calls Carl, who rings; Bo gives Anna to Carl. */
  async function handedOver() {
    const first = await calls(anna, bo);
    const second = await bo.invite('carl', net.pump);
    const invite = carl.request('INVITE');
    carl.respond(invite, 180);
    await net.pump();
    second.theirTag = bo.response(180).to.tag ?? '';
    const replaces = encodeURIComponent(
      `${second.callId};to-tag=${second.theirTag};from-tag=${second.ourTag}`,
    );
    bo.inDialog(first.back, 'REFER', {
      headers: [['Refer-To', `<sip:carl@care.example?Replaces=${replaces}>`]],
    });
    await net.pump();
    bo.response(202, 'REFER');
    // His call to Carl is over; what rings there goes on ringing.
    expect(bo.response(487).header('Warning')).toContain('transferred');
    expect(carl.has('CANCEL')).toBe(false);
    expect(await reported(bo)).toBe('SIP/2.0 100 Trying active');
    expect(await reported(bo)).toBe('SIP/2.0 180 Trying active');
    return { ...first, invite };
  }

  it('joins the one who was left with who answers then', async () => {
    const { talk, invite } = await handedOver();
    carl.hearPort(invite);
    carl.respond(invite, 200, { sdp: carl.describe() });
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 200 OK terminated');
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    expect(await digitsFrom(anna, carl)).toBe('27');
    await hangUp(anna, talk, carl);
  });

  it('waits on when its asker hangs up', async () => {
    const { talk, back, invite } = await handedOver();
    bo.inDialog(back, 'BYE');
    await net.pump();
    carl.hearPort(invite);
    carl.respond(invite, 200, { sdp: carl.describe() });
    await net.pump();
    expect(await digitsFrom(carl, anna)).toBe('27');
    await hangUp(anna, talk, carl);
  });

  it('that is declined fails, and the two talk on', async () => {
    const { talk, invite } = await handedOver();
    carl.respond(invite, 603);
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 603 Failed terminated');
    expect(await digitsFrom(anna, bo)).toBe('27');
    await hangUp(anna, talk, bo);
  });
});

describe('an INVITE with Replaces', () => {
  const replaces = (talk: Talk, rest = ''): [string, string][] => [
    ['Replaces', `${talk.callId};to-tag=${talk.theirTag};from-tag=${talk.ourTag}${rest}`],
    ['Require', 'replaces'],
  ];

  it('takes the place of who talks: that one is released', async () => {
    const { talk, back } = await calls(anna, bo);
    const taken = await carl.invite('anna', net.pump, { headers: replaces(back) });
    carl.acknowledge(taken, carl.response(200));
    await net.pump();
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toContain('transferred');
    bo.respond(bye, 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    expect(await digitsFrom(anna, carl)).toBe('27');
    expect(await digitsFrom(carl, anna)).toBe('27');
    await hangUp(anna, talk, carl);
  });

  it('takes the place of the caller, too', async () => {
    const { talk, back } = await calls(anna, bo);
    const taken = await carl.invite('bo', net.pump, { headers: replaces(talk) });
    carl.acknowledge(taken, carl.response(200));
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
    expect(await digitsFrom(bo, carl)).toBe('27');
    await hangUp(bo, back, carl);
  });

  it('picks a call up that rings elsewhere', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    const taken = await carl.invite('bo', net.pump, {
      headers: replaces(bo.answeredTalk(invite), ';early-only'),
    });
    carl.acknowledge(taken, carl.response(200));
    anna.acknowledge(talk, anna.response(200));
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await net.pump();
    expect(await digitsFrom(anna, carl)).toBe('27');
    await hangUp(carl, taken, anna);
  });

  it('is refused where there is nothing to replace, or no permission', async () => {
    const { talk, back } = await calls(anna, bo);
    const refused = async (headers: [string, string][], status: number): Promise<void> => {
      await carl.invite('anna', net.pump, { headers });
      expect(carl.response(status).header('Warning')).toMatch(/^399 /);
    };
    await refused(replaces({ ...back, ourTag: 'other' }), 481);
    await refused(replaces(back, ';early-only'), 486);
    await refused([['Replaces', 'no-tags']], 400);
    await refused([...replaces(back), ...replaces(talk)], 400);
    await refused([['Replaces', `${replaces(back)[0]?.[1]}, x;to-tag=1;from-tag=2`]], 400);
    await hangUp(anna, talk, bo);
    // It is over, and no table remembers its names.
    await refused(replaces(back), 481);
  });

  it('is refused for an early dialog that waits for us', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    talk.theirTag = anna.response(180).to.tag ?? '';
    await carl.invite('anna', net.pump, { headers: replaces(talk) });
    carl.response(481);
    bo.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });
});

describe('whom a transfer may name', () => {
  it('is who the asker could call: of an application user what authorized.invite says', async () => {
    const { talk, back } = await calls(anna, bo);
    const { digest: _, ...known } = appliance.tenant.byId('bo') ?? {};
    appliance.device({ ...known, authType: 'userid', authorized: { invite: 'sip:anna@' } });
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    bo.response(404, 'REFER');
    await hangUp(anna, talk, bo);
  });
});
