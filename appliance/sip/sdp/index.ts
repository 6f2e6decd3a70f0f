/** Public face of session descriptions: text to values and back, offers and answers as pure functions. */
export type { Agreement, Numbers, Stream, StreamSecurity } from './agreement.ts';
export { answerOffer } from './answer.ts';
export type { CodecName } from './codec.ts';
export type {
  Address,
  Codec,
  CryptoLine,
  CryptoSuite,
  Direction,
  LocalDescription,
  MediaDescription,
  Origin,
  SessionDescription,
} from './description.ts';
export { formatSdp } from './format.ts';
export { ICE_FRAGMENT, type IceFragment, readIceFragment } from './ice-fragment.ts';
export type { SdpLimit } from './limit.ts';
export { type BodyPart, bodyParts, SDP, sessionBody, type WrittenPart, writeParts } from './multipart.ts';
export { acceptAnswer, createOffer } from './offer.ts';
export type { LegPlan, SessionPlan } from './plan.ts';
export { parseSdp } from './read.ts';
export { refuse, type SdpFault, type SdpRefusal, warningOf } from './refusal.ts';
export { MOST_CANDIDATES, type SecureTransport } from './secure-transport.ts';
export type { SrtpPolicy } from './security.ts';
