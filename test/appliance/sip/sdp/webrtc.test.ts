import { describe, expect, it } from 'vitest';
import {
  acceptAnswer,
  answerOffer,
  createOffer,
  formatSdp,
  parseSdp,
  type SecureTransport,
  type SessionDescription,
  type SessionPlan,
} from '#appliance/sip/sdp/index.ts';

const FINGERPRINT = `sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`;
const OURS: SecureTransport = {
  ufrag: 'ours',
  pwd: '0123456789012345678901',
  iceLite: false,
  fingerprints: [FINGERPRINT],
  setup: 'active',
  candidates: ['1 1 udp 2130706431 192.0.2.1 40000 typ host'],
};

/** Offer of a browser, shortened: Opus first, RTCP feedback, a hidden address. */
const OFFER = [
  'v=0',
  'o=- 46117317 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'a=extmap-allow-mixed',
  'a=msid-semantic: WMS stream',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0 8 126',
  'c=IN IP4 0.0.0.0',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2113937151 1f4712db-ea17-4bcf-a596-105139dfd8bf.local 54596 typ host generation 0',
  'a=candidate:2 1 udp 2113937150 192.0.2.9 54597 typ host generation 0',
  'a=ice-ufrag:4ZcD',
  'a=ice-pwd:2/1muCWoOi3uLifh0NuRHlM1',
  'a=ice-options:trickle',
  `a=fingerprint:${FINGERPRINT}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:126 telephone-event/8000',
  '',
].join('\r\n');

const planOf = (transport?: SecureTransport): SessionPlan => ({
  origin: { username: '-', sessionId: '7', address: { family: 4, host: '192.0.2.1' } },
  srtp: 'never',
  secureSignalling: true,
  newKey: () => new Uint8Array(30),
  legs: [
    {
      address: { family: 4, host: '192.0.2.1' },
      port: 40_000,
      codecs: ['PCMA', 'PCMU'],
      preferredCodec: 'PCMA',
      direction: 'sendrecv',
      ...(transport === undefined ? {} : { transport }),
    },
  ],
});

const read = (text: string): SessionDescription => {
  const parsed = parseSdp(text);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
};
const refusalOf = (text: string, transport: SecureTransport | undefined = OURS) => {
  const answered = answerOffer(read(text), planOf(transport));
  return answered.ok ? 'answered' : answered.error.code;
};

describe('a WebRTC description', () => {
  it('is read: names, certificate, candidates, group', () => {
    expect(read(OFFER).media[0]).toMatchObject({
      protocol: 'UDP/TLS/RTP/SAVPF',
      mid: '0',
      direction: 'sendrecv',
      bundled: true,
      rtcpMux: true,
      transport: {
        ufrag: '4ZcD',
        pwd: '2/1muCWoOi3uLifh0NuRHlM1',
        iceLite: false,
        fingerprints: [FINGERPRINT],
        setup: 'actpass',
        candidates: [
          '1 1 udp 2113937151 1f4712db-ea17-4bcf-a596-105139dfd8bf.local 54596 typ host generation 0',
          '2 1 udp 2113937150 192.0.2.9 54597 typ host generation 0',
        ],
      },
    });
  });

  it('may name the certificate for the whole session, twice', () => {
    const [session, media = ''] = OFFER.split('m=');
    const line = `a=fingerprint:${FINGERPRINT}\r\n`;
    const text = `${session}a=ice-lite\r\na=fingerprint:sha-1 00\r\n${line}a=setup:passive\r\nm=${media
      .replace(line, '')
      .replace('a=setup:actpass\r\n', '')}`;
    expect(read(text).media[0]?.transport).toMatchObject({
      iceLite: true,
      setup: 'passive',
      fingerprints: ['sha-1 00', FINGERPRINT],
    });
  });

  it('keeps no more candidates than anybody has', () => {
    const many = OFFER.replace(
      'a=mid:0',
      `${'a=candidate:1 1 udp 1 192.0.2.9 1 typ host\r\n'.repeat(500)}a=mid:0`,
    );
    expect(read(many).media[0]?.transport?.candidates).toHaveLength(64);
  });
});

describe('an offer of a browser', () => {
  it('is answered with our side of it, G.711 and no key', () => {
    const answered = answerOffer(read(OFFER), planOf(OURS));
    if (!answered.ok) throw new Error(answered.error.reason);
    const text = formatSdp(answered.value.local);
    for (const line of [
      'a=group:BUNDLE 0',
      'm=audio 40000 UDP/TLS/RTP/SAVPF 8 0 126',
      'a=ice-ufrag:ours',
      'a=ice-pwd:0123456789012345678901',
      `a=fingerprint:${FINGERPRINT}`,
      'a=setup:active',
      'a=candidate:1 1 udp 2130706431 192.0.2.1 40000 typ host',
      'a=rtcp-mux',
      'a=mid:0',
    ]) {
      expect(text.split('\r\n')).toContain(line);
    }
    expect(text).not.toContain('crypto');
    expect(read(text).media[0]?.transport).toEqual(OURS);
    expect(answered.value.streams[0]).toMatchObject({
      rtcpMux: true,
      direction: 'sendrecv',
      send: { name: 'PCMA', payloadType: 8 },
      telephoneEvent: { send: 126, receive: 126 },
      transport: { ufrag: '4ZcD' },
    });
    expect(answered.value.streams[0]?.srtp).toBeUndefined();
  });

  it('is refused where no leg is ready for it, and without what it needs', () => {
    expect(refusalOf(OFFER)).toBe('answered');
    expect(refusalOf(OFFER.replace('SAVPF', 'SAVP'))).toBe('answered');
    expect(answerOffer(read(OFFER), planOf())).toMatchObject({ error: { code: 'NoSecurity', status: 488 } });
    for (const name of ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup', 'rtcp-mux']) {
      const without = OFFER.split('\r\n')
        .filter((line) => !line.startsWith(`a=${name}`))
        .join('\r\n');
      expect([name, refusalOf(without)]).toEqual([name, 'NoSecurity']);
    }
    expect(refusalOf(OFFER.replace('4ZcD', '4Z'))).toBe('NoSecurity');
    expect(refusalOf(OFFER.replace('actpass', 'holdconn'))).toBe('NoSecurity');
  });

  it('without a group is answered without one', () => {
    const answered = answerOffer(read(OFFER.replace('a=group:BUNDLE 0\r\n', '')), planOf(OURS));
    expect(answered.ok && formatSdp(answered.value.local)).not.toContain('BUNDLE');
  });
});

describe('an ordinary offer to a leg that could do WebRTC', () => {
  it('is answered as ever', () => {
    const text = OFFER.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP').replace('IN IP4 0.0.0.0', 'IN IP4 192.0.2.9');
    const answered = answerOffer(read(text), planOf());
    expect(answered.ok && answered.value.streams[0]).toMatchObject({ protocol: 'RTP/AVP' });
  });
});

describe('our own offer', () => {
  const offer = createOffer(planOf({ ...OURS, setup: 'actpass' }));
  const answer = (change: (text: string) => string = (text) => text): SessionDescription =>
    read(change(OFFER.replace('actpass', 'active').replace('111 0 8 126', '0 8 126')));

  it('says all of it, and takes the answer', () => {
    expect(formatSdp(offer)).toContain('a=group:BUNDLE 0\r\nm=audio 40000 UDP/TLS/RTP/SAVPF 8 0 101\r\n');
    const agreed = acceptAnswer(offer, answer());
    expect(agreed.ok && agreed.value.streams[0]).toMatchObject({
      rtcpMux: true,
      transport: { ufrag: '4ZcD', setup: 'active' },
    });
  });

  it.each([
    [
      'leaves open who begins',
      (text: string) => text.replace('setup:active', 'setup:actpass'),
      'AnswerMismatch',
    ],
    ['names no certificate', (text: string) => text.replace(/a=fingerprint.*\r\n/, ''), 'NoSecurity'],
    ['wants RTCP elsewhere', (text: string) => text.replace('a=rtcp-mux\r\n', ''), 'AnswerMismatch'],
    ['is in the clear', (text: string) => text.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'), 'AnswerMismatch'],
  ])('takes no answer that %s', (_, change, code) => {
    expect(acceptAnswer(offer, answer(change))).toMatchObject({ ok: false, error: { code } });
  });

  it('stays the same in the next offer', () => {
    const agreed = acceptAnswer(offer, answer());
    if (!agreed.ok) throw new Error(agreed.error.reason);
    expect(createOffer(planOf({ ...OURS, setup: 'actpass' }), agreed.value)).toEqual(offer);
  });
});
