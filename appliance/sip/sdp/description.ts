import type { SecureTransport } from './secure-transport.ts';

/** The sending sides, seen from the side that wrote it (RFC 3264 5.1). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface Address {
  readonly family: 4 | 6;
  /** IPv4 or IPv6 address without brackets, or a host name that the caller must resolve. */
  readonly host: string;
}

/** `o=`: whose session this is, and which edition of its description (RFC 8866 5.2). */
export interface Origin {
  readonly username: string;
  /** Digits; may be longer than a JavaScript number holds. */
  readonly sessionId: string;
  readonly version: string;
  readonly address: Address;
}

/** One payload type of an m-line. Known names are spelled as in `codec.ts`, others as they stood. */
export interface Codec {
  readonly payloadType: number;
  readonly name: string;
  /** Hz. */
  readonly clockRate: number;
  readonly channels: number;
  readonly fmtp?: string;
}

/** One `a=crypto` line we could use (RFC 4568); others never get this far. */
export interface CryptoLine {
  readonly tag: number;
  readonly suite: CryptoSuite;
  /** Master key (16 bytes) and salt (14 bytes). Never to be logged. */
  readonly key: Uint8Array;
}

export type CryptoSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32';

/** One m-line with all that belongs to it; session-level values are already handed down to it. */
export interface MediaDescription {
  /** `audio` for what we use; other kinds are kept so that they can be answered. */
  readonly kind: string;
  /** 0: rejected, or removed. */
  readonly port: number;
  /** `RTP/AVP`, `RTP/SAVP` … */
  readonly protocol: string;
  /** Format list as it stood. */
  readonly formats: readonly string[];
  readonly address?: Address;
  /** `c=0.0.0.0`, the hold of RFC 2543, is already expressed here. */
  readonly direction: Direction;
  readonly codecs: readonly Codec[];
  readonly ptimeMs?: number;
  readonly maxPtimeMs?: number;
  readonly crypto: readonly CryptoLine[];
  /** Port of `a=rtcp`, where it is not the port behind the RTP port (RFC 3605). */
  readonly rtcpPort?: number;
  readonly rtcpMux: boolean;
  /** RFC 4574; names the stream in recording metadata. */
  readonly label?: string;
  readonly mid?: string;
  /** ICE and DTLS of a WebRTC stream. */
  readonly transport?: SecureTransport;
  /** In the group of m-lines that share one transport (RFC 9143). */
  readonly bundled?: boolean;
}

export interface SessionDescription {
  /** Interop: absent when a peer's `o=` breaks the grammar; nothing of it is needed. */
  readonly origin?: Origin;
  readonly media: readonly MediaDescription[];
}

/** A description of our own always says whose it is. */
export interface LocalDescription extends SessionDescription {
  readonly origin: Origin;
}
