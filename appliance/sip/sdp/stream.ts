import { ok, type Result } from '#shared/result.ts';
import type { Numbers, Stream, StreamSecurity } from './agreement.ts';
import { digitsOf, findFormat, guessedEventTypes, isVoice } from './codec.ts';
import type { Codec, Direction, MediaDescription } from './description.ts';
import { refuse, type SdpRefusal } from './refusal.ts';

/** The stream of two m-lines that belong together; `voice` are the peer's voice codecs we share, first one to send. */
export function streamOf(
  leg: number,
  ours: MediaDescription,
  theirs: MediaDescription,
  voice: readonly Codec[],
  direction: Direction,
  srtp: StreamSecurity | undefined,
): Result<Stream, SdpRefusal> {
  const [send] = voice;
  const { address } = theirs;
  if (send === undefined) return refuse('NoCodec', 'no voice codec in common');
  if (address === undefined) return refuse('NoAddress', 'no address to send to');
  // RFC 5761 5.1.1: only when both say so.
  const rtcpMux = ours.rtcpMux && theirs.rtcpMux;
  const event = pair(ours, theirs, 'telephone-event');
  const noise = pair(ours, theirs, 'CN');
  const guessedEvents = event === undefined ? guessedEventTypes(theirs.formats, theirs.codecs) : [];
  const eventFormat = findFormat(theirs.codecs, 'telephone-event')?.fmtp;
  return ok({
    leg,
    protocol: ours.protocol,
    remote: { ...address, port: theirs.port, rtcpPort: rtcpPortOf(theirs, rtcpMux) },
    rtcpMux,
    direction,
    send,
    receive: ours.codecs.filter(isVoice),
    ...(event === undefined ? {} : { telephoneEvent: { ...event, digits: digitsOf(eventFormat) } }),
    ...(guessedEvents.length === 0 ? {} : { guessedEvents }),
    ...(noise === undefined ? {} : { comfortNoise: noise }),
    ...(theirs.ptimeMs === undefined ? {} : { ptimeMs: theirs.ptimeMs }),
    ...(theirs.maxPtimeMs === undefined ? {} : { maxPtimeMs: theirs.maxPtimeMs }),
    ...(srtp === undefined ? {} : { srtp }),
    ...(ours.transport === undefined || theirs.transport === undefined
      ? {}
      : { transport: theirs.transport }),
    ...(theirs.label === undefined ? {} : { label: theirs.label }),
  });
}

function pair(
  ours: MediaDescription,
  theirs: MediaDescription,
  name: 'CN' | 'telephone-event',
): Numbers | undefined {
  const send = findFormat(theirs.codecs, name)?.payloadType;
  const receive = findFormat(ours.codecs, name)?.payloadType;
  return send === undefined || receive === undefined ? undefined : { send, receive };
}

const rtcpPortOf = ({ port, rtcpPort }: MediaDescription, rtcpMux: boolean): number =>
  rtcpMux ? port : (rtcpPort ?? port + 1);
