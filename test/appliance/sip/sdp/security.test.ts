import { describe, expect, it } from 'vitest';
import {
  type Agreement,
  acceptAnswer,
  answerOffer,
  createOffer,
  type SrtpPolicy,
} from '#appliance/sip/sdp/index.ts';
import { answered, keysFrom, leg, overTheWire, parsed, plan, refusal, value } from './fixture.ts';

const key = (fill: number): string => `inline:${Buffer.alloc(30, fill).toString('base64')}`;
const OFFERS = {
  'RTP/SAVP': ['m=audio 4000 RTP/SAVP 8', `a=crypto:4 AES_CM_128_HMAC_SHA1_32 ${key(99)}`],
  'RTP/AVP with keys': ['m=audio 4000 RTP/AVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key(99)}`],
  'RTP/AVP': ['m=audio 4000 RTP/AVP 8'],
  'RTP/SAVP without a key': ['m=audio 4000 RTP/SAVP 8'],
  'RTP/SAVP and RTP/AVP': [
    'm=audio 4000 RTP/SAVP 8',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key(99)}`,
    'm=audio 4000 RTP/AVP 8',
  ],
} as const;

/** Policy, signalling, offer, what the peer gets: the table of `security.ts` row by row. */
const ROWS: readonly (readonly [SrtpPolicy, 'TLS' | 'UDP', keyof typeof OFFERS, string])[] = [
  ['never', 'TLS', 'RTP/SAVP', '488'],
  ['never', 'TLS', 'RTP/AVP with keys', 'RTP'],
  ['never', 'UDP', 'RTP/AVP', 'RTP'],
  ['never', 'UDP', 'RTP/SAVP and RTP/AVP', 'RTP on 1'],
  ['always', 'UDP', 'RTP/SAVP', 'SRTP'],
  ['always', 'UDP', 'RTP/AVP with keys', 'SRTP'],
  ['always', 'TLS', 'RTP/AVP', '488'],
  ['always', 'TLS', 'RTP/SAVP without a key', '488'],
  ['always', 'TLS', 'RTP/SAVP and RTP/AVP', 'SRTP'],
  ['alwaysWithTLS', 'TLS', 'RTP/SAVP', 'SRTP'],
  ['alwaysWithTLS', 'TLS', 'RTP/AVP', '488'],
  ['alwaysWithTLS', 'UDP', 'RTP/SAVP', '488'],
  ['alwaysWithTLS', 'UDP', 'RTP/AVP', 'RTP'],
  ['negotiated', 'UDP', 'RTP/SAVP', 'SRTP'],
  ['negotiated', 'UDP', 'RTP/AVP with keys', 'SRTP'],
  ['negotiated', 'TLS', 'RTP/AVP', 'RTP'],
  ['negotiated', 'TLS', 'RTP/SAVP without a key', '488'],
];

const outcome = (agreement: Agreement): string => {
  const index = agreement.streams.findIndex((stream) => stream !== null);
  return `${agreement.streams[index]?.srtp ? 'SRTP' : 'RTP'}${index > 0 ? ` on ${index}` : ''}`;
};

describe('srtp of a device decides the answer', () => {
  it.each(ROWS)('%s by %s, offered %s: %s', (srtp, signalling, offered, expected) => {
    const result = answerOffer(
      parsed(OFFERS[offered]),
      plan({ srtp, secureSignalling: signalling === 'TLS' }),
    );
    expect(result.ok ? outcome(result.value) : String(result.error.status)).toBe(expected);
  });

  it('keeps tag and suite of the line it takes and gives a key of its own', () => {
    const { local, streams } = answered(OFFERS['RTP/SAVP'], { newKey: keysFrom(50) });
    expect(local.media[0]).toMatchObject({
      protocol: 'RTP/SAVP',
      crypto: [{ tag: 4, suite: 'AES_CM_128_HMAC_SHA1_32', key: new Uint8Array(30).fill(50) }],
    });
    expect(streams[0]?.srtp).toEqual({
      suite: 'AES_CM_128_HMAC_SHA1_32',
      sendKey: new Uint8Array(30).fill(50),
      receiveKey: new Uint8Array(30).fill(99),
    });
  });

  it('keeps its key while the suite stays, and its description with it', () => {
    const first = answered(OFFERS['RTP/SAVP'], { newKey: keysFrom(50) });
    const again = answered(OFFERS['RTP/SAVP'], { newKey: keysFrom(60) }, first);
    expect(again.local).toEqual(first.local);
    const other = answered(
      ['m=audio 4000 RTP/SAVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key(98)}`],
      { newKey: keysFrom(60) },
      again,
    );
    expect(other.streams[0]?.srtp?.sendKey[0]).toBe(60);
    expect(other.local.origin.version).toBe('2');
  });
});

describe('srtp of a device decides the offer', () => {
  it.each([
    ['never', true, 'RTP/AVP', 0],
    ['always', false, 'RTP/SAVP', 2],
    ['alwaysWithTLS', true, 'RTP/SAVP', 2],
    ['alwaysWithTLS', false, 'RTP/AVP', 0],
    ['negotiated', false, 'RTP/AVP', 2],
  ] as const)('%s, TLS %s: %s with %s keys', (srtp, secureSignalling, protocol, keys) => {
    const [line] = createOffer(plan({ srtp, secureSignalling })).media;
    expect([line?.protocol, line?.crypto.length]).toEqual([protocol, keys]);
    expect(new Set(line?.crypto.map((each) => each.key[0])).size).toBe(keys);
  });

  it('takes the line the answer names, and that one is offered from then on', () => {
    const ours = plan({ srtp: 'always', newKey: keysFrom(10) });
    const offer = createOffer(ours);
    const answer = parsed(['m=audio 4000 RTP/SAVP 8', `a=crypto:2 AES_CM_128_HMAC_SHA1_32 ${key(77)}`]);
    const agreement = value(acceptAnswer(offer, answer));
    expect(agreement.streams[0]?.srtp).toMatchObject({ suite: 'AES_CM_128_HMAC_SHA1_32' });
    expect(agreement.streams[0]?.srtp?.sendKey[0]).toBe(11);
    expect(createOffer(ours, agreement).media[0]?.crypto).toEqual([
      { tag: 1, suite: 'AES_CM_128_HMAC_SHA1_32', key: new Uint8Array(30).fill(11) },
    ]);
  });

  it('ends where the answer leaves SRTP out, names a key we never offered, or changes the profile', () => {
    const judged = (media: readonly string[], srtp: SrtpPolicy) =>
      refusal(acceptAnswer(createOffer(plan({ srtp })), parsed(media)));
    const foreign = `a=crypto:9 AES_CM_128_HMAC_SHA1_80 ${key(1)}`;
    expect(judged(['m=audio 4000 RTP/SAVP 8'], 'always')).toBe('NoSecurity 488');
    expect(judged(['m=audio 4000 RTP/SAVP 8', foreign], 'always')).toBe('AnswerMismatch 488');
    expect(judged(['m=audio 4000 RTP/AVP 8'], 'always')).toBe('AnswerMismatch 488');
    expect(judged(['m=audio 4000 RTP/AVP 8'], 'negotiated')).toBe('accepted');
    expect(judged(['m=audio 4000 RTP/AVP 8', foreign], 'never')).toBe('accepted');
  });
});

describe('two of us', () => {
  const policies: readonly SrtpPolicy[] = ['never', 'always', 'alwaysWithTLS', 'negotiated'];
  const pairs = policies.flatMap((a) =>
    policies.flatMap((b) => [true, false].map((tls) => [a, b, tls] as const)),
  );
  it.each(pairs)('%s calls %s, TLS %s: both encrypt with the same keys or neither does', (a, b, tls) => {
    const caller = plan({ srtp: a, secureSignalling: tls, newKey: keysFrom(10) });
    const callee = plan({
      srtp: b,
      secureSignalling: tls,
      newKey: keysFrom(90),
      legs: [leg({ port: 30_000 })],
    });
    const offer = createOffer(caller);
    const answer = answerOffer(overTheWire({ local: offer }), callee);
    if (!answer.ok) {
      expect(answer.error).toMatchObject({ code: 'NoSecurity', status: 488 });
      expect([a, b]).not.toContain('negotiated');
      return;
    }
    const agreement = value(acceptAnswer(offer, overTheWire(answer.value)));
    const here = agreement.streams[0]?.srtp;
    const there = answer.value.streams[0]?.srtp;
    expect(here?.sendKey).toEqual(there?.receiveKey);
    expect(here?.receiveKey).toEqual(there?.sendKey);
    expect(here?.suite).toBe(there?.suite);
  });
});
