import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/** A site whose network speaks IPv6 alone: names in brackets, addresses in descriptions, and the callbacks about both. */
const OURS = '2001:db8::10';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance({ address: OURS });
  net = telephones(appliance);
  anna = await net.device('anna', '2001:db8::20');
  bo = await net.device('bo', '2001:db8::21');
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.logged).toEqual([]);
  await appliance.close();
});

const connectionOf = (message: SipMessage): string | undefined =>
  /^c=(.*?)\r?$/m.exec(message.body.toString())?.[1];

/** Addresses of an RTP packet that reached this telephone. */
const receivedBy = (phone: Telephone) =>
  appliance.media.sent.filter(({ toHost }) => toHost === phone.host).length;

describe('a call over IPv6', () => {
  it('is described, answered and ended between addresses in brackets, with audio in both directions', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(connectionOf(invite)).toBe(`IN IP6 ${OURS}`);
    expect(invite.uriText).toBe('sip:bo@[2001:db8::21]:5060');
    expect(invite.header('Contact')).toContain(`@[${OURS}]:5060>`);
    expect(invite.header('Via')).toMatch(/^SIP\/2\.0\/UDP \[2001:db8::10\]:5060;/);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    expect(connectionOf(ok)).toBe(`IN IP6 ${OURS}`);
    anna.acknowledge(talk, ok);
    await net.pump();
    bo.request('ACK');
    await net.after(500);
    expect(receivedBy(anna)).toBeGreaterThan(5);
    expect(receivedBy(bo)).toBeGreaterThan(5);
    bo.inDialog(bo.answeredTalk(invite), 'BYE');
    await net.pump();
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
    bo.response(200, 'BYE');
  });

  it('with SRTP: keys are settled as over IPv4', async () => {
    const secret = await net.device('secret', '2001:db8::22', { srtp: 'always' });
    const talk = await anna.invite('secret', net.pump);
    const invite = secret.request('INVITE');
    expect(invite.body.toString()).toMatch(/^m=audio \d+ RTP\/SAVP /m);
    expect(connectionOf(invite)).toBe(`IN IP6 ${OURS}`);
    secret.respond(invite, 180);
    await net.pump();
    anna.cancel(talk);
    await net.pump();
    secret.respond(secret.request('CANCEL'), 200);
    secret.respond(invite, 487);
    await net.pump();
  });

  it('to a number leaves by a trunk that is named by its address', async () => {
    net.trunk({
      hosts: [{ uri: 'sip:[2001:db8::99]:5060', priority: 1 }],
      ipAllowList: ['2001:db8::99/128'],
    });
    const carrier = net.stranger('carrier', '2001:db8::99');
    const talk = await anna.invite('+46855510', net.pump);
    const invite = carrier.request('INVITE');
    expect(invite.uriText).toBe('sip:+46855510@[2001:db8::99]:5060');
    carrier.respond(invite, 486);
    await net.pump();
    carrier.request('ACK');
    expect(anna.response(486).status).toBe(486);
    expect(talk.theirTag).toBe('');
  });

  it('from a trunk is known by its network, written otherwise', async () => {
    net.trunk({ ipAllowList: ['2001:0db8:0:0::/64'] });
    const carrier = net.stranger('+46700', '2001:db8:0:0::99');
    const talk = await carrier.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 603);
    await net.pump();
    bo.request('ACK');
    expect(carrier.response(603).status).toBe(603);
    expect(talk.theirTag).toBe('');
  });
});
