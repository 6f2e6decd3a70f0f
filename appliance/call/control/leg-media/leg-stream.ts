import type { LegStream, NumberedCodec } from '../../../media/control/index.ts';
import type { Codec, Stream } from '../../../sip/sdp/index.ts';
import type { LegPolicy } from './leg-policy.ts';

/**
 * Chosen: ports of the addresses that description and SIP come from may take a leg by default (RFC 4961): a NAT that translates ports
 * shows no other. A private address in the description lets in no third one. Any address may with `forceRtpRelay`, or where SRTP
 * authenticates each packet; none where the peer is in a VPN, or comes by a WebRTC connection.
 */
const latchingOf = (
  { policy, sipSource }: { readonly policy: LegPolicy; readonly sipSource: string },
  stream: Stream,
  { host }: LegStream['remote'],
): Pick<LegStream, 'latching' | 'latchHosts'> =>
  policy.useVPNConnection || stream.transport !== undefined
    ? { latching: false }
    : { latching: policy.forceRtpRelay || stream.srtp !== undefined, latchHosts: [host, sipSource] };

/**
 * The result of offer and answer, as the media engine takes it. `remote`: numeric, the peer or our end of its WebRTC
 * connection.
 */
export function legStreamOf(
  plan: { readonly policy: LegPolicy; readonly sipSource: string },
  stream: Stream,
  remote: LegStream['remote'],
): LegStream {
  const { rtcpMux, direction, send, receive, telephoneEvent, guessedEvents, comfortNoise } = stream;
  const { ptimeMs, maxPtimeMs, srtp } = stream;
  return {
    remote,
    rtcpMux,
    direction,
    send: numbered(send),
    receive: receive.map(numbered),
    ...latchingOf(plan, stream, remote),
    ...(telephoneEvent !== undefined && { telephoneEvent }),
    ...(guessedEvents !== undefined && { guessedEvents }),
    ...(comfortNoise !== undefined && { comfortNoise }),
    ...(ptimeMs !== undefined && { ptimeMs }),
    ...(maxPtimeMs !== undefined && { maxPtimeMs }),
    ...(srtp !== undefined && { srtp }),
  };
}

/** The sdp face lets only codecs we speak through. */
const numbered = ({ payloadType, name }: Codec): NumberedCodec => ({
  payloadType,
  codec: name as NumberedCodec['codec'],
});
