import { BoundedMap } from '#shared/bounded-map.ts';
import { read32, write32 } from './packet.ts';
import { ReplayWindow } from './replay-window.ts';
import { SHA1_BYTES } from './sha1.ts';
import { SRTP_MALFORMED, SRTP_NOT_AUTHENTIC, SRTP_REPLAYED, sameTag } from './srtp.ts';
import { deriveKey, RTCP_TAG_BYTES, type SessionKey, type SrtpCrypto } from './srtp-key.ts';

/** First header and SSRC stay in the clear (RFC 3711, 3.4). */
const CLEAR_BYTES = 8;
/** E flag and index, between packet and tag. */
const INDEX_BYTES = 4;
const ENCRYPTED = 0x8000_0000;
const MOST_STREAMS = 8;

/** The bytes that SRTCP adds to a packet. */
export const SRTCP_OVERHEAD = INDEX_BYTES + RTCP_TAG_BYTES;

/**
 * SRTCP of one master key and direction (RFC 3711, 3.4).
 *
 * ```
 *   | header, SSRC | encrypted … | E + index (31 bits) | tag (10 bytes) |
 *   |<----------------- authenticated ---------------->|
 * ```
 */
export class SrtcpSender {
  readonly #key: SessionKey;
  readonly #tag = new Uint8Array(SHA1_BYTES);
  #index = 0;

  constructor(master: Uint8Array, crypto: SrtpCrypto) {
    this.#key = deriveKey(master, 'rtcp', crypto);
  }

  /** Protects a compound packet in place; answers its new length, or a negative reason. */
  protect(bytes: Uint8Array, length: number): number {
    if (length < CLEAR_BYTES || length + SRTCP_OVERHEAD > bytes.length) return SRTP_MALFORMED;
    this.#index = (this.#index + 1) % ENCRYPTED;
    this.#key.cipher.apply(bytes, CLEAR_BYTES, length - CLEAR_BYTES, read32(bytes, 4), this.#index);
    write32(bytes, length, this.#index + ENCRYPTED);
    const signed = length + INDEX_BYTES;
    this.#key.hmac(bytes, signed, null, this.#tag);
    for (let i = 0; i < RTCP_TAG_BYTES; i++) bytes[signed + i] = this.#tag[i] ?? 0;
    return signed + RTCP_TAG_BYTES;
  }
}

export class SrtcpReceiver {
  readonly #key: SessionKey;
  readonly #tag = new Uint8Array(SHA1_BYTES);
  readonly #streams = new BoundedMap<number, ReplayWindow>(MOST_STREAMS);

  constructor(master: Uint8Array, crypto: SrtpCrypto) {
    this.#key = deriveKey(master, 'rtcp', crypto);
  }

  /** Unprotects a compound packet in place; answers its new length, or a negative reason. Unencrypted packets are taken. */
  unprotect(bytes: Uint8Array, length: number): number {
    const signed = length - RTCP_TAG_BYTES;
    const clear = signed - INDEX_BYTES;
    if (clear < CLEAR_BYTES || length > bytes.length) return SRTP_MALFORMED;
    const ssrc = read32(bytes, 4);
    const word = read32(bytes, clear);
    const index = word % ENCRYPTED;
    const stream = this.#streams.get(ssrc);
    if (stream !== undefined && stream.check(index) !== 'new') return SRTP_REPLAYED;
    this.#key.hmac(bytes, signed, null, this.#tag);
    if (!sameTag(this.#tag, bytes, signed, RTCP_TAG_BYTES)) return SRTP_NOT_AUTHENTIC;
    if (word >= ENCRYPTED) this.#key.cipher.apply(bytes, CLEAR_BYTES, clear - CLEAR_BYTES, ssrc, index);
    (stream ?? this.#begin(ssrc)).mark(index);
    return clear;
  }

  #begin(ssrc: number): ReplayWindow {
    const stream = new ReplayWindow();
    this.#streams.set(ssrc, stream);
    return stream;
  }
}
