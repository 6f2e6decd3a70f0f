import { parseSdp, type SecureTransport, type SessionDescription } from '../../../sip/sdp/index.ts';

const DTLS = 'UDP/TLS/';

/** The peer's side of a WebRTC stream, when it offers one. */
export const webRtcIn = ({ media }: SessionDescription): SecureTransport | undefined =>
  media.find(({ kind, port, protocol }) => kind === 'audio' && port > 0 && protocol.startsWith(DTLS))
    ?.transport;

/** Few offers are of this kind; the others are read but once. */
export function webRtcOf(sdp: Uint8Array): SecureTransport | undefined {
  const offer = Buffer.from(sdp).includes(DTLS) ? parseSdp(sdp) : undefined;
  return offer?.ok === true ? webRtcIn(offer.value) : undefined;
}
