import { describe, expect, it } from 'vitest';
import { readIceFragment } from '#appliance/sip/sdp/index.ts';

const PWD = 'asd88fgpdd777uzjYhagZg';
/** The form of RFC 8840 9.2, with values of our own. */
const FRAGMENT = [
  `a=ice-pwd:${PWD}`,
  'a=ice-ufrag:8hhY',
  'm=audio 9 RTP/AVP 0',
  'a=mid:1',
  'a=candidate:1 1 UDP 2130706431 2001:db8:a0b:12f0::1 5000 typ host',
  'a=candidate:2 1 UDP 1694498815 192.0.2.3 5000 typ srflx raddr 10.0.1.1 rport 8998',
  'a=end-of-candidates',
  'm=video 9 RTP/AVP 34',
  'a=mid:2',
  'a=candidate:1 1 UDP 2130706431 192.0.2.3 6000 typ host',
  '',
];

const read = (lines: readonly string[]) => readIceFragment(Buffer.from(lines.join('\r\n')));
const refusal = (lines: readonly string[]) => {
  const { ok, ...rest } = read(lines);
  return ok ? 'read' : 'error' in rest && `${rest.error.code} ${rest.error.path}`;
};
const without = (name: string) => FRAGMENT.filter((line) => !line.startsWith(name));

describe('a late address of a peer', () => {
  it('is read: its ICE session, candidates of audio, and that no more will come', () => {
    expect(read(FRAGMENT)).toEqual({
      ok: true,
      value: [
        {
          ufrag: '8hhY',
          pwd: PWD,
          candidates: [
            '1 1 UDP 2130706431 2001:db8:a0b:12f0::1 5000 typ host',
            '2 1 UDP 1694498815 192.0.2.3 5000 typ srflx raddr 10.0.1.1 rport 8998',
          ],
          ended: true,
        },
      ],
    });
  });

  it('may end without an address, and may end for all its sections at once', () => {
    expect(read(without('a=candidate'))).toMatchObject({ value: [{ candidates: [], ended: true }] });
    expect(read(without('a=end-of'))).toMatchObject({ value: [{ ended: false }] });
    expect(read(['a=end-of-candidates', ...without('a=end-of')])).toMatchObject({ value: [{ ended: true }] });
  });

  it('may name another session in a section, which then counts there', () => {
    const own = FRAGMENT.flatMap((line) => (line === 'a=mid:1' ? [line, 'a=ice-ufrag:newer'] : line));
    expect(read(own)).toMatchObject({ value: [{ ufrag: 'newer', pwd: PWD }] });
  });

  it.each([
    ['names no session', without('a=ice-ufrag'), 'Malformed ice-ufrag'],
    ['names no password', without('a=ice-pwd'), 'Malformed ice-pwd'],
    [
      'names a session too short to be one',
      FRAGMENT.map((line) => line.replace('8hhY', '8')),
      'Malformed ice-ufrag',
    ],
    ['is about video alone', without('m=audio'), 'Malformed m'],
    ['is empty', [], 'Malformed m'],
    ['has sections without end', [...FRAGMENT, ...Array(40).fill('m=video 9 RTP/AVP 0')], 'TooLarge m'],
    ['is long', [...FRAGMENT, 'x'.repeat(16_384)], 'TooLarge undefined'],
  ])('is refused when it %s', (_, lines, code) => {
    expect(refusal(lines)).toBe(code);
  });

  it('has no more candidates than anybody has', () => {
    const many = Array.from(
      { length: 100 },
      (_, i) => `a=candidate:${i} 1 udp 1 192.0.2.1 ${5_000 + i} typ host`,
    );
    const found = read([...FRAGMENT.slice(0, 4), ...many]);
    expect(found.ok && found.value[0]?.candidates).toHaveLength(64);
  });
});
