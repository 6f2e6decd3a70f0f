import { BoundedMap } from '#shared/bounded-map.ts';
import { RTP_HEADER_BYTES, RtpPacket } from './packet.ts';
import { ReplayWindow } from './replay-window.ts';
import { SHA1_BYTES } from './sha1.ts';
import { deriveKey, type SessionKey, type SrtpCrypto, type SrtpSuite, TAG_BYTES } from './srtp-key.ts';

/** Why a packet was not unprotected; `unprotect` answers these numbers. */
export const SRTP_MALFORMED = -1;
export const SRTP_REPLAYED = -2;
export const SRTP_NOT_AUTHENTIC = -3;

const SEQUENCES = 0x1_0000;
/** Streams of one key whose state is kept; a peer that changes its SSRC more often begins again. */
const MOST_STREAMS = 8;

/** Sends: encrypts and signs RTP packets of one master key. */
export class SrtpSender {
  readonly #key: SessionKey;
  readonly #tagBytes: number;
  readonly #packet = new RtpPacket();
  readonly #tag = new Uint8Array(SHA1_BYTES);
  /** Highest index sent, by SSRC; the last one beside it, since they hardly ever change. */
  readonly #highest = new Map<number, number>();
  #ssrc = -1;
  #last = -1;

  /** @param master key and salt, 30 bytes */
  constructor(suite: SrtpSuite, master: Uint8Array, crypto: SrtpCrypto) {
    this.#key = deriveKey(master, 'rtp', crypto);
    this.#tagBytes = TAG_BYTES[suite];
  }

  /** Protects the packet in place; `bytes` needs room for the tag. Answers its new length, or a negative reason. */
  protect(bytes: Uint8Array, length: number): number {
    const packet = this.#packet;
    if (packet.read(bytes, length) !== null) return SRTP_MALFORMED;
    if (length + this.#tagBytes > bytes.length) return SRTP_MALFORMED;
    const { ssrc } = packet;
    if (ssrc !== this.#ssrc) this.#change(ssrc);
    const index = guessIndex(this.#last, packet.sequence);
    if (index > this.#last) this.#last = index;
    this.#key.cipher.apply(bytes, packet.payloadOffset, length - packet.payloadOffset, ssrc, index);
    this.#key.hmac(bytes, length, rolloverOf(index), this.#tag);
    for (let i = 0; i < this.#tagBytes; i++) bytes[length + i] = this.#tag[i] ?? 0;
    return length + this.#tagBytes;
  }

  #change(ssrc: number): void {
    if (this.#last >= 0) this.#highest.set(this.#ssrc, this.#last);
    this.#ssrc = ssrc;
    this.#last = this.#highest.get(ssrc) ?? -1;
  }
}

/**
 * Receives: authenticates, then decrypts RTP packets of one master key.
 *
 * ```
 *   packet --index by half window--> replay? --tag--> state of this SSRC changes, payload in the clear
 *                                      |        |
 *                                   REPLAYED  NOT_AUTHENTIC      nothing changes
 * ```
 * One state per SSRC: highest index and the last 128. It begins with the first authentic packet, with rollover counter 0;
 * since some telephones keep counting when they change SSRC on hold, and a stream may be joined late, the neighbours of 0
 * and of the counter of the last stream are tried once for a first packet. A new description with the same key keeps
 * this object and so the counters.
 */
export class SrtpReceiver {
  readonly #key: SessionKey;
  readonly #tagBytes: number;
  readonly #packet = new RtpPacket();
  readonly #tag = new Uint8Array(SHA1_BYTES);
  readonly #streams = new BoundedMap<number, ReplayWindow>(MOST_STREAMS);
  /** The stream of the last packet, which is that of the next one as a rule. */
  #ssrc = -1;
  #stream: ReplayWindow | undefined;
  #lastRollover = 0;

  /** @param master key and salt, 30 bytes */
  constructor(suite: SrtpSuite, master: Uint8Array, crypto: SrtpCrypto) {
    this.#key = deriveKey(master, 'rtp', crypto);
    this.#tagBytes = TAG_BYTES[suite];
  }

  /** Unprotects the packet in place; answers its new length, or a negative reason. */
  unprotect(bytes: Uint8Array, length: number): number {
    const packet = this.#packet;
    const signed = length - this.#tagBytes;
    if (signed < RTP_HEADER_BYTES || length > bytes.length) return SRTP_MALFORMED;
    // Padding is encrypted: only the header can be read before.
    const fault = packet.read(bytes, signed);
    if (fault !== null && fault !== 'padding') return SRTP_MALFORMED;
    const known = packet.ssrc === this.#ssrc ? this.#stream : this.#streams.get(packet.ssrc);
    const index = known === undefined ? this.#first(bytes, length) : this.#next(known, bytes, length);
    if (index < 0) return index;
    this.#key.cipher.apply(bytes, packet.payloadOffset, signed - packet.payloadOffset, packet.ssrc, index);
    const stream = known ?? this.#begin(packet.ssrc);
    this.#ssrc = packet.ssrc;
    this.#stream = stream;
    stream.mark(index);
    this.#lastRollover = rolloverOf(index);
    return signed;
  }

  #next(stream: ReplayWindow, bytes: Uint8Array, length: number): number {
    const index = guessIndex(stream.highest, this.#packet.sequence);
    if (stream.check(index) !== 'new') return SRTP_REPLAYED;
    return this.#isAuthentic(bytes, length, rolloverOf(index)) ? index : SRTP_NOT_AUTHENTIC;
  }

  #first(bytes: Uint8Array, length: number): number {
    const last = this.#lastRollover;
    for (const rollover of new Set([0, 1, last, last - 1, last + 1])) {
      if (rollover >= 0 && this.#isAuthentic(bytes, length, rollover)) {
        return rollover * SEQUENCES + this.#packet.sequence;
      }
    }
    return SRTP_NOT_AUTHENTIC;
  }

  #begin(ssrc: number): ReplayWindow {
    const stream = new ReplayWindow();
    this.#streams.set(ssrc, stream);
    return stream;
  }

  #isAuthentic(bytes: Uint8Array, length: number, rollover: number): boolean {
    const signed = length - this.#tagBytes;
    this.#key.hmac(bytes, signed, rollover, this.#tag);
    return sameTag(this.#tag, bytes, signed, this.#tagBytes);
  }
}

/**
 * Index of a packet from its sequence number: the one nearest to the highest seen (RFC 3711, 3.3.1 and appendix A).
 *
 * @param highest highest index of the stream, negative before the first
 */
function guessIndex(highest: number, sequence: number): number {
  if (highest < 0) return sequence;
  const rollover = rolloverOf(highest);
  const last = highest % SEQUENCES;
  if (last < SEQUENCES / 2) {
    const behind = sequence - last > SEQUENCES / 2 && rollover > 0;
    return (behind ? rollover - 1 : rollover) * SEQUENCES + sequence;
  }
  return (last - SEQUENCES / 2 > sequence ? rollover + 1 : rollover) * SEQUENCES + sequence;
}

/** Rollover counter of an index. */
const rolloverOf = (index: number): number => Math.floor(index / SEQUENCES) % 0x1_0000_0000;

/** Compares in the same time whatever differs. */
export function sameTag(tag: Uint8Array, bytes: Uint8Array, at: number, length: number): boolean {
  let difference = 0;
  for (let i = 0; i < length; i++) difference |= (tag[i] ?? 0) ^ (bytes[at + i] ?? 0);
  return difference === 0;
}
