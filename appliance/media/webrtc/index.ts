/** Public face of what WebRTC adds to a leg: values and small decisions; ICE and DTLS themselves are in `io/webrtc`. */
export { type CandidateKind, type IceCandidate, readCandidate, writeCandidate } from './candidate.ts';
export type {
  OpenWebRtc,
  UdpAddress,
  WebRtc,
  WebRtcEvent,
  WebRtcFault,
  WebRtcFigures,
  WebRtcId,
  WebRtcOpening,
  WebRtcPorts,
} from './control.ts';
export { kindOf, type PacketKind } from './demultiplex.ts';
export {
  type Fingerprint,
  type FingerprintAlgorithm,
  isCertificateOf,
  readFingerprint,
  writeFingerprint,
} from './fingerprint.ts';
export {
  answeredSetup,
  type DescribedTransport,
  type DtlsSetup,
  describeTransport,
  readTransport,
  type WebRtcTransport,
} from './transport.ts';
