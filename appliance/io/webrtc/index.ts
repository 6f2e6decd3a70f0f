/** Public face of WebRTC: peers of ordinary media legs. */
export { openWebRtc, type WebRtc, type WebRtcSetting } from './webrtc.ts';
export type {
  OpenWebRtc,
  UdpAddress,
  WebRtcEvent,
  WebRtcFault,
  WebRtcFigures,
  WebRtcId,
  WebRtcOpening,
} from './webrtc-message.ts';
