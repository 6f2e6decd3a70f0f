import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  isRtcp,
  RTP_HEADER_BYTES,
  RtpPacket,
  readTelephoneEvent,
  writeRtpHeader,
  writeTelephoneEvent,
} from '#appliance/media/rtp/index.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

/** Version 2, padding, extension, 2 CSRC, marker, PT 8; extension of one word; three bytes of payload, five of padding. */
const FULL = 'b2 88 1234 deadbeef cafebabe 00000001 00000002 bede 0001 10aa0000 010203 0000000005';

describe('RtpPacket', () => {
  it('reads what it wrote', () => {
    const bytes = new Uint8Array(RTP_HEADER_BYTES + 2);
    const header = {
      marker: true,
      payloadType: 101,
      sequence: 65_535,
      timestamp: 0xffff_fff0,
      ssrc: 0x8000_0001,
    };
    writeRtpHeader(bytes, header);
    const packet = new RtpPacket();
    expect(packet.read(bytes, bytes.length)).toBeNull();
    expect(packet).toMatchObject({
      ...header,
      csrcCount: 0,
      extensionLength: 0,
      payloadOffset: 12,
      payloadLength: 2,
    });
  });

  it('finds the payload between CSRC, extension and padding', () => {
    const bytes = bytesOf(FULL);
    const packet = new RtpPacket();
    expect(packet.read(bytes, bytes.length)).toBeNull();
    expect(packet).toMatchObject({
      marker: true,
      payloadType: 8,
      sequence: 0x1234,
      timestamp: 0xdead_beef,
      ssrc: 0xcafe_babe,
      csrcCount: 2,
      extensionProfile: 0xbede,
      extensionOffset: 24,
      extensionLength: 4,
      payloadOffset: 28,
      payloadLength: 3,
    });
  });

  it('forgets the extension of the packet before', () => {
    const packet = new RtpPacket();
    packet.read(bytesOf(FULL), bytesOf(FULL).length);
    packet.read(bytesOf('80 08 0001 00000000 00000000'), 12);
    expect(packet).toMatchObject({ extensionLength: 0, csrcCount: 0, payloadLength: 0, marker: false });
  });

  it.each([
    ['short', '80 08 0001 00000000 000000'],
    ['version', '40 08 0001 00000000 00000000'],
    ['csrc', '82 08 0001 00000000 00000000 00000001 000000'],
    ['extension', '90 08 0001 00000000 00000000 bede'],
    ['extension', '90 08 0001 00000000 00000000 bede 0002 00000000'],
    ['padding', 'a0 08 0001 00000000 00000000 00'],
    ['padding', 'a0 08 0001 00000000 00000000 0003'],
    ['padding', 'a0 08 0001 00000000 00000000'],
  ])('refuses a fault of %s: %s', (fault, hex) => {
    const bytes = bytesOf(hex);
    expect(new RtpPacket().read(bytes, bytes.length)).toBe(fault);
  });

  it('does not trust a length beyond the buffer', () => {
    expect(new RtpPacket().read(new Uint8Array(12).fill(0x80), 13)).toBe('short');
  });

  it('stays inside the datagram for 100,000 mutated ones', () => {
    const random = new NoiseSource(99);
    const chance = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
    const packet = new RtpPacket();
    let good = 0;
    for (let round = 0; round < 100_000; round++) {
      const bytes = bytesOf(FULL);
      for (let flips = chance(4); flips >= 0; flips--) bytes[chance(28)] = chance(256);
      const length = chance(bytes.length + 1);
      if (packet.read(bytes, length) !== null) continue;
      good++;
      if (
        packet.payloadOffset < 12 ||
        packet.payloadLength < 0 ||
        packet.payloadOffset + packet.payloadLength > length
      ) {
        expect.fail(`payload outside the datagram: ${Buffer.from(bytes).toString('hex')}, ${length}`);
      }
    }
    expect(good).toBeGreaterThan(1_000);
  });
});

describe('isRtcp', () => {
  it.each([
    ['81c80006', true],
    ['81cb0001', true],
    ['80df0000', true],
    ['80e00000', false],
    ['80080000', false],
    ['80880000', false],
    ['81c800', false],
  ])('%s: %s', (hex, expected) => {
    expect(isRtcp(bytesOf(hex), bytesOf(hex).length)).toBe(expected);
  });
});

describe('telephone-event payload', () => {
  it('reads what it wrote and refuses less than four bytes', () => {
    const bytes = new Uint8Array(6);
    writeTelephoneEvent({ event: 11, end: true, volume: 10, duration: 1_600 }, bytes, 1);
    expect([...bytes]).toEqual([0, 11, 0x8a, 0x06, 0x40, 0]);
    expect(readTelephoneEvent(bytes, 1, 4)).toEqual({ event: 11, end: true, volume: 10, duration: 1_600 });
    expect(readTelephoneEvent(bytes, 1, 3)).toBeNull();
    expect(readTelephoneEvent(bytes, 3, 4)).toBeNull();
  });
});
