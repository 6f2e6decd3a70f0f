/**
 * RTP packets (RFC 3550, 5.1), read into a record that is used again and written into memory that is there.
 *
 * ```
 *   0                   1                   2                   3
 *   |V=2|P|X|  CC   |M|     PT      |       sequence number         |
 *   |                           timestamp                           |
 *   |                             SSRC                              |
 *   |  CSRC (CC times)  |  extension: profile 16, words 16, words   |
 *   |  payload …                                |  padding, its length last
 * ```
 */
export const RTP_HEADER_BYTES = 12;

/** Why a datagram is no RTP packet. */
export type RtpFault = 'short' | 'version' | 'csrc' | 'extension' | 'padding';

/** One packet as it stands in a buffer; offsets are into that buffer. */
export class RtpPacket {
  marker = false;
  payloadType = 0;
  sequence = 0;
  timestamp = 0;
  ssrc = 0;
  csrcCount = 0;
  /** Profile of the header extension and where its words are; length 0 without one. */
  extensionProfile = 0;
  extensionOffset = 0;
  extensionLength = 0;
  payloadOffset = 0;
  payloadLength = 0;

  /**
   * Reads the first `length` bytes; answers what is wrong with them, or null. After a fault the record holds nothing
   * useful, but for `padding`: then everything else was read, which SRTP needs (it encrypts the padding).
   */
  read(bytes: Uint8Array, length: number): RtpFault | null {
    if (length < RTP_HEADER_BYTES || length > bytes.length) return 'short';
    const first = bytes[0] ?? 0;
    if (first >> 6 !== 2) return 'version';
    this.csrcCount = first & 0x0f;
    let offset = RTP_HEADER_BYTES + 4 * this.csrcCount;
    if (offset > length) return 'csrc';
    this.extensionLength = 0;
    if (first & 0x10) {
      if (offset + 4 > length) return 'extension';
      this.extensionProfile = read16(bytes, offset);
      this.extensionLength = 4 * read16(bytes, offset + 2);
      this.extensionOffset = offset + 4;
      offset += 4 + this.extensionLength;
      if (offset > length) return 'extension';
    }
    const second = bytes[1] ?? 0;
    this.marker = (second & 0x80) !== 0;
    this.payloadType = second & 0x7f;
    this.sequence = read16(bytes, 2);
    this.timestamp = read32(bytes, 4);
    this.ssrc = read32(bytes, 8);
    this.payloadOffset = offset;
    this.payloadLength = length - offset;
    if (first & 0x20) {
      const padding = bytes[length - 1] ?? 0;
      if (padding === 0 || padding > this.payloadLength) return 'padding';
      this.payloadLength -= padding;
    }
    return null;
  }
}

/** The fields in the header of a packet we send; never CSRC, extension or padding. */
export interface RtpHeader {
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
}

/** Writes a header at `at`; the payload goes behind it, `RTP_HEADER_BYTES` further. */
export function writeRtpHeader(target: Uint8Array, header: RtpHeader, at = 0): void {
  target[at] = 0x80;
  target[at + 1] = (header.marker ? 0x80 : 0) | (header.payloadType & 0x7f);
  write16(target, at + 2, header.sequence);
  write32(target, at + 4, header.timestamp);
  write32(target, at + 8, header.ssrc);
}

/** Whether a datagram on a shared port is RTCP: payload types 192 to 223 are kept free for it (RFC 5761, 4). */
export const isRtcp = (bytes: Uint8Array, length: number): boolean => {
  const second = bytes[1] ?? 0;
  return length >= 4 && second >= 192 && second <= 223;
};

export const read16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

export const read32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)) >>>
  0;

export function write16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function write32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
