import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeRtcp } from '#appliance/media/rtp/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { type Description, type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.media.openLegs).toEqual([]);
  expect(appliance.logged).toEqual([]);
  await appliance.close();
});

async function phones(ofAnna: Record<string, unknown> = {}, ofBo: Record<string, unknown> = {}) {
  anna = await net.device('anna', '192.0.2.20', ofAnna);
  bo = await net.device('bo', '192.0.2.21', ofBo);
}

const text = (message: SipMessage): string => message.body.toString();

async function talking(
  headers: [string, string][] = [],
  formats = '8 101',
): Promise<{ talk: Talk; back: Talk }> {
  const talk = await anna.invite('bo', net.pump, { headers, sdp: anna.describe({ formats }) });
  const invite = bo.request('INVITE');
  bo.hearPort(invite);
  bo.respond(invite, 200, { sdp: bo.describe() });
  await net.pump();
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  bo.request('ACK');
  // Jitter buffers fill.
  await net.after(500);
  return { talk, back: bo.answeredTalk(invite) };
}

async function end(talk: Talk): Promise<void> {
  anna.inDialog(talk, 'BYE');
  await net.pump();
  bo.respond(bo.request('BYE'), 200);
  await net.pump();
}

async function reinvite(by: Telephone, talk: Talk, description: Description): Promise<string> {
  by.inDialog(talk, 'INVITE', { sdp: by.describe(description) });
  const { cseq } = talk;
  await net.pump();
  const ok = by.response(200);
  by.inDialog(talk, 'ACK', { cseq });
  await net.pump();
  return text(ok);
}

const hearing = async (from: Telephone, to: Telephone, digits: string): Promise<boolean> => {
  to.audio.forget();
  from.audio.press(digits);
  await net.after(1_500);
  return to.audio.digits.map(({ digit }) => digit).join('') === digits;
};

describe('hold', () => {
  it('is answered and passed on; the holding side receives nothing, and everything after resuming', async () => {
    await phones();
    const { talk } = await talking();
    expect(await reinvite(anna, talk, { direction: 'sendonly', version: 2 })).toContain('a=recvonly');
    const reported = bo.request('INVITE');
    expect(text(reported)).toContain('a=sendonly');
    bo.respond(reported, 200, { sdp: bo.describe({ direction: 'recvonly', version: 2 }) });
    await net.pump();
    expect(await hearing(anna, bo, '12')).toBe(true);
    expect(await hearing(bo, anna, '34')).toBe(false);

    expect(await reinvite(anna, talk, { version: 3 })).toContain('a=sendrecv');
    const again = bo.request('INVITE');
    expect(text(again)).toContain('a=sendrecv');
    bo.respond(again, 200, { sdp: bo.describe({ version: 3 }) });
    await net.pump();
    expect(await hearing(bo, anna, '56')).toBe(true);
    await end(talk);
  });

  it('by both sides: the one that resumes first still waits for the other', async () => {
    await phones();
    const { talk, back } = await talking();
    await reinvite(anna, talk, { direction: 'sendonly', version: 2 });
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ direction: 'recvonly', version: 2 }) });
    await net.pump();
    // Bo wants to speak again, and hears that anna still holds.
    expect(await reinvite(bo, back, { version: 3 })).toContain('a=sendonly');
    await end(talk);
  });

  it('inactive stops both directions, and silence then ends nothing', async () => {
    await phones();
    const { talk } = await talking();
    expect(await reinvite(anna, talk, { direction: 'inactive', version: 2 })).toContain('a=inactive');
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ direction: 'inactive', version: 2 }) });
    await net.pump();
    anna.audio.sending = false;
    bo.audio.sending = false;
    await net.after(15_000, 1_000);
    expect(appliance.runtime.load.calls).toBe(1);
    await end(talk);
  });

  it('a re-INVITE without an offer gets ours, an UPDATE is answered', async () => {
    await phones();
    const { talk } = await talking();
    anna.inDialog(talk, 'INVITE');
    const { cseq } = talk;
    await net.pump();
    expect(text(anna.response(200))).toContain('m=audio');
    anna.inDialog(talk, 'ACK', { cseq, sdp: anna.describe({ version: 2 }) });
    anna.inDialog(talk, 'UPDATE', { sdp: anna.describe({ version: 3 }) });
    await net.pump();
    expect(text(anna.response(200, 'UPDATE'))).toContain('m=audio');
    expect(await hearing(bo, anna, '7')).toBe(true);
    await end(talk);
  });
});

describe('offers', () => {
  it('late: the caller makes none, gets ours in the 200 and answers in the ACK', async () => {
    await phones();
    const talk = await anna.invite('bo', net.pump, { sdp: null });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    expect(text(ok)).toContain('m=audio');
    anna.acknowledge(talk, ok, anna.describe());
    await net.after(500);
    expect(await hearing(bo, anna, '42')).toBe(true);
    expect(await hearing(anna, bo, '24')).toBe(true);
    await end(talk);
  });

  it('early: the caller hears the other side before it has answered', async () => {
    await phones();
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 183, { sdp: bo.describe() });
    await net.pump();
    anna.hearPort(anna.response(183));
    await net.after(500);
    expect(await hearing(bo, anna, '99')).toBe(true);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(await hearing(bo, anna, '88')).toBe(true);
    await end(talk);
  });

  it('reliably: a caller that can 100rel gets its 183 again until PRACK', async () => {
    await phones();
    const talk = await anna.invite('bo', net.pump, { headers: [['Supported', '100rel']] });
    const invite = bo.request('INVITE');
    bo.respond(invite, 183, { sdp: bo.describe() });
    await net.pump();
    const ringing = anna.response(183);
    expect(ringing.header('Require')).toBe('100rel');
    await net.after(2_000);
    expect(anna.received.filter((each) => each.kind === 'response' && each.status === 183).length).toBe(3);
    talk.theirTag = ringing.to.tag ?? '';
    anna.inDialog(talk, 'PRACK', {
      headers: [['RAck', `${ringing.header('RSeq')} ${talk.inviteCseq} INVITE`]],
    });
    await net.pump();
    anna.response(200, 'PRACK');
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await end(talk);
  });

  it('without a codec of ours are refused 488 before anybody rings', async () => {
    await phones();
    await anna.invite('bo', net.pump, { sdp: anna.describe({ formats: '18' }) });
    expect(anna.response(488).header('Warning')).toMatch(/^305 /);
    expect(bo.inbox).toEqual([]);
  });

  it('that break the grammar are refused 400', async () => {
    await phones();
    await anna.invite('bo', net.pump, { sdp: 'v=0\r\nm=audio\r\n' });
    anna.response(400);
  });

  it('answered with what was never offered end the call with 488', async () => {
    await phones();
    await anna.invite('bo', net.pump);
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ protocol: 'RTP/SAVP' }) });
    await net.pump();
    bo.request('ACK');
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toContain('cause=488');
    bo.respond(bye, 200);
    await net.pump();
    anna.response(488);
  });

  it('may ask for other lengths of packets: they are taken and sent, and ours are named', async () => {
    await phones();
    const lines = ['a=ptime:80', 'a=maxptime:10'];
    const talk = await anna.invite('bo', net.pump, { sdp: anna.describe({ lines }) });
    const invite = bo.request('INVITE');
    expect(text(invite)).toContain('a=maxptime:200');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    expect(text(ok)).toContain('a=ptime:20\r\na=maxptime:200');
    anna.acknowledge(talk, ok);
    await net.after(500);
    anna.audio.forget();
    bo.audio.press('5', { by: 'rfc4733' });
    await net.after(1_000);
    expect(anna.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
    const audio = anna.audio.packets.filter(({ payloadType }) => payloadType === 8);
    expect(new Set(audio.map(({ payload }) => payload.length))).toEqual(new Set([80]));
    await end(talk);
  });

  it.each([
    ['8 101', ['a=rtpmap:8 PCMA/8000'], 'hears them in band'],
    ['8 101', ['a=rtpmap:101 telephone-event/16000', 'a=rtpmap:101 telephone-event/8000'], 'hears events'],
  ])('with payload types %s and %j: its digits arrive, and it %s', async (formats, lines, hears) => {
    await phones();
    const plain = anna.describe({ formats: '8', lines });
    const sdp = plain.replace('RTP/AVP 8', `RTP/AVP ${formats}`);
    const talk = await anna.invite('bo', net.pump, { sdp });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.after(500);
    anna.audio.press('42', { by: 'rfc4733' });
    bo.audio.press('7', { by: 'rfc4733' });
    await net.after(1_500);
    expect(bo.audio.digits.map(({ digit, by }) => `${digit} ${by}`)).toEqual(['4 rfc4733', '2 rfc4733']);
    const by = hears === 'hears events' ? 'rfc4733' : 'inband';
    expect(anna.audio.digits.map((one) => `${one.digit} ${one.by}`)).toEqual([`7 ${by}`]);
    await end(talk);
  });

  it('may name a host: it is looked up', async () => {
    await phones();
    appliance.network.addresses.set('phone.example', ['192.0.2.20']);
    const talk = await anna.invite('bo', net.pump, { sdp: anna.describe({ host: 'phone.example' }) });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.after(500);
    expect(await hearing(bo, anna, '5')).toBe(true);
    await end(talk);
  });

  it.each([
    ['another port of its address', {}, undefined, '192.0.2.20', true],
    ['another port of where its SIP comes from', {}, '203.0.113.9', '192.0.2.20', true],
    ['another address, where it described a private one', {}, '10.1.1.1', '203.0.113.66', false],
    ['another address', {}, undefined, '203.0.113.66', false],
  ] as const)('with audio and digits that come from %s', async (_, ofAnna, host, source, isDetected) => {
    await phones(ofAnna);
    const sdp = anna.describe(host === undefined ? {} : { host });
    const talk = await anna.invite('bo', net.pump, { sdp });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    anna.acknowledge(talk, ok);
    // Nothing comes from where the description says.
    anna.audio.sending = false;
    const behind = appliance.media.phone({ host: source, port: 61_000 });
    behind.talkTo(must(parseSdp(ok.body)).media[0]?.port ?? 0);
    await net.after(500);
    bo.audio.forget();
    behind.press('42', { by: 'rfc4733' });
    bo.audio.press('7', { by: 'rfc4733' });
    await net.after(1_500);
    expect(bo.audio.digits.map(({ digit }) => digit).join('')).toBe(isDetected ? '42' : '');
    expect(behind.digits.map(({ digit }) => digit).join('')).toBe(isDetected ? '7' : '');
    await end(talk);
  });

  it('from behind a NAT: audio goes where it comes from', async () => {
    await phones();
    const talk = await anna.invite('bo', net.pump, { sdp: anna.describe({ host: '10.1.1.1' }) });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.after(500);
    expect(await hearing(bo, anna, '31')).toBe(true);
    await end(talk);
  });
});

const KEY = Buffer.alloc(30, 7).toString('base64');
const CRYPTO = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`;

describe('SRTP', () => {
  const plain = (): Description => ({});
  const both = (): Description => ({ lines: [CRYPTO] });
  const only = (): Description => ({ protocol: 'RTP/SAVP', lines: [CRYPTO] });

  it.each([
    ['never', plain, 200, 'RTP/AVP', false],
    ['never', both, 200, 'RTP/AVP', false],
    ['never', only, 488, '', false],
    ['always', plain, 488, '', false],
    ['always', both, 200, 'RTP/AVP', true],
    ['always', only, 200, 'RTP/SAVP', true],
    ['negotiated', plain, 200, 'RTP/AVP', false],
    ['negotiated', both, 200, 'RTP/AVP', true],
    ['negotiated', only, 200, 'RTP/SAVP', true],
    ['alwaysWithTLS', plain, 200, 'RTP/AVP', false],
    ['alwaysWithTLS', only, 488, '', false],
  ] as const)('%s, offer %o: %i %s', async (srtp, offer, status, protocol, keyed) => {
    await phones({ srtp });
    const talk = await anna.invite('bo', net.pump, { sdp: anna.describe(offer()) });
    if (status === 488) {
      anna.response(488);
      return;
    }
    const invite = bo.request('INVITE');
    // The callee has a policy of its own.
    expect(text(invite)).toContain('RTP/AVP');
    expect(text(invite)).not.toContain('a=crypto');
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    expect(text(ok)).toContain(` ${protocol} `);
    expect(text(ok).includes('a=crypto')).toBe(keyed);
    anna.acknowledge(talk, ok);
    await net.pump();
    await end(talk);
  });

  it('always of the callee: RTP/SAVP is offered, and an answer without key ends the call', async () => {
    await phones({}, { srtp: 'always' });
    await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(text(invite)).toContain('RTP/SAVP');
    bo.respond(invite, 488);
    await net.pump();
    anna.response(488);
  });
});

describe('digits by INFO', () => {
  const INFO: [string, string][] = [['Content-Type', 'application/dtmf-relay']];

  it('become events for who has them, and INFO for who sends INFO', async () => {
    await phones();
    const { talk, back } = await talking();
    bo.audio.forget();
    anna.inDialog(talk, 'INFO', { headers: INFO, body: 'Signal=5\r\nDuration=120\r\n' });
    await net.pump();
    anna.response(200, 'INFO');
    await net.after(1_000);
    expect(bo.audio.digits.map(({ digit, by }) => `${digit} ${by}`)).toEqual(['5 rfc4733']);
    bo.inDialog(back, 'INFO', { headers: INFO, body: 'Signal=#\r\nDuration=100\r\n' });
    await net.pump();
    bo.response(200, 'INFO');
    await net.pump();
    await net.after(500);
    expect(anna.audio.digits.map(({ digit }) => digit)).toEqual(['#']);
    await end(talk);
  });

  it('that make no sense are refused', async () => {
    await phones();
    const { talk } = await talking();
    anna.inDialog(talk, 'INFO', { headers: INFO, body: 'Signal=pound\r\n' });
    anna.inDialog(talk, 'INFO');
    await net.pump();
    anna.response(400, 'INFO');
    anna.response(200, 'INFO');
    await end(talk);
  });
});

describe('a lost peer', () => {
  it('sends no audio for 10 s: the call ends and says so', async () => {
    await phones();
    await talking();
    anna.audio.sending = false;
    await net.after(12_000, 1_000);
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toBe('SIP;cause=408;text="RTP media timeout"');
    bo.respond(bye, 200);
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
  });

  it('only listens, after comfort noise: it is asked and answers, and the call goes on', async () => {
    await phones();
    const { talk } = await talking([], '8 13 101');
    anna.audio.sendPayload(13, new Uint8Array([60]));
    anna.audio.sending = false;
    let asked = 0;
    for (let passed = 0; passed < 120_000; passed += 1_000) {
      await net.after(1_000);
      while (anna.has('OPTIONS')) {
        anna.respond(anna.request('OPTIONS'), 200);
        asked++;
      }
    }
    expect(asked).toBe(4);
    expect([anna.has('BYE'), bo.has('BYE')]).toEqual([false, false]);
    expect(await hearing(bo, anna, '5')).toBe(true);
    await end(talk);
  }, 60_000);

  it('is lost after comfort noise, and answers nothing: the call ends', async () => {
    await phones();
    await talking([], '8 13 101');
    anna.audio.sendPayload(13, new Uint8Array([60]));
    anna.audio.sending = false;
    await net.after(40_000, 1_000);
    expect(bo.has('BYE')).toBe(false);
    await net.after(4_000, 1_000);
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toBe('SIP;cause=408;text="The peer is gone"');
    bo.respond(bye, 200);
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
  });

  it('sends reports alone: the call goes on while they come, though it answers nothing', async () => {
    await phones();
    await talking();
    const { media } = appliance;
    const leg = media.sent.find(({ toHost }) => toHost === anna.host)?.fromPort ?? 0;
    const report = new Uint8Array(200);
    const parts = [{ kind: 'receiverReport', ssrc: anna.audio.ssrc, reports: [] }] as const;
    const length = writeRtcp(parts, report);
    anna.audio.sending = false;
    for (let passed = 0; passed < 90_000; passed += 3_000) {
      media.inject({ host: anna.host, port: 4_001 }, leg + 1, report.slice(0, length));
      await net.after(3_000, 1_000);
    }
    expect([anna.has('BYE'), bo.has('BYE'), anna.has('OPTIONS')]).toEqual([false, false, true]);
    await net.after(24_000, 1_000);
    const bye = bo.request('BYE');
    expect(bye.header('Reason')).toBe('SIP;cause=408;text="RTP media timeout"');
    bo.respond(bye, 200);
    anna.respond(anna.request('BYE'), 200);
    await net.pump();
  }, 60_000);

  it('does not refresh: the session expires', async () => {
    await phones();
    const headers: [string, string][] = [
      ['Supported', 'timer'],
      ['Session-Expires', '90;refresher=uac'],
    ];
    await talking(headers);
    // The caller refreshes (RFC 4028), and does not here.
    await net.after(62_000, 2_000);
    anna.respond(anna.request('BYE'), 200);
    const reported = bo.request('BYE');
    expect(reported.header('Reason')).toBe('SIP;cause=408;text="The session was not refreshed"');
    bo.respond(reported, 200);
    await net.pump();
  });

  it('with the media worker: both are notified', async () => {
    await phones();
    await talking();
    appliance.media.crash();
    await net.pump();
    for (const phone of [anna, bo]) {
      const bye = phone.request('BYE');
      expect(bye.header('Reason')).toContain('cause=500');
      phone.respond(bye, 200);
    }
    await net.pump();
  });
});
