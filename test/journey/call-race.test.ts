import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { collectionSizes, grown } from '#test/support/private-map.ts';
import { hangsUp, nothingLeft, talking } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  bo = await net.device('bo', '192.0.2.21');
});

afterEach(() => nothingLeft(appliance, net));

const talks = () => talking(net, anna, bo);

describe('a call that is refused', () => {
  it.each([
    [486, 486],
    [603, 603],
    [404, 404],
    [302, 480],
    [401, 502],
    [503, 500],
  ])('with %i is answered %i', async (said, reported) => {
    await anna.invite('bo', net.pump);
    bo.respond(bo.request('INVITE'), said);
    await net.pump();
    expect(anna.response(reported).to.tag).toBeDefined();
  });

  it('to an unknown name is answered 404, to one who is away 480, beyond the last hop 483', async () => {
    await net.device('carl', '192.0.2.22', {}, false);
    await anna.invite('nobody', net.pump);
    expect(anna.response(404).header('Warning')).toContain('nobody here is nobody');
    await anna.invite('carl', net.pump);
    expect(anna.response(480).header('Warning')).toContain('is not registered');
    await anna.invite('bo', net.pump, { headers: [['Max-Forwards', '0']] });
    anna.response(483);
  });

  it('to another port of our own address goes there, to our own port it is answered 404', async () => {
    const program = net.stranger('x', '192.0.2.10');
    program.flow = { ...program.flow, remotePort: 5070 };
    await anna.invite('nobody', net.pump, { uri: 'sip:nobody@192.0.2.10:5060' });
    anna.response(404);
    await anna.invite('x', net.pump, { uri: 'sip:x@192.0.2.10:5070' });
    const invite = program.request('INVITE');
    expect(invite.uriText).toBe('sip:x@192.0.2.10:5070');
    program.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it('because it carries our own Via is answered 482', async () => {
    const headers: [string, string][] = [['Via', 'SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bKearlier']];
    await anna.invite('bo', net.pump, { headers });
    anna.response(482);
  });

  it('by a stranger is challenged and reaches no one', async () => {
    const stranger = net.stranger('eve', '198.51.100.7');
    await stranger.invite('bo', net.pump);
    stranger.response(401);
    expect(bo.inbox).toEqual([]);
  });

  it('by media without room is answered 503 with Retry-After', async () => {
    appliance.media.refuseLegs({ code: 'Overload', reason: 'no room' });
    await anna.invite('bo', net.pump);
    expect(anna.response(503).header('Retry-After')).toBe('5');
    expect(bo.inbox).toEqual([]);
    const freeLegs = { ordinary: 0, alarm: 3 };
    appliance.media.refuseLegs({ code: 'Overload', reason: 'no room', retryAfterS: 10, freeLegs });
    await anna.invite('bo', net.pump);
    expect(anna.response(503).header('Retry-After')).toBe('10 (free legs: 0 ordinary, 3 alarm)');
    appliance.media.refuseLegs(null);
  });
});

describe('a caller who gives up', () => {
  it('before anybody rings', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    anna.cancel(talk);
    await net.pump();
    anna.response(200, 'CANCEL');
    anna.response(487);
    // CANCEL waits for the first provisional response (RFC 3261 9.1).
    expect(bo.has('CANCEL')).toBe(false);
    bo.respond(invite, 180);
    await net.pump();
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await net.pump();
    bo.request('ACK');
  });

  it('while it is being answered: the answer is acknowledged and ended', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    anna.cancel(talk);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.response(487);
    bo.request('ACK');
    bo.respond(bo.request('BYE'), 200);
  });

  it('too late: the call goes on until it is ended', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.cancel(talk);
    await net.pump();
    const ok = anna.response(200);
    anna.acknowledge(talk, ok);
    await net.pump();
    expect(appliance.runtime.load.calls).toBe(1);
    await hangsUp(net, anna, talk, bo);
  });
});

describe('a device with two contacts', () => {
  it('rings at both, the first answer wins, the other one is cancelled', async () => {
    const second = await net.device('bo', '192.0.2.22');
    const talk = await anna.invite('bo', net.pump);
    const here = bo.request('INVITE');
    const there = second.request('INVITE');
    bo.respond(here, 180);
    second.respond(there, 180, { tag: 'second' });
    await net.pump();
    anna.response(180);
    expect(anna.has(180)).toBe(false);
    second.respond(there, 200, { tag: 'second', sdp: second.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(here, 487);
    await net.pump();
    second.request('ACK');
    await hangsUp(net, anna, talk, second);
  });

  it('that both answer at once: the second answer is acknowledged and ended', async () => {
    const second = await net.device('bo', '192.0.2.22');
    const talk = await anna.invite('bo', net.pump);
    const here = bo.request('INVITE');
    const there = second.request('INVITE');
    bo.respond(here, 200, { sdp: bo.describe() });
    second.respond(there, 200, { tag: 'second', sdp: second.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.request('ACK');
    second.request('ACK');
    second.respond(second.request('BYE'), 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    await hangsUp(net, anna, talk, bo);
  });

  it('ends with 603 when one is busy and the other one declines for all', async () => {
    const second = await net.device('bo', '192.0.2.22');
    await anna.invite('bo', net.pump);
    bo.respond(bo.request('INVITE'), 486);
    await net.pump();
    expect(anna.has(486)).toBe(false);
    second.respond(second.request('INVITE'), 603, { tag: 'second' });
    await net.pump();
    anna.response(603);
  });
});

describe('a peer that is busy with a change of its own (500 with Retry-After)', () => {
  it('is offered again what it did not take: who was held is not left in silence', async () => {
    const { talk } = await talks();
    const holds = async (direction: 'sendonly' | 'sendrecv', version: number): Promise<void> => {
      anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction, version }) });
      await net.pump();
      anna.response(200);
      anna.inDialog(talk, 'ACK', { cseq: talk.cseq });
    };
    await holds('sendonly', 2);
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ direction: 'recvonly', version: 2 }) });
    await net.pump();
    await holds('sendrecv', 3);
    bo.respond(bo.request('INVITE'), 500, { headers: [['Retry-After', '3']] });
    await net.pump();
    bo.request('ACK');
    await net.after(2_500, 500);
    expect(bo.has('INVITE')).toBe(false);
    await net.after(1_000, 500);
    const again = bo.request('INVITE');
    expect(again.body.toString()).toContain('a=sendrecv');
    bo.respond(again, 200, { sdp: bo.describe({ version: 3 }) });
    await net.pump();
    await hangsUp(net, anna, talk, bo);
  });
});

describe('a call that runs', () => {
  it('is not ended by a callee that says BYE before its answer: 481, and the answer still counts (RFC 3261 15)', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    anna.response(180);
    bo.inDialog(bo.answeredTalk(invite), 'BYE');
    await net.pump();
    bo.response(481, 'BYE');
    expect(anna.has('BYE')).toBe(false);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.request('ACK');
    await hangsUp(net, anna, talk, bo);
  });

  it('is ended by its callee before the caller has acknowledged: BYE waits for the ACK', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    bo.inDialog(bo.answeredTalk(invite), 'BYE');
    await net.pump();
    bo.response(200, 'BYE');
    expect(anna.has('BYE')).toBe(false);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
  });

  it('answers at once what comes while its BYE waits for the ACK, and notes none of it', async () => {
    const before = collectionSizes(appliance.runtime.calls);
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    bo.inDialog(bo.answeredTalk(invite), 'BYE');
    await net.pump();
    const ok = anna.response(200);
    talk.theirTag = ok.to.tag ?? '';
    const digit = { headers: [['Content-Type', 'application/dtmf-relay']], body: 'Signal=5' } as const;
    anna.inDialog({ ...talk, target: anna.contact.slice(1, -1) }, 'INFO', { ...digit, cseq: 8 });
    anna.inDialog(talk, 'UPDATE', { sdp: anna.describe({ version: 2 }), cseq: 9 });
    anna.inDialog(talk, 'REFER', { headers: [['Refer-To', '<sip:bo@care.example>']], cseq: 10 });
    await net.pump();
    anna.response(200, 'INFO');
    anna.response(488, 'UPDATE');
    anna.response(481, 'REFER');
    anna.inDialog(talk, 'ACK', { cseq: ok.cseq.seq });
    await net.pump();
    anna.respond(anna.request('BYE'), 200);
    await net.after(40_000, 4_000);
    expect(grown(before, collectionSizes(appliance.runtime.calls))).toEqual([]);
  });

  it('says its 2xx again to a caller whose ACK was lost, and who is already asking for a change', async () => {
    const talk = await anna.invite('bo', net.pump);
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe() });
    await net.pump();
    bo.request('ACK');
    const ok = anna.response(200);
    talk.theirTag = ok.to.tag ?? '';
    anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ version: 2 }) });
    await net.pump();
    anna.response(491);
    anna.received.length = 0;
    await net.after(8_000);
    expect(
      anna.received.filter((each) => each.kind === 'response' && each.status === 200).length,
    ).toBeGreaterThan(1);
    anna.inDialog(talk, 'ACK', { cseq: ok.cseq.seq });
    await net.pump();
    anna.inDialog(talk, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('is ended after 32 s when its caller never acknowledges', async () => {
    await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.hearPort(anna.response(200));
    bo.request('ACK');
    await net.after(33_000, 500);
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toBe('SIP;cause=408;text="No ACK came"');
    bo.respond(bye, 200);
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
    expect(
      anna.received.filter((each) => each.kind === 'response' && each.status === 200).length,
    ).toBeGreaterThan(8);
  });

  it('gives the other side the reason of its end', async () => {
    const { talk } = await talks();
    anna.inDialog(talk, 'BYE', { headers: [['Reason', 'Q.850;cause=31;text="Normal, unspecified"']] });
    await net.pump();
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toBe('Q.850;cause=31;text="Normal, unspecified"');
    bo.respond(bye, 200);
    await net.pump();
  });

  it('is crossed by two BYEs', async () => {
    const { talk, back } = await talks();
    anna.inDialog(talk, 'BYE');
    bo.inDialog(back, 'BYE');
    await net.pump();
    anna.response(200, 'BYE');
    bo.response(200, 'BYE');
    bo.respond(bo.request('BYE'), 481);
    await net.pump();
  });

  it('meets glare: each re-INVITE that crosses ours gets 491, and ours comes again', async () => {
    const { talk, back } = await talks();
    // Holding makes us offer to bo, who offers at the same moment.
    anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction: 'sendonly', version: 2 }) });
    await net.pump();
    anna.response(200);
    anna.inDialog(talk, 'ACK', { cseq: talk.cseq });
    const ours = bo.request('INVITE');
    bo.inDialog(back, 'INVITE', { sdp: bo.describe({ version: 2 }) });
    await net.pump();
    bo.response(491);
    bo.respond(ours, 491);
    await net.after(4_500, 500);
    const again = bo.request('INVITE');
    expect(again.body.toString()).toContain('a=sendonly');
    bo.respond(again, 200, { sdp: bo.describe({ direction: 'recvonly', version: 3 }) });
    await net.pump();
    await hangsUp(net, anna, talk, bo);
  });

  it('is refused what it does not know: a request outside of any dialog gets 481', async () => {
    const { talk } = await talks();
    anna.inDialog({ ...talk, theirTag: 'other' }, 'BYE');
    await net.pump();
    anna.response(481, 'BYE');
    anna.inDialog(talk, 'OPTIONS');
    await net.pump();
    expect(anna.response(200, 'OPTIONS').header('Allow')).toContain('REFER');
    anna.inDialog(talk, 'MESSAGE', { headers: [['Content-Type', 'text/plain']], body: 'hello' });
    await net.pump();
    await hangsUp(net, anna, talk, bo);
  });
});

describe('too many calls', () => {
  it('are answered 503 from one source until it slows down', async () => {
    const flood = net.stranger('flood', '198.51.100.9');
    for (let count = 0; count < 520; count++) await flood.invite('bo', async () => undefined);
    await net.pump();
    expect(flood.response(503).header('Retry-After')).toBe('5');
    await anna.invite('nobody', net.pump);
    anna.response(404);
  });

  it('is what the settings say, or nothing is too many', async () => {
    await appliance.close();
    const source = { perS: 1, burst: 2 };
    appliance = await testAppliance({ inviteRate: { source, tenant: { perS: 10, burst: 3 } } });
    net = telephones(appliance);
    const [one, other] = [net.stranger('one', '198.51.100.8'), net.stranger('other', '198.51.100.9')];
    for (let count = 0; count < 3; count++) await one.invite('bo', net.pump);
    one.response(503);
    await other.invite('bo', net.pump);
    expect(other.has(503)).toBe(false);
    await net.after(1_100);
    await one.invite('bo', net.pump);
    expect(one.has(503)).toBe(false);
  });

  it('are refused for known devices together, and strangers use up nothing of theirs', async () => {
    await appliance.close();
    const source = { perS: 100, burst: 500 };
    appliance = await testAppliance({ inviteRate: { source, tenant: { perS: 1, burst: 2 } } });
    net = telephones(appliance);
    const flood = net.stranger('flood', '198.51.100.9');
    for (let count = 0; count < 50; count++) await flood.invite('bo', net.pump);
    expect(flood.has(503)).toBe(false);
    const known = await net.device('known', '192.0.2.77');
    for (const status of [404, 404, 503]) {
      await known.invite('nobody', net.pump);
      known.response(status);
    }
  });

  it('are challenged once from a stranger, and the challenge is not sent again by itself', async () => {
    const stranger = net.stranger('flood', '198.51.100.9');
    await stranger.invite('bo', async () => undefined);
    await net.pump();
    stranger.response(401);
    await net.after(8_000);
    expect(stranger.has(401)).toBe(false);
  });

  it('do not keep out an alarm from the same address: neither a known device, nor an unknown caller of an alarm bridge', async () => {
    await appliance.close();
    const rate = { perS: 1, burst: 2 };
    appliance = await testAppliance({ inviteRate: { source: rate, tenant: rate } });
    net = telephones(appliance);
    appliance.bridge({
      protocol: 'voicecall',
      destinationMatch: '^help$',
      defaultEmergencyDestination: 'sip:arc@care.example',
    });
    const unit = await net.device('unit', '198.51.100.9', {}, false);
    unit.flow = { ...unit.flow, remotePort: 5062 };
    const at = (user: string, remotePort: number) => {
      const phone = net.stranger(user, '198.51.100.9');
      phone.flow = { ...phone.flow, remotePort };
      return phone;
    };
    const [flood, unknown] = [at('flood', 5060), at('unknown', 5061)];
    for (let count = 0; count < 5; count++) await flood.invite('bo', net.pump);
    flood.response(503);
    for (let count = 0; count < 2; count++) await unknown.invite('help', net.pump);
    expect(unknown.has(503)).toBe(false);
    await unknown.invite('help', net.pump);
    unknown.response(503);
    await unit.invite('help', net.pump, { challenged: false });
    unit.response(401);
  });
});
