import { describe, expect, it } from 'vitest';
import { failureWords } from '#appliance/call/control/leg/failure-words.ts';
import type { SipResponse } from '#appliance/sip/message/index.ts';

const final = (status: number, reason: string, fields: Readonly<Record<string, string>> = {}) =>
  ({ status, reason, header: (name: string) => fields[name] }) as unknown as SipResponse;

const words = (status: number, response?: SipResponse): string => failureWords(status, response, 32_000);

describe('the words of a call that came to nothing', () => {
  it.each<[string, number, SipResponse | undefined, string]>([
    ['no answer', 408, undefined, 'no answer to the INVITE in 32 s'],
    ['no way', 503, undefined, 'the INVITE could not be sent: the transport failed'],
    ['given up by us', 487, undefined, 'the INVITE was cancelled'],
    ['a status of ours', 488, undefined, 'Not Acceptable Here'],
    ['a phrase', 486, final(486, 'Busy Here'), 'Busy Here'],
    ['an empty phrase', 486, final(486, ''), 'Busy Here'],
    ['a phrase of blanks', 480, final(480, '  '), 'Temporarily Unavailable'],
    ['a Reason', 480, final(480, 'x', { Reason: 'Q.850;cause=17;text="User busy"' }), 'User busy'],
    ['a Reason without text', 480, final(480, 'Away', { Reason: 'Q.850;cause=17' }), 'Away'],
    ['a Reason of another protocol', 480, final(480, 'Away', { Reason: 'X;cause=1;text="no"' }), 'Away'],
    ['a Warning', 404, final(404, 'x', { Warning: '399 pbx.example "moved to Lund"' }), 'moved to Lund'],
    ['a Warning about media', 488, final(488, 'Not Here', { Warning: '304 pbx "no codec"' }), 'Not Here'],
    [
      'both: the network knows best',
      480,
      final(480, 'x', { Reason: 'Q.850;cause=17;text="User busy"', Warning: '399 pbx "no"' }),
      'User busy',
    ],
    [
      'an answer of another status, before a challenge',
      408,
      final(401, 'Unauthorized'),
      'no answer to the INVITE in 32 s',
    ],
  ])('%s', (_, status, response, expected) => {
    expect(words(status, response)).toBe(expected);
  });

  it('are one line of bounded length', () => {
    const text = words(486, final(486, `a\r\nb\0${'c'.repeat(1_000)}`));
    expect(text).toHaveLength(200);
    expect(text).toMatch(/^a {2}b c+$/);
  });
});
