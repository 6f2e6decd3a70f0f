import type { CodecName } from './codec.ts';
import type { Address, Direction, Origin } from './description.ts';
import type { SecureTransport } from './secure-transport.ts';
import type { SrtpPolicy } from './security.ts';

/** The plan of one leg of ours: one audio stream. */
export interface LegPlan {
  readonly address: Address;
  /** RTP port, even. */
  readonly port: number;
  /** Voice codecs we take, the best first; in an answer the offer's order goes before ours. */
  readonly codecs: readonly CodecName[];
  /** Goes first also in answers where the peer would have another one first. */
  readonly preferredCodec?: CodecName;
  /** The only voice codec allowed (`codecLimit`). */
  readonly codecLimit?: CodecName;
  /** The wanted direction; `sendonly` or `inactive` hold the peer. */
  readonly direction: Direction;
  readonly comfortNoise?: boolean;
  /** RFC 4574. */
  readonly label?: string;
  /** Our side of a WebRTC stream: offered as such, and the answer to one. */
  readonly transport?: SecureTransport;
}

/** Everything our side decides before it offers or answers. */
export interface SessionPlan {
  /** `sessionId`: digits, one for the life of the session. */
  readonly origin: Omit<Origin, 'version'>;
  readonly srtp: SrtpPolicy;
  /** Does every signalling message to this peer travel by TLS (or WSS)? */
  readonly secureSignalling: boolean;
  /** 30 random bytes: SRTP master key and salt. */
  readonly newKey: () => Uint8Array;
  /** In the order in which audio streams get them. */
  readonly legs: readonly LegPlan[];
}

/**
 * Packet lengths of our descriptions, ms: the one we like best, and the longest one that our media engine takes (RFC 3551 4.2 wants
 * 0 to 200 ms of every receiver).
 */
export const PACKET_LENGTHS = { ptimeMs: 20, maxPtimeMs: 200 } as const;

/** The codecs of a leg that its limit leaves over. */
export const allowedCodecs = ({ codecs, codecLimit }: LegPlan): readonly CodecName[] =>
  codecLimit === undefined ? codecs : codecs.filter((codec) => codec === codecLimit);
