/** Public face of RTP: packets, statistics, jitter, RTCP, telephone-events, SRTP. */
export type { AesEcb } from './counter-mode.ts';
export { EventReceiver, type ReceivedEvent } from './event-receive.ts';
export { EventSender, type EventTick, type SendEvent } from './event-send.ts';
export {
  ADAPTIVE_JITTER,
  FIXED_JITTER,
  G711_FORM,
  GSM_FORM,
  JitterBuffer,
  type JitterCounters,
  type JitterSetting,
  type Kept,
  type PayloadForm,
  type Pulled,
} from './jitter-buffer.ts';
export { type Judged, Latch, type LatchRule } from './latch.ts';
export {
  isRtcp,
  RTP_HEADER_BYTES,
  type RtpFault,
  type RtpHeader,
  RtpPacket,
  writeRtpHeader,
} from './packet.ts';
export {
  middleOfNtp,
  ntpOf,
  type ReportBlock,
  type RtcpPacket,
  type RtcpPart,
  readRtcp,
  roundTripMs,
  writeRtcp,
} from './rtcp.ts';
export { type CryptoLine, inlineKey, readCrypto, type SrtpOffer } from './sdes.ts';
export { type Hmac, type HmacSha1, hmacSha1 } from './sha1.ts';
export { SRTCP_OVERHEAD, SrtcpReceiver, SrtcpSender } from './srtcp.ts';
export {
  SRTP_MALFORMED,
  SRTP_NOT_AUTHENTIC,
  SRTP_REPLAYED,
  SrtpReceiver,
  SrtpSender,
} from './srtp.ts';
export { MASTER_BYTES, type SrtpCrypto, type SrtpSuite, TAG_BYTES } from './srtp-key.ts';
export { type Arrival, type ReceptionReport, ReceptionStatistics } from './statistics.ts';
export {
  EVENT_BYTES,
  readTelephoneEvent,
  type TelephoneEvent,
  writeTelephoneEvent,
} from './telephone-event.ts';
