/** Public face of WebRTC: peers of ordinary media legs. */
export { type OpenedWebRtc, openWebRtc, type WebRtcSetting } from './webrtc.ts';
