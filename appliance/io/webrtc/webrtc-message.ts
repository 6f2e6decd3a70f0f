import type { Result } from '#shared/result.ts';
import type { IceCandidate, WebRtcTransport } from '../../media/webrtc/index.ts';

/** Names one WebRTC leg; the name of the media leg behind it will do. */
export type WebRtcId = string;

export interface UdpAddress {
  readonly host: string;
  readonly port: number;
}

export interface WebRtcOpening {
  readonly id: WebRtcId;
  /** Where the media leg receives its plain RTP, RTCP on the same port; on this machine. */
  readonly leg: UdpAddress;
  /** The peer's side, when it has offered. Without it we offer, and `accept` brings its answer. */
  readonly remote?: WebRtcTransport;
}

export interface OpenWebRtc {
  /** Our side, for the description. */
  readonly local: WebRtcTransport;
  /** Where the media leg sends its plain RTP and RTCP to: its signalled peer. */
  readonly bridge: UdpAddress;
}

/** `Refused`: the peer's side cannot be; the reason says why. `Unknown`: no such leg. `Lost`: the thread died. */
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

export interface WebRtcThreadSetting {
  /** Ports of the ICE sockets; any without it. */
  readonly portRange?: readonly [number, number];
  /** Offered beside the addresses of the interfaces. */
  readonly extraHosts: readonly string[];
  readonly ipv6: boolean;
}

export type WebRtcCommand =
  | { readonly kind: 'open'; readonly opening: WebRtcOpening }
  | { readonly kind: 'accept'; readonly id: WebRtcId; readonly remote: WebRtcTransport }
  | { readonly kind: 'candidate'; readonly id: WebRtcId; readonly candidate: IceCandidate }
  | { readonly kind: 'close'; readonly id: WebRtcId }
  | { readonly kind: 'end' };

export type WebRtcAnswer = Result<OpenWebRtc | WebRtcFigures | undefined, WebRtcFault>;

export type WebRtcReport =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: WebRtcAnswer }
  | { readonly kind: 'event'; readonly event: WebRtcEvent };
