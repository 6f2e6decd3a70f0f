import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  middleOfNtp,
  ntpOf,
  type RtcpPart,
  readRtcp,
  roundTripMs,
  writeRtcp,
} from '#appliance/media/rtp/index.ts';

const BLOCK = {
  ssrc: 0xfeed_f00d,
  fractionLost: 26,
  cumulativeLost: 1_234,
  highestSequence: 0x0001_fffe,
  jitter: 42,
  lastSenderReport: 0x8899_aabb,
  delaySinceLast: 65_536,
};
const SENDER: RtcpPart = {
  kind: 'senderReport',
  ssrc: 0xcafe_babe,
  ntpSeconds: 0xe000_0001,
  ntpFraction: 0x8000_0000,
  timestamp: 0xffff_ff00,
  packets: 500,
  octets: 80_000,
  reports: [BLOCK, { ...BLOCK, cumulativeLost: -3 }],
};
const COMPOUND: readonly RtcpPart[] = [
  SENDER,
  {
    kind: 'description',
    chunks: [
      { ssrc: 0xcafe_babe, cname: 'a1b2c3' },
      { ssrc: 7, cname: '' },
    ],
  },
  { kind: 'bye', sources: [0xcafe_babe, 7], reason: 'teardown' },
];

const written = (packets: readonly RtcpPart[]): Uint8Array => {
  const target = new Uint8Array(1_500);
  return target.slice(0, writeRtcp(packets, target));
};
const read = (bytes: Uint8Array) => readRtcp(bytes, bytes.length);
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

describe('RTCP', () => {
  it('reads what it wrote', () => {
    expect(read(written(COMPOUND))).toEqual({ ok: true, value: COMPOUND });
    const receiver: RtcpPart = { kind: 'receiverReport', ssrc: 1, reports: [] };
    expect(read(written([receiver]))).toEqual({ ok: true, value: [receiver] });
  });

  it('writes the bytes of RFC 3550 6.4.2, 6.5 and 6.6', () => {
    const packets: readonly RtcpPart[] = [
      { kind: 'receiverReport', ssrc: 0x0102_0304, reports: [BLOCK] },
      { kind: 'description', chunks: [{ ssrc: 0x0102_0304, cname: 'ab' }] },
      { kind: 'bye', sources: [0x0102_0304], reason: '' },
    ];
    const expected = bytesOf(`
      81 c9 0007 01020304 feedf00d 1a 0004d2 0001fffe 0000002a 8899aabb 00010000
      81 ca 0003 01020304 01 02 6162 00000000
      81 cb 0001 01020304`);
    expect([...written(packets)]).toEqual([...expected]);
  });

  it('names what it does not know, and leaves padding of the last out', () => {
    const bytes = bytesOf(
      '80 c9 0001 00000001   80 cc 0002 00000001 74657374   a1 cb 0002 00000001 00000004',
    );
    expect(read(bytes)).toEqual({
      ok: true,
      value: [
        { kind: 'receiverReport', ssrc: 1, reports: [] },
        { kind: 'other', packetType: 204 },
        { kind: 'bye', sources: [1], reason: '' },
      ],
    });
  });

  it.each([
    ['nothing', ''],
    ['another version', '40 c9 0001 00000001'],
    ['a length beyond the datagram', '80 c9 0002 00000001'],
    ['bytes behind', '80 c9 0001 00000001 80c9'],
    ['no report first', '81 cb 0001 00000001'],
    ['more blocks than bytes', '81 c9 0001 00000001'],
    ['a sender report cut short', '80 c8 0005 00000001 00000002 00000003 00000004 00000005'],
    ['padding not in the last', 'a0 c9 0001 00000004   80 c9 0001 00000001'],
    ['padding that is no word', 'a0 c9 0002 00000001 00000003'],
    ['padding over the header', 'a0 c9 0001 00000008'],
    ['a description item over its end', '80 c9 0001 00000001   81 ca 0002 00000001 01096162'],
    ['a description without its end', '80 c9 0001 00000001   81 ca 0002 00000001 01026162'],
    ['a reason longer than the packet', '80 c9 0001 00000001   81 cb 0002 00000001 09616263'],
  ])('refuses %s', (_, hex) => {
    expect(read(bytesOf(hex))).toMatchObject({ ok: false, error: { code: 'Malformed' } });
  });

  it('takes a part alone only where that was agreed (RFC 5506)', () => {
    const bytes = bytesOf('81 cb 0001 00000001');
    expect(readRtcp(bytes, bytes.length, { reducedSize: true }).ok).toBe(true);
  });

  it('answers every one of 30,000 mutated packets', () => {
    const random = new NoiseSource(5);
    const chance = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
    const original = written(COMPOUND);
    let good = 0;
    for (let round = 0; round < 30_000; round++) {
      const bytes = original.slice(0, chance(4) === 0 ? chance(original.length + 1) : original.length);
      for (let flips = chance(4); flips >= 0; flips--) bytes[chance(original.length)] = chance(256);
      if (read(bytes).ok) good++;
    }
    expect(good).toBeGreaterThan(1_000);
    expect(good).toBeLessThan(29_000);
  });
});

describe('times', () => {
  it('gives NTP time and the round trip from it', () => {
    expect(ntpOf(0)).toEqual({ ntpSeconds: 2_208_988_800, ntpFraction: 0 });
    const sentMs = 1_700_000_000_250;
    const { ntpSeconds, ntpFraction } = ntpOf(sentMs);
    expect(ntpFraction).toBe(0x4000_0000);
    const block = {
      ...BLOCK,
      lastSenderReport: middleOfNtp(ntpSeconds, ntpFraction),
      delaySinceLast: 2 * 65_536,
    };
    expect(roundTripMs(block, sentMs + 2_080)).toBeCloseTo(80, 0);
    expect(roundTripMs(block, sentMs + 1_999)).toBe(0);
    expect(roundTripMs({ ...block, lastSenderReport: 0 }, sentMs)).toBeNull();
  });
});
