import type { LegStream, NumberedCodec } from '../../../media/control/index.ts';
import type { Codec, Stream } from '../../../sip/sdp/index.ts';
import { mayLatch } from './address.ts';
import type { LegPolicy } from './leg-policy.ts';

/** What offer and answer have settled, as the media engine takes it. `remote`: numeric, the peer or our end of its WebRTC connection. */
export function legStreamOf(
  { policy, sipSource }: { readonly policy: LegPolicy; readonly sipSource: string },
  stream: Stream,
  remote: LegStream['remote'],
): LegStream {
  const { rtcpMux, direction, send, receive, telephoneEvent, comfortNoise, ptimeMs, maxPtimeMs, srtp } =
    stream;
  const bridged = stream.transport !== undefined;
  const mayMove = !policy.useVPNConnection && !bridged;
  return {
    remote,
    rtcpMux,
    direction,
    send: numbered(send),
    receive: receive.map(numbered),
    latching: mayMove && mayLatch(remote.host, sipSource, policy.forceRtpRelay),
    ...(telephoneEvent !== undefined && { telephoneEvent }),
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
