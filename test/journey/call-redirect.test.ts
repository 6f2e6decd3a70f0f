import { beforeEach, describe, expect, it } from 'vitest';
import { eachWithTelephones, type TelephoneHouse } from '#test/support/talking.ts';
import type { Telephone } from '#test/support/telephone.ts';

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let bo: Telephone;
let carl: Telephone;
let dora: Telephone;
let first: Telephone;
let second: Telephone;
let stranger: Telephone;

eachWithTelephones(
  { anna: '192.0.2.20', bo: '192.0.2.21', carl: '192.0.2.22', dora: '192.0.2.23' },
  (made) => {
    ({ appliance, net, anna, bo, carl, dora } = made);
  },
);

beforeEach(() => {
  first = net.stranger('one', '198.51.100.1');
  second = net.stranger('two', '198.51.100.2');
  stranger = net.stranger('stranger', '203.0.113.9');
  net.trunk({ ipAllowList: ['198.51.100.0/30'], username: 'us', password: 'secret' });
});

/** The phone answers the INVITE it got with a redirection to these contacts. */
async function redirects(by: Telephone, contact: string, status = 302): Promise<void> {
  by.respond(by.request('INVITE'), status, { contact });
  await net.pump();
}

const at = (user: string): string => `<sip:${user}@care.example>`;

describe('a device that redirects', () => {
  it('is followed: the other one rings, with who was called before', async () => {
    const talk = await anna.invite('bo', net.pump, { headers: [['X-Care', 'yes']] });
    await redirects(bo, at('carl'));
    const invite = carl.request('INVITE');
    expect(invite.uriText).toContain('sip:carl@');
    expect(invite.headers('Diversion')).toEqual(['<sip:bo@care.example>;reason=deflection']);
    expect(invite.header('X-Care')).toBe('yes');
    carl.hearPort(invite);
    carl.respond(invite, 200, { sdp: carl.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'BYE');
    await net.pump();
    carl.respond(carl.request('BYE'), 200);
    await net.pump();
  });

  it('is followed in the order of q, those alike together', async () => {
    await anna.invite('bo', net.pump);
    await redirects(bo, `${at('dora')};q=0.5, ${at('carl')};q=0.9, ${at('+46855510')};q=0.9`, 300);
    expect([carl.has('INVITE'), first.has('INVITE'), dora.has('INVITE')]).toEqual([true, true, false]);
    carl.respond(carl.request('INVITE'), 486);
    first.respond(first.request('INVITE'), 404);
    await net.pump();
    dora.respond(dora.request('INVITE'), 480);
    await net.pump();
    // The best of what those said whom it named.
    anna.response(486);
  });

  it('to itself, or to each other, ends', async () => {
    await anna.invite('bo', net.pump);
    await redirects(bo, at('carl'));
    await redirects(carl, `${at('bo')}, ${at('carl')}, ${bo.contact}`);
    anna.response(480);
    expect(bo.has('INVITE')).toBe(false);
  });

  it('is not followed for ever', async () => {
    const phones = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map((each) => net.device(`p${each}`, `192.0.2.${40 + each}`)),
    );
    await anna.invite('p0', net.pump);
    let sent = 0;
    for (const [index, phone] of phones.entries()) {
      if (!phone.has('INVITE')) break;
      await redirects(phone, at(`p${index + 1}`));
      sent++;
    }
    // Five times, and the sixth is reported as a failure.
    expect(sent).toBe(6);
    anna.response(480);
  });

  it.each([
    ['a proxy that is a telephone', 305, at('carl')],
    ['a proxy that is none', 305, '<mailto:x@y.example>'],
    ['another service', 380, at('carl')],
    ['nobody', 302, at('nobody')],
    ['a web page', 302, '<https://care.example/>'],
    ['another method', 302, '<sip:carl@care.example;method=MESSAGE>'],
    ['an unreadable address', 302, '<sip:@@>'],
  ])('to %s is a failure like any other', async (_what, status, contact) => {
    await anna.invite('bo', net.pump);
    await redirects(bo, contact, status);
    anna.response(480);
    expect(carl.has('INVITE')).toBe(false);
  });

  it('to a proxy (305) is called by it, in its own name, and every request of the call goes there', async () => {
    const talk = await anna.invite('bo', net.pump);
    const asked = bo.request('INVITE');
    bo.respond(asked, 305, { contact: '<sip:203.0.113.9:5060>' });
    await net.pump();
    const invite = stranger.request('INVITE');
    expect(invite.uriText).toBe(asked.uriText);
    expect(invite.headers('Route')).toEqual(['<sip:203.0.113.9:5060;lr>']);
    expect(invite.to.uriText).toBe('sip:bo@care.example');
    expect(invite.header('Diversion')).toBeUndefined();
    stranger.hearPort(invite);
    stranger.respond(invite, 200, { sdp: stranger.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    stranger.request('ACK');
    anna.inDialog(talk, 'BYE');
    await net.pump();
    stranger.respond(stranger.request('BYE'), 200);
    await net.pump();
  });

  it('to a proxy that names itself ends', async () => {
    await anna.invite('bo', net.pump);
    await redirects(bo, '<sip:203.0.113.9:5060>', 305);
    await redirects(stranger, '<sip:203.0.113.9:5060>', 305);
    anna.response(480);
    expect(stranger.has('INVITE')).toBe(false);
  });

  it('says nothing in our INVITE by the header fields of its Contact', async () => {
    await anna.invite('bo', net.pump);
    await redirects(bo, '<sip:carl@care.example?Route=%3Csip%3Aevil.example%3E&X-Trunk-Key=guessed>');
    const invite = carl.request('INVITE');
    expect(invite.header('Route')).toBeUndefined();
    expect(invite.header('X-Trunk-Key')).toBeUndefined();
    carl.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it('hides from outside who was called when the caller hides', async () => {
    await anna.invite('bo', net.pump, { headers: [['Privacy', 'id']] });
    await redirects(bo, at('carl'));
    const invite = carl.request('INVITE');
    expect(invite.header('Diversion')).toBeUndefined();
    carl.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it('does not lead a call from a trunk out again', async () => {
    await first.invite('bo', net.pump);
    await redirects(bo, `${at('+46855510')}, ${stranger.contact}`);
    first.response(480);
    expect(second.has('INVITE') || stranger.has('INVITE')).toBe(false);
  });

  it('is bound by what it may call', async () => {
    const { digest: _, ...known } = appliance.tenant.byId('bo') ?? {};
    await anna.invite('bo', net.pump);
    appliance.device({ ...known, authType: 'userid', authorized: { invite: 'sip:dora@' } });
    await redirects(bo, `${at('carl')};q=0.9, ${at('dora')};q=0.1`);
    expect(carl.has('INVITE')).toBe(false);
    dora.respond(dora.request('INVITE'), 486);
    await net.pump();
    anna.response(486);
  });
});

describe('a trunk that redirects', () => {
  it('is followed to its own places, with its password', async () => {
    await anna.invite('+46855510', net.pump);
    await redirects(first, '<sip:+46855510@198.51.100.2:5060>', 301);
    const invite = second.request('INVITE');
    expect(invite.uriText).toBe('sip:+46855510@198.51.100.2:5060');
    expect(invite.header('P-Asserted-Identity')).toContain('sip:anna@');
    second.respond(invite, 407, {
      headers: [['Proxy-Authenticate', 'Digest realm="carrier", nonce="n", algorithm=MD5, qop="auth"']],
    });
    await net.pump();
    const again = second.request('INVITE');
    expect(again.header('Proxy-Authorization')).toContain('username="us"');
    second.respond(again, 486);
    await net.pump();
    anna.response(486);
  });

  it('is called by its own proxy (305), never by a stranger', async () => {
    await anna.invite('+46855510', net.pump);
    await redirects(first, '<sip:198.51.100.2:5060;lr>', 305);
    const invite = second.request('INVITE');
    expect(invite.uriText).toBe('sip:+46855510@198.51.100.1:5060');
    expect(invite.headers('Route')).toEqual(['<sip:198.51.100.2:5060;lr>']);
    second.respond(invite, 305, { contact: stranger.contact });
    await net.pump();
    anna.response(480);
    expect(stranger.has('INVITE')).toBe(false);
  });

  it('never to a stranger, nor to a number that costs', async () => {
    await anna.invite('+46855510', net.pump);
    await redirects(first, `${stranger.contact}, <sip:x@evil.example>, ${at('+4690000')}`);
    anna.response(480);
    expect(stranger.has('INVITE')).toBe(false);
    expect(appliance.network.asked).toEqual([]);
  });

  it('may name a device here', async () => {
    await anna.invite('+46855510', net.pump);
    await redirects(first, at('bo'));
    bo.respond(bo.request('INVITE'), 486);
    await net.pump();
    anna.response(486);
  });

  it('may transfer to its own places and to numbers, never to a stranger', async () => {
    const talk = await anna.invite('+46855510', net.pump);
    const invite = first.request('INVITE');
    first.respond(invite, 200, { sdp: first.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    const back = first.answeredTalk(invite);
    first.inDialog(back, 'REFER', { headers: [['Refer-To', stranger.contact]] });
    await net.pump();
    first.response(404, 'REFER');
    for (const named of ['<sip:desk@198.51.100.2>', at('+4690000')]) {
      first.inDialog(back, 'REFER', { headers: [['Refer-To', named]] });
      await net.pump();
      first.response(202, 'REFER');
      first.respond(first.request('NOTIFY'), 200);
      const to = second.has('INVITE') ? second : first;
      to.respond(to.request('INVITE'), 486);
      await net.pump();
      first.respond(first.request('NOTIFY'), 200);
      await net.pump();
    }
    expect(stranger.has('INVITE')).toBe(false);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    first.respond(first.request('BYE'), 200);
    await net.pump();
  });
});
