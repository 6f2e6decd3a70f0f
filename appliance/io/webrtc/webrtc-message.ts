import type { Result } from '#shared/result.ts';
import type {
  IceCandidate,
  OpenWebRtc,
  WebRtcEvent,
  WebRtcFault,
  WebRtcFigures,
  WebRtcId,
  WebRtcOpening,
  WebRtcTransport,
} from '../../media/webrtc/index.ts';

export interface WebRtcThreadSetting {
  /** Ports of the ICE sockets; any without it. */
  readonly ports?: { readonly from: number; readonly to: number };
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
