import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let first: Telephone;
let second: Telephone;

/** Trunk of two hosts. */
const trunk = (fields: Record<string, unknown> = {}): void =>
  net.trunk({
    hosts: [
      { uri: 'sip:198.51.100.1:5060', priority: 1 },
      { uri: 'sip:198.51.100.2:5060', priority: 2 },
    ],
    ...fields,
  });

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  first = net.stranger('one', '198.51.100.1');
  second = net.stranger('two', '198.51.100.2');
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.media.openLegs).toEqual([]);
  await appliance.close();
});

describe('a call to a number', () => {
  it('leaves by the trunk, with the identity of the caller and its own number rules', async () => {
    trunk({ strip: 1, prepend: '00' });
    const talk = await anna.invite('+46855510', net.pump, {
      headers: [
        ['X-Care', 'yes'],
        ['X-Trunk-Key', 'guessed'],
        ['P-Asserted-Identity', '<sip:forged@evil.example>'],
        ['Subject', 'test'],
      ],
    });
    const invite = first.request('INVITE');
    expect(invite.uriText).toBe('sip:0046855510@198.51.100.1:5060');
    expect(invite.headers('P-Asserted-Identity')).toEqual(['<sip:anna@care.example>']);
    expect(invite.header('X-Care')).toBe('yes');
    expect(invite.header('X-Trunk-Key')).toBeUndefined();
    expect(invite.header('Subject')).toBe('test');
    expect(invite.maxForwards).toBe(69);
    first.hearPort(invite);
    first.respond(invite, 200, { sdp: first.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'BYE');
    await net.pump();
    first.respond(first.request('BYE'), 200);
    await net.pump();
  });

  it('that is answered from another place goes on there', async () => {
    trunk();
    const gateway = net.stranger('gateway', '198.51.100.77');
    const talk = await anna.invite('+46855510', net.pump);
    const headers: [string, string][] = [['Record-Route', '<sip:198.51.100.78;lr>']];
    const proxy = net.stranger('proxy', '198.51.100.78');
    const invite = first.request('INVITE');
    first.respond(invite, 200, { sdp: first.describe(), contact: gateway.contact });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    expect(gateway.request('ACK').uriText).toBe('sip:gateway@198.51.100.77:5060');
    anna.inDialog(talk, 'BYE');
    await net.pump();
    gateway.respond(gateway.request('BYE'), 200);
    await net.pump();

    const again = await anna.invite('+46855511', net.pump);
    first.respond(first.request('INVITE'), 200, { sdp: first.describe(), contact: gateway.contact, headers });
    await net.pump();
    anna.acknowledge(again, anna.response(200));
    expect(proxy.request('ACK').uriText).toBe('sip:gateway@198.51.100.77:5060');
    anna.inDialog(again, 'BYE');
    await net.pump();
    proxy.respond(proxy.request('BYE'), 200);
    await net.pump();
  });

  it('goes on through a strict router, which gets the datagram and the Request-URI', async () => {
    trunk();
    const proxy = net.stranger('proxy', '198.51.100.78');
    const gateway = net.stranger('gateway', '198.51.100.77');
    const talk = await anna.invite('+46855510', net.pump);
    const headers: [string, string][] = [['Record-Route', '<sip:198.51.100.78>']];
    first.respond(first.request('INVITE'), 200, { sdp: first.describe(), contact: gateway.contact, headers });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    expect(proxy.request('ACK').uriText).toBe('sip:198.51.100.78');
    anna.inDialog(talk, 'BYE');
    await net.pump();
    const bye = proxy.request('BYE');
    expect([bye.uriText, bye.header('Route')]).toEqual(['sip:198.51.100.78', gateway.contact]);
    expect(gateway.received).toEqual([]);
    proxy.respond(bye, 200);
    await net.pump();
  });

  it('hides who asked to be hidden, but informs the trunk', async () => {
    trunk();
    await anna.invite('+46855510', net.pump, { headers: [['Privacy', 'id']] });
    const invite = first.request('INVITE');
    expect(invite.from.uriText).toBe('sip:anonymous@anonymous.invalid');
    expect(invite.header('Privacy')).toBe('id');
    expect(invite.header('P-Asserted-Identity')).toBe('<sip:anna@care.example>');
    first.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it.each([408, 480, 500, 502, 503, 504])('fails over to the next host on %i', async (status) => {
    trunk();
    await anna.invite('+46855510', net.pump);
    first.respond(first.request('INVITE'), status);
    await net.pump();
    expect(anna.has(status)).toBe(false);
    second.respond(second.request('INVITE'), 486);
    await net.pump();
    anna.response(486);
  });

  it('fails over when the host cannot be reached, and when it says nothing for 32 s', async () => {
    trunk();
    appliance.network.closed.add('198.51.100.1:5060');
    await anna.invite('+46855510', net.pump);
    second.respond(second.request('INVITE'), 486);
    await net.pump();
    anna.response(486);
    appliance.network.closed.clear();
    await net.after(31_000, 5_000);
    await anna.invite('+46855511', net.pump);
    expect(first.has('INVITE')).toBe(true);
    await net.after(33_000, 3_000);
    second.respond(second.request('INVITE'), 404);
    await net.pump();
    anna.response(404);
  });

  it('goes to the next host when one says 100 and no more, and back to it last', async () => {
    trunk();
    await anna.invite('+46855510', net.pump);
    const invite = first.request('INVITE');
    first.respond(invite, 100);
    await net.after(31_500, 1_500);
    expect(second.has('INVITE')).toBe(false);
    await net.after(1_000);
    first.respond(first.request('CANCEL'), 200);
    first.respond(invite, 487);
    const next = second.request('INVITE');
    // The last one may take its time.
    second.respond(next, 100);
    await net.after(40_000, 4_000);
    expect(second.has('CANCEL')).toBe(false);
    second.respond(next, 486);
    await net.pump();
    anna.response(486);
    appliance.logged.splice(0);
  });

  it('lets the next host ring its whole time, whatever the silent one before it took', async () => {
    trunk();
    const talk = await anna.invite('+46855510', net.pump);
    first.respond(first.request('INVITE'), 100);
    await net.after(33_000, 1_500);
    const invite = second.request('INVITE');
    second.respond(invite, 180);
    await net.after(170_000, 10_000);
    expect(anna.has(408)).toBe(false);
    second.hearPort(invite);
    second.respond(invite, 200, { sdp: second.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'BYE');
    await net.pump();
    second.respond(second.request('BYE'), 200);
    await net.pump();
    appliance.logged.splice(0);
  });

  it('ends at every host when its caller had to get 408, and no one else is called for it', async () => {
    const hosts = Array.from({ length: 7 }, (_, at) => ({
      uri: `sip:198.51.100.${at + 10}:5060`,
      priority: at,
    }));
    trunk({ hosts });
    const called = new Set<string>();
    net.lose((_to, bytes) => !bytes.toString('latin1').startsWith('SIP/2.0'));
    const { push } = appliance.sent;
    appliance.sent.push = (...each) => {
      for (const { flow, bytes } of each)
        if (bytes.toString('latin1').startsWith('INVITE')) called.add(flow.remoteAddress);
      return push.apply(appliance.sent, each);
    };
    await anna.invite('+46855510', net.pump);
    await net.after(184_000, 8_000);
    expect([anna.has(408), called.size]).toEqual([false, 6]);
    await net.after(2_000);
    anna.response(408);
    expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
    await net.after(40_000, 8_000);
    expect(called.size).toBe(6);
    expect(appliance.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('rings at one host as long as it likes, however many wait behind it', async () => {
    trunk();
    const talk = await anna.invite('+46855510', net.pump);
    const invite = first.request('INVITE');
    first.respond(invite, 180);
    await net.after(60_000, 4_000);
    expect([first.has('CANCEL'), second.has('INVITE')]).toEqual([false, false]);
    first.respond(invite, 200, { sdp: first.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    anna.inDialog(talk, 'BYE');
    await net.pump();
    first.respond(first.request('BYE'), 200);
    await net.pump();
  });

  it('leaves a host alone for as long as its 503 says, others there are', async () => {
    trunk();
    const calls = async (): Promise<'first' | 'second'> => {
      await anna.invite('+46855510', net.pump);
      const asked = first.has('INVITE') ? first : second;
      asked.respond(asked.request('INVITE'), 486);
      await net.pump();
      anna.response(486);
      return asked === first ? 'first' : 'second';
    };
    await anna.invite('+46855510', net.pump);
    first.respond(first.request('INVITE'), 503, { headers: [['Retry-After', '120']] });
    await net.pump();
    second.respond(second.request('INVITE'), 486);
    await net.pump();
    anna.response(486);
    await net.after(110_000, 10_000);
    expect(await calls()).toBe('second');
    await net.after(15_000, 5_000);
    expect(await calls()).toBe('first');
  });

  it('proves who we are when the trunk asks', async () => {
    trunk({ username: 'carillon', password: 'secret' });
    await anna.invite('+46855510', net.pump);
    const challenge = 'Digest realm="carrier", nonce="n1", algorithm=MD5, qop="auth"';
    first.respond(first.request('INVITE'), 407, { headers: [['Proxy-Authenticate', challenge]] });
    await net.pump();
    const again = first.request('INVITE');
    expect(again.header('Proxy-Authorization')).toContain('username="carillon"');
    expect(again.cseq.seq).toBe(2);
    // A second challenge says that the password is wrong.
    first.respond(again, 407, { headers: [['Proxy-Authenticate', challenge.replace('n1', 'n2')]] });
    await net.pump();
    anna.response(502);
  });

  it('that no trunk of the device takes is answered 404', async () => {
    trunk({ trunkGroupId: 'other', numberPrefix: '+47' });
    await anna.invite('+46855510', net.pump);
    anna.response(404);
  });
});

describe('a call from a trunk', () => {
  it('reaches a device with who called, and never leaves by a trunk again', async () => {
    trunk();
    await first.invite('anna', net.pump, {
      headers: [
        ['P-Asserted-Identity', '"Ward 3" <sip:+4612345@carrier.example>'],
        ['Diversion', '<sip:+46999@carrier.example>;reason=no-answer'],
      ],
    });
    const invite = anna.request('INVITE');
    expect(invite.from.uriText).toBe('sip:one@care.example');
    expect(invite.header('P-Asserted-Identity')).toBe('"Ward 3" <sip:+4612345@carrier.example>');
    expect(invite.header('Diversion')).toContain('+46999');
    anna.respond(invite, 486);
    await net.pump();
    first.response(486);
    await first.invite('+46855510', net.pump);
    first.response(404);
    await first.invite('x', net.pump, { uri: 'sip:x@elsewhere.example' });
    first.response(404);
  });

  it('hides from the device who asked to be hidden', async () => {
    trunk();
    await first.invite('anna', net.pump, {
      headers: [
        ['P-Asserted-Identity', '<sip:+4612345@carrier.example>'],
        ['Privacy', 'id'],
      ],
    });
    const invite = anna.request('INVITE');
    expect(invite.from.uriText).toBe('sip:anonymous@anonymous.invalid');
    expect(invite.header('P-Asserted-Identity')).toBeUndefined();
    anna.respond(invite, 480);
    await net.pump();
    first.response(480);
  });
});

describe('audio of a trunk that announces an address where it is not', () => {
  /** Public, so that nothing in it tells of a NAT. */
  const ANNOUNCED = '203.0.113.9';
  const portIn = (message: SipMessage) => must(parseSdp(message.body)).media[0]?.port ?? 0;
  const BEHIND = '203.0.113.77';
  const sentTo = (host: string) => appliance.media.sent.filter(({ toHost }) => toHost === host).length;

  it.each([
    ['goes there, while its own comes from a third one', false, true, ANNOUNCED],
    ['goes to where its own comes from, with forceRtpRelay', true, true, BEHIND],
    ['goes to where its signalling comes from, when its own does, too', false, false, '198.51.100.1'],
  ])('%s, when it is called', async (_, forceRtpRelay, isElsewhere, host) => {
    trunk({ forceRtpRelay });
    const audio = isElsewhere ? appliance.media.phone({ host: BEHIND, port: 4_000 }) : first.audio;
    first.audio.sending = !isElsewhere;
    const talk = await anna.invite('+46855510', net.pump);
    const invite = first.request('INVITE');
    audio.talkTo(portIn(invite));
    first.respond(invite, 200, { sdp: first.describe({ host: ANNOUNCED }) });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    audio.press('1');
    await net.after(1_000);
    expect(sentTo(host)).toBeGreaterThan(20);
    if (isElsewhere && !forceRtpRelay) expect(sentTo(BEHIND)).toBe(0);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    first.respond(first.request('BYE'), 200);
    await net.pump();
  });

  it.each([
    ['goes there, while its own comes from a third one', false, true, ANNOUNCED],
    ['goes to where its own comes from, with forceRtpRelay', true, true, BEHIND],
    ['goes to where its signalling comes from, when its own does, too', false, false, '198.51.100.1'],
  ])('%s, when it calls', async (_, forceRtpRelay, isElsewhere, host) => {
    trunk({ forceRtpRelay });
    const audio = isElsewhere ? appliance.media.phone({ host: BEHIND, port: 4_000 }) : first.audio;
    first.audio.sending = !isElsewhere;
    const talk = await first.invite('anna', net.pump, { sdp: first.describe({ host: ANNOUNCED }) });
    const invite = anna.request('INVITE');
    anna.hearPort(invite);
    anna.respond(invite, 200, { sdp: anna.describe() });
    await net.pump();
    const ok = first.response(200);
    audio.talkTo(portIn(ok));
    first.acknowledge(talk, ok);
    await net.pump();
    anna.request('ACK');
    audio.press('1');
    await net.after(1_000);
    expect(sentTo(host)).toBeGreaterThan(20);
    if (isElsewhere && !forceRtpRelay) expect(sentTo(BEHIND)).toBe(0);
    first.inDialog(talk, 'BYE');
    await net.pump();
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
  });
});
