import type {
  Address,
  Codec,
  CryptoSuite,
  Direction,
  LocalDescription,
  SessionDescription,
} from './description.ts';
import type { SecureTransport } from './secure-transport.ts';

/** SRTP of one stream: keys of both directions (16 bytes key, 14 bytes salt each). Never to be logged. */
export interface StreamSecurity {
  readonly suite: CryptoSuite;
  readonly sendKey: Uint8Array;
  readonly receiveKey: Uint8Array;
}

/** A format that both may send: each by the number the other has given it. */
export interface Numbers {
  readonly send: number;
  readonly receive: number;
}

/** One audio stream both sides agree on: what a media leg needs to know. */
export interface Stream {
  /** Index into `SessionPlan.legs`. */
  readonly leg: number;
  readonly protocol: string;
  readonly remote: Address & { readonly port: number; readonly rtcpPort: number };
  readonly rtcpMux: boolean;
  /** Seen from us: `recvonly` when the peer holds. */
  readonly direction: Direction;
  /** The voice codec to send, with the peer's payload type. */
  readonly send: Codec;
  /** Voice codecs that may arrive, with our payload types. */
  readonly receive: readonly Codec[];
  /** `digits`: those of `0-9*#A-D` the peer takes. */
  readonly telephoneEvent?: Numbers & { readonly digits: string };
  /** Numbers of the peer under which events are heard, though it has not described them. */
  readonly guessedEvents?: readonly number[];
  readonly comfortNoise?: Numbers;
  /** Packet length the peer asks for. */
  readonly ptimeMs?: number;
  readonly maxPtimeMs?: number;
  readonly srtp?: StreamSecurity;
  /** The peer's side of a WebRTC stream: its audio goes there, not to `remote`. */
  readonly transport?: SecureTransport;
  readonly label?: string;
}

/** The result of an offer and its answer. `streams[i]` belongs to m-line i; null: rejected, removed or not ours. */
export interface Agreement {
  readonly local: LocalDescription;
  readonly remote: SessionDescription;
  readonly streams: readonly (Stream | null)[];
}
