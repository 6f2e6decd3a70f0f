import { fail, ok, type Result } from '#shared/result.ts';
import { read16, read32, write16, write32 } from './packet.ts';

/** One block of a report: how the sender of this packet hears `ssrc` (RFC 3550, 6.4.1). */
export interface ReportBlock {
  readonly ssrc: number;
  /** In 1/256. */
  readonly fractionLost: number;
  /** Signed: duplicates may make it negative. */
  readonly cumulativeLost: number;
  readonly highestSequence: number;
  /** In timestamp units. */
  readonly jitter: number;
  /** Middle 32 bits of the NTP time of the last sender report, 0 without one. */
  readonly lastSenderReport: number;
  /** Since that report, in 1/65,536 s. */
  readonly delaySinceLast: number;
}

/** The parts that we write, and read. */
export type RtcpPart =
  | {
      readonly kind: 'senderReport';
      readonly ssrc: number;
      readonly ntpSeconds: number;
      readonly ntpFraction: number;
      readonly timestamp: number;
      readonly packets: number;
      readonly octets: number;
      readonly reports: readonly ReportBlock[];
    }
  | { readonly kind: 'receiverReport'; readonly ssrc: number; readonly reports: readonly ReportBlock[] }
  | {
      readonly kind: 'description';
      readonly chunks: readonly { readonly ssrc: number; readonly cname: string }[];
    }
  | { readonly kind: 'bye'; readonly sources: readonly number[]; readonly reason: string };

/** The packets that a peer may send. */
export type RtcpPacket = RtcpPart | { readonly kind: 'other'; readonly packetType: number };

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const DESCRIPTION = 202;
const BYE = 203;
const CNAME = 1;
const BLOCK_BYTES = 24;
/** No telephone sends more than this in one datagram. */
const MAX_PACKETS = 32;

const malformed = (reason: string) => fail('Malformed', reason);

/**
 * Reads a compound packet (RFC 3550, 6.1 and A.2): every part must have version 2 and lengths that fit; the first must be
 * a report unless `reducedSize` (RFC 5506); padding only in the last. Unknown parts are named, not refused.
 */
export function readRtcp(
  bytes: Uint8Array,
  length: number,
  { reducedSize = false }: { readonly reducedSize?: boolean } = {},
): Result<readonly RtcpPacket[]> {
  if (length < 4 || length > bytes.length) return malformed('An RTCP datagram shorter than a header.');
  const packets: RtcpPacket[] = [];
  let at = 0;
  while (at < length) {
    if (at + 4 > length || packets.length >= MAX_PACKETS)
      return malformed('Bytes behind the last RTCP packet.');
    const first = bytes[at] ?? 0;
    const type = bytes[at + 1] ?? 0;
    const end = at + 4 * (read16(bytes, at + 2) + 1);
    if (first >> 6 !== 2) return malformed('An RTCP packet of another version.');
    if (end > length) return malformed('An RTCP packet longer than its datagram.');
    if (at === 0 && !reducedSize && type !== SENDER_REPORT && type !== RECEIVER_REPORT) {
      return malformed('A compound RTCP packet that does not begin with a report.');
    }
    let limit = end;
    if (first & 0x20) {
      const padding = bytes[end - 1] ?? 0;
      if (end !== length || padding === 0 || padding % 4 !== 0 || end - padding < at + 4) {
        return malformed('RTCP padding that does not fit.');
      }
      limit -= padding;
    }
    const packet = readOne(bytes.subarray(at, limit), type, first & 0x1f);
    if (packet === null) return malformed(`An RTCP packet of type ${type} that ends too early.`);
    packets.push(packet);
    at = end;
  }
  return ok(packets);
}

function readOne(bytes: Uint8Array, type: number, count: number): RtcpPacket | null {
  if (type === SENDER_REPORT) {
    const reports = readBlocks(bytes, 28, count);
    if (reports === null) return null;
    return {
      kind: 'senderReport',
      ssrc: read32(bytes, 4),
      ntpSeconds: read32(bytes, 8),
      ntpFraction: read32(bytes, 12),
      timestamp: read32(bytes, 16),
      packets: read32(bytes, 20),
      octets: read32(bytes, 24),
      reports,
    };
  }
  if (type === RECEIVER_REPORT) {
    const reports = readBlocks(bytes, 8, count);
    return reports === null ? null : { kind: 'receiverReport', ssrc: read32(bytes, 4), reports };
  }
  if (type === DESCRIPTION) return readDescription(bytes, count);
  if (type === BYE) return readBye(bytes, count);
  return { kind: 'other', packetType: type };
}

function readBlocks(bytes: Uint8Array, from: number, count: number): ReportBlock[] | null {
  if (from + count * BLOCK_BYTES > bytes.length) return null;
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * BLOCK_BYTES;
    const lost = read32(bytes, at + 4);
    return {
      ssrc: read32(bytes, at),
      fractionLost: lost >>> 24,
      cumulativeLost: (lost << 8) >> 8,
      highestSequence: read32(bytes, at + 8),
      jitter: read32(bytes, at + 12),
      lastSenderReport: read32(bytes, at + 16),
      delaySinceLast: read32(bytes, at + 20),
    };
  });
}

/** Chunks of items, each chunk ended by zeros up to a word (6.5); only CNAME is of interest. */
function readDescription(bytes: Uint8Array, count: number): RtcpPacket | null {
  const chunks: { ssrc: number; cname: string }[] = [];
  let at = 4;
  for (let chunk = 0; chunk < count; chunk++) {
    if (at + 4 > bytes.length) return null;
    const ssrc = read32(bytes, at);
    let cname = '';
    at += 4;
    while ((bytes[at] ?? 0) !== 0) {
      const end = at + 2 + (bytes[at + 1] ?? 0);
      if (end > bytes.length) return null;
      if (bytes[at] === CNAME) cname = textOf(bytes.subarray(at + 2, end));
      at = end;
    }
    if (at >= bytes.length) return null;
    at += 4 - (at % 4);
    chunks.push({ ssrc, cname });
  }
  return { kind: 'description', chunks };
}

function readBye(bytes: Uint8Array, count: number): RtcpPacket | null {
  const end = 4 + 4 * count;
  if (end > bytes.length) return null;
  const sources = Array.from({ length: count }, (_, index) => read32(bytes, 4 + 4 * index));
  const length = bytes[end] ?? 0;
  if (end + 1 + length > bytes.length && length > 0) return null;
  return { kind: 'bye', sources, reason: textOf(bytes.subarray(end + 1, end + 1 + length)) };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Writes a compound packet; answers its bytes. Reports hold at most 31 blocks, texts 255 bytes; the rest is cut. */
export function writeRtcp(packets: readonly RtcpPart[], target: Uint8Array): number {
  let at = 0;
  for (const packet of packets) {
    const start = at;
    at = writeOne(packet, target, start);
    while (at % 4 !== 0) target[at++] = 0;
    write16(target, start + 2, (at - start) / 4 - 1);
  }
  return at;
}

function writeOne(packet: RtcpPart, target: Uint8Array, start: number): number {
  switch (packet.kind) {
    case 'senderReport':
      write32(target, start + 8, packet.ntpSeconds);
      write32(target, start + 12, packet.ntpFraction);
      write32(target, start + 16, packet.timestamp);
      write32(target, start + 20, packet.packets);
      write32(target, start + 24, packet.octets);
      return writeReport(packet, SENDER_REPORT, target, start, 28);
    case 'receiverReport':
      return writeReport(packet, RECEIVER_REPORT, target, start, 8);
    case 'description': {
      const chunks = packet.chunks.slice(0, 31);
      head(target, start, DESCRIPTION, chunks.length);
      return chunks.reduce((at, { ssrc, cname }) => {
        write32(target, at, ssrc);
        target[at + 4] = CNAME;
        let end = writeText(cname, target, at + 5);
        do target[end++] = 0;
        while (end % 4 !== 0);
        return end;
      }, start + 4);
    }
    case 'bye': {
      const sources = packet.sources.slice(0, 31);
      head(target, start, BYE, sources.length);
      for (const [index, ssrc] of sources.entries()) write32(target, start + 4 + 4 * index, ssrc);
      const end = start + 4 + 4 * sources.length;
      return packet.reason === '' ? end : writeText(packet.reason, target, end);
    }
  }
}

function writeReport(
  { ssrc, reports }: { readonly ssrc: number; readonly reports: readonly ReportBlock[] },
  type: number,
  target: Uint8Array,
  start: number,
  from: number,
): number {
  const blocks = reports.slice(0, 31);
  head(target, start, type, blocks.length);
  write32(target, start + 4, ssrc);
  for (const [index, block] of blocks.entries()) {
    const at = start + from + index * BLOCK_BYTES;
    write32(target, at, block.ssrc);
    write32(target, at + 4, (block.fractionLost << 24) | (block.cumulativeLost & 0xff_ffff));
    write32(target, at + 8, block.highestSequence);
    write32(target, at + 12, block.jitter);
    write32(target, at + 16, block.lastSenderReport);
    write32(target, at + 20, block.delaySinceLast);
  }
  return start + from + blocks.length * BLOCK_BYTES;
}

function head(target: Uint8Array, start: number, type: number, count: number): void {
  target[start] = 0x80 | count;
  target[start + 1] = type;
}

/** Length byte and text; answers the end. */
function writeText(text: string, target: Uint8Array, at: number): number {
  const bytes = Buffer.from(text, 'utf8').subarray(0, 255);
  target[at] = bytes.length;
  target.set(bytes, at + 1);
  return at + 1 + bytes.length;
}

/** NTP time of an epoch time: seconds since 1900, and 1/2^32 s. */
export function ntpOf(wallMs: number): { readonly ntpSeconds: number; readonly ntpFraction: number } {
  const seconds = Math.floor(wallMs / 1_000);
  return {
    ntpSeconds: (seconds + 2_208_988_800) % 0x1_0000_0000,
    ntpFraction: Math.floor(((wallMs - seconds * 1_000) / 1_000) * 0x1_0000_0000),
  };
}

/** Middle 32 bits of an NTP time: what reports give back as `lastSenderReport`. */
export const middleOfNtp = (ntpSeconds: number, ntpFraction: number): number =>
  (((ntpSeconds & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0;

/** Round trip in ms from a block about us that arrived at `wallMs`; null when the peer has no report of ours yet. */
export function roundTripMs(block: ReportBlock, wallMs: number): number | null {
  if (block.lastSenderReport === 0) return null;
  const { ntpSeconds, ntpFraction } = ntpOf(wallMs);
  const units = (middleOfNtp(ntpSeconds, ntpFraction) - block.lastSenderReport - block.delaySinceLast) | 0;
  return Math.max(0, (units * 1_000) / 65_536);
}
