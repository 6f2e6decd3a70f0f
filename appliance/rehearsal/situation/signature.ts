import { RULES, type Situation } from './situation.ts';

/** Seconds by which a clock is wrong and a callback is still good, or no longer. */
const [SLIGHTLY_S, BADLY_S] = [45, 600];

/** Signatures: forgeries, and honest ones that a careless check refuses. */
export const SIGNATURE_SITUATIONS: readonly Situation[] = [
  {
    name: 'no-token',
    sent: 'An alarm without a token.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Refuse every callback without Authorization. An address is found by scanners within a day.',
    rule: RULES.callback,
    steps: [{ signed: 'nothing', expects: 'refusal' }],
  },
  {
    name: 'forged-signature',
    sent: 'An alarm that is signed by the key of a stranger.',
    expected: 'It refuses with 401 or 403.',
    advice:
      'Check the signature with the public key of your restAuthentication entry, not only the form of the token.',
    rule: RULES.callback,
    steps: [{ signed: 'stranger', expects: 'refusal' }],
  },
  {
    name: 'algorithm-none',
    sent: 'An alarm whose token names the algorithm none and has no signature.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Fix the algorithm beside the key. The header of a token never chooses it.',
    rule: RULES.callback,
    steps: [{ signed: 'algorithmNone', expects: 'refusal' }],
  },
  {
    name: 'public-key-as-secret',
    sent: 'An alarm whose token is signed HS256 with the text of your public key as the secret.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Fix the algorithm beside the key: everybody knows a public key.',
    rule: RULES.callback,
    steps: [{ signed: 'publicKeyAsSecret', expects: 'refusal' }],
    only: 'keyPair',
  },
  {
    name: 'wrong-audience',
    sent: 'An alarm that was signed for another application of the tenant (aud).',
    expected: 'It refuses with 401 or 403.',
    advice: 'Compare aud with the origin of your own callbackBaseUrl.',
    rule: RULES.callback,
    steps: [{ signed: 'otherAudience', expects: 'refusal' }],
  },
  {
    name: 'wrong-tenant',
    sent: 'An alarm of another tenant (iss) that has the same key.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Compare iss with your tenant.',
    rule: RULES.callback,
    steps: [{ signed: 'otherTenant', expects: 'refusal' }],
  },
  {
    name: 'body-changed',
    sent: 'An alarm whose body was changed after it was signed: it names another unit.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Compare bodySha256 with the SHA-256 of the raw body, in lower-case hexadecimal digits.',
    rule: RULES.callback,
    steps: [{ body: 'changed', expects: 'refusal' }],
  },
  {
    name: 'body-layout',
    sent: 'An alarm whose body has line breaks, spaces and escapes, as an event map may write it.',
    expected: 'It answers with an action.',
    advice:
      'Hash the bytes as they arrived. A body that was parsed and serialised has another layout, and another hash.',
    rule: RULES.callback,
    steps: [{ body: 'laidOut', expects: 'decision' }],
  },
  {
    name: 'replayed-token',
    sent: 'An alarm, and then the same request again with the same token.',
    expected: 'It answers the first, and refuses the second with 401 or 403.',
    advice:
      'Take each jti once. The platform signs every attempt again; a token that comes twice was overheard.',
    rule: RULES.callback,
    steps: [{ expects: 'decision' }, { repeats: true, signed: 'again', expects: 'refusal' }],
  },
  {
    name: 'expired-token',
    sent: 'An alarm whose token expired five minutes ago.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Compare exp with your clock, and let a minute pass for the difference of the clocks.',
    rule: RULES.callback,
    steps: [{ signed: -BADLY_S, expects: 'refusal' }],
  },
  {
    name: 'token-of-the-future',
    sent: 'An alarm whose token was issued ten minutes in the future.',
    expected: 'It refuses with 401 or 403.',
    advice: 'Compare iat with your clock, and let a minute pass for the difference of the clocks.',
    rule: RULES.callback,
    steps: [{ signed: BADLY_S, expects: 'refusal' }],
  },
  {
    name: 'clock-skew',
    sent: 'An alarm of a host whose clock is 45 s fast.',
    expected: 'It answers with an action.',
    advice: 'Let clocks differ by a minute. A check of iat to the second refuses real alarms.',
    rule: RULES.callback,
    steps: [{ signed: SLIGHTLY_S, expects: 'decision' }],
  },
  {
    name: 'key-rotated',
    sent: 'An alarm that is signed by the next key, and then one by the key of before.',
    expected: 'It answers both with an action.',
    advice:
      'Accept the old and the new key while keys change: hosts take a new key over one after the other.',
    rule: RULES.callback,
    steps: [
      { signed: 'next', expects: 'decision' },
      { session: 2, expects: 'decision' },
    ],
  },
];
