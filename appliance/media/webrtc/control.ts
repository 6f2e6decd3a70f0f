import type { Listeners } from '#shared/listeners.ts';
import type { Result } from '#shared/result.ts';
import type { IceCandidate } from './candidate.ts';
import type { WebRtcTransport } from './transport.ts';

/** Names one WebRTC connection; a media leg may have several, one after the other. */
export type WebRtcId = string;

export interface UdpAddress {
  readonly host: string;
  readonly port: number;
}

export interface WebRtcOpening {
  readonly id: WebRtcId;
  /** Where the media leg receives its plain RTP, RTCP on the same port; on this machine. */
  readonly leg: UdpAddress;
  /** The peer's side, when it has offered; without it we offer. */
  readonly remote?: WebRtcTransport;
  /** Show a certificate of its own: a peer that restarts ICE begins no new handshake for one it has seen (RFC 8842, 4). */
  readonly ownCertificate?: boolean;
}

export interface OpenWebRtc {
  /** Our side, for the description. */
  readonly local: WebRtcTransport;
  /** Where the media leg sends its plain RTP and RTCP to: its signalled peer. */
  readonly bridge: UdpAddress;
}

/** `Refused`: the peer's side cannot be; the reason says why. `Unknown`: no such connection. `Lost`: the thread died. */
export interface WebRtcFault {
  readonly code: 'Refused' | 'Unknown' | 'Failed' | 'Lost';
  readonly reason: string;
}

export type WebRtcEvent =
  /** ICE has a pair, the handshake is done, the peer is who its description says: audio may flow. */
  | { readonly kind: 'connected'; readonly id: WebRtcId }
  /** It did not come about, or ended: no pair, a foreign certificate, consent withdrawn, closed by the peer. */
  | { readonly kind: 'failed'; readonly id: WebRtcId; readonly reason: string };

export interface WebRtcFigures {
  /** Packets handed to the peer and to the leg. */
  readonly sent: number;
  readonly received: number;
  /** Not authentic, repeated, or malformed. */
  readonly rejected: number;
  /** From somewhere else than the leg, or before the keys were there. */
  readonly dropped: number;
}

/** WebRTC peers of ordinary media legs, as the runtime sees them. Each has a connection of its own. */
export interface WebRtc {
  /** Gathers our addresses; nothing is sent before `accept`. */
  open(opening: WebRtcOpening): Promise<Result<OpenWebRtc, WebRtcFault>>;
  /**
   * Both descriptions are out: connect. The peer's side is its answer to our offer, or the offer again that ours answers.
   * `connected` or `failed` follows. Once more with another peer: a fork of our offer that counts instead of the one before.
   */
  accept(id: WebRtcId, remote: WebRtcTransport): Promise<Result<undefined, WebRtcFault>>;
  /** Trickled by the peer. */
  addCandidate(id: WebRtcId, candidate: IceCandidate): Promise<Result<undefined, WebRtcFault>>;
  close(id: WebRtcId): Promise<Result<WebRtcFigures, WebRtcFault>>;
  readonly events: Listeners<[event: WebRtcEvent]>;
}

export interface WebRtcPorts {
  /** Connections of browsers to legs of the media engine; without it their calls are refused. */
  readonly webrtc?: WebRtc;
}
