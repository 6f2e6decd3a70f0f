import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  answeredSetup,
  describeTransport,
  isCertificateOf,
  kindOf,
  readCandidate,
  readFingerprint,
  readTransport,
  writeCandidate,
  writeFingerprint,
} from '#appliance/media/webrtc/index.ts';

const digest = (algorithm: string, bytes: Uint8Array): Uint8Array =>
  createHash(algorithm.replace('-', '')).update(bytes).digest();
const PAIRS = Array.from({ length: 32 }, (_, i) => (0xa0 + i).toString(16)).join(':');

describe('packets on one port', () => {
  it.each([
    [0, 1, 'stun'],
    [3, 0, 'stun'],
    [4, 0, 'other'],
    [19, 0, 'other'],
    [20, 254, 'dtls'],
    [63, 254, 'dtls'],
    [64, 0, 'other'],
    [127, 0, 'other'],
    [128, 8, 'rtp'],
    [144, 0x88, 'rtp'],
    [128, 191, 'rtp'],
    [128, 192, 'rtcp'],
    [129, 223, 'rtcp'],
    [191, 224, 'rtp'],
    [192, 200, 'other'],
  ] as const)('that begin with %d %d are %s', (first, second, kind) => {
    expect(kindOf(Uint8Array.of(first, second, 0, 0))).toBe(kind);
  });

  it('are nothing when they are empty', () => {
    expect(kindOf(new Uint8Array())).toBe('other');
  });
});

describe('a fingerprint', () => {
  it('is read in either case and written in capitals', () => {
    const read = readFingerprint(`SHA-256 ${PAIRS}`);
    if (!read.ok) throw new Error(read.error.reason);
    expect(read.value.algorithm).toBe('sha-256');
    expect(read.value.hash[0]).toBe(0xa0);
    expect(writeFingerprint(read.value)).toBe(`sha-256 ${PAIRS.toUpperCase()}`);
  });

  it.each([
    ['sha-1 00:01', 'Unsupported'],
    ['md5 00', 'Unsupported'],
    ['constructor 00', 'Unsupported'],
    ['', 'Unsupported'],
    [`sha-256 ${PAIRS}:00`, 'Malformed'],
    [`sha-256 ${PAIRS.replace('a0', 'g0')}`, 'Malformed'],
    [`sha-256 ${PAIRS.replaceAll(':', '')}`, 'Malformed'],
    [`sha-384 ${PAIRS}`, 'Malformed'],
    [`sha-256 ${PAIRS} more`, 'Malformed'],
  ])('%s is refused as %s', (value, code) => {
    expect(readFingerprint(value)).toMatchObject({ ok: false, error: { code } });
  });

  it.each(['sha-256', 'sha-384', 'sha-512'] as const)(
    'by %s knows its certificate and no other',
    (algorithm) => {
      const certificate = Uint8Array.of(1, 2, 3);
      const fingerprint = { algorithm, hash: digest(algorithm, certificate) };
      expect(isCertificateOf(fingerprint, certificate, digest)).toBe(true);
      expect(isCertificateOf(fingerprint, Uint8Array.of(1, 2, 4), digest)).toBe(false);
      expect(isCertificateOf({ ...fingerprint, hash: fingerprint.hash.slice(1) }, certificate, digest)).toBe(
        false,
      );
    },
  );
});

describe('a candidate', () => {
  it.each([
    ['1 1 udp 2130706431 192.0.2.7 40000 typ host', '192.0.2.7', 'host'],
    [
      'candidate:a+/9 1 UDP 1694498815 2001:db8::1 9 typ srflx raddr 10.0.0.1 rport 1',
      '2001:db8::1',
      'srflx',
    ],
    ['7 1 udp 1 198.51.100.1 65535 typ relay raddr 0.0.0.0 rport 0 generation 0', '198.51.100.1', 'relay'],
  ])('%s is taken', (value, host, kind) => {
    const candidate = readCandidate(value);
    expect(candidate).toMatchObject({ host, kind });
    if (candidate) expect(readCandidate(writeCandidate(candidate))).toEqual(candidate);
  });

  it.each([
    ['a name', '1 1 udp 2130706431 1f4712db-ea17.local 40000 typ host'],
    ['TCP', '1 1 tcp 2130706431 192.0.2.7 9 typ host tcptype active'],
    ['component 2', '1 2 udp 2130706431 192.0.2.7 40000 typ host'],
    ['an address that is none', '1 1 udp 2130706431 192.0.2.700 40000 typ host'],
    ['a port that is none', '1 1 udp 2130706431 192.0.2.7 70000 typ host'],
    ['priority 0', '1 1 udp 0 192.0.2.7 40000 typ host'],
    ['another kind', '1 1 udp 1 192.0.2.7 40000 typ toString'],
    ['nothing', ''],
  ])('with %s is passed over', (_, value) => {
    expect(readCandidate(value)).toBeUndefined();
  });
});

describe('a transport', () => {
  const described = {
    ufrag: 'abcd',
    pwd: '0123456789012345678901',
    iceLite: false,
    fingerprints: ['sha-1 00', `sha-256 ${PAIRS.toUpperCase()}`],
    setup: 'actpass',
    candidates: ['1 1 udp 2130706431 192.0.2.7 40000 typ host', '1 1 udp 2130706431 a.local 40000 typ host'],
  } as const;

  it('keeps what is of use', () => {
    const read = readTransport(described);
    if (!read.ok) throw new Error(read.error.reason);
    expect(read.value).toMatchObject({ ufrag: 'abcd', fingerprints: [{ algorithm: 'sha-256' }] });
    expect(describeTransport(read.value)).toEqual({
      ...described,
      fingerprints: described.fingerprints.slice(1),
      candidates: described.candidates.slice(0, 1),
    });
  });

  it('without a good fingerprint is refused', () => {
    const weak = readTransport({ ...described, fingerprints: ['sha-1 00'] });
    expect(weak).toMatchObject({ error: { code: 'Unsupported', reason: expect.stringContaining('sha-1') } });
    expect(readTransport({ ...described, fingerprints: [] })).toMatchObject({ ok: false });
  });

  it('says who begins', () => {
    expect((['actpass', 'passive', 'active'] as const).map(answeredSetup)).toEqual([
      'active',
      'active',
      'passive',
    ]);
  });
});
