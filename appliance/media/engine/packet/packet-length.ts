import { FRAME_MS, FRAME_SAMPLES } from '../../audio/index.ts';
import type { LegProfile, LegStream } from '../../control/index.ts';
import { formOf, KIND_OF } from './payload.ts';

/** RFC 3551 4.2: no peer need take longer ones. */
export const LONGEST_PACKET_MS = 200;
/** Chosen: a shorter limit than this would cost a peer and us more than 200 packets a second. */
const SHORTEST_PACKET_MS = 5;
/** Chosen: tones of a handshake wait no longer than this for the rest of their packet, whatever the device asks for. */
const LONGEST_MS: Readonly<Record<LegProfile, number>> = { alarm: 60, ordinary: LONGEST_PACKET_MS };
const USUAL_MS = FRAME_MS;

type Asked = Pick<LegStream, 'send' | 'ptimeMs' | 'maxPtimeMs'>;

/** Payload bytes of our packets to this peer: as long as it asks for, never longer than it takes (RFC 8866 6.4). */
export function packetBytesOf(stream: Asked, profile: LegProfile = 'ordinary'): number {
  const { ptimeMs = USUAL_MS, maxPtimeMs = LONGEST_PACKET_MS } = stream;
  const ms = Math.floor(Math.min(ptimeMs, maxPtimeMs, LONGEST_MS[profile]));
  return bytesOf(stream, Math.max(SHORTEST_PACKET_MS, ms));
}

/** Payload bytes of the longest packet that the peer takes. */
export const mostBytesOf = (stream: Asked): number =>
  bytesOf(
    stream,
    Math.max(SHORTEST_PACKET_MS, Math.min(stream.maxPtimeMs ?? LONGEST_PACKET_MS, LONGEST_PACKET_MS)),
  );

function bytesOf({ send: { codec } }: Asked, ms: number): number {
  const { frameBytes, divisible } = formOf(KIND_OF[codec]);
  if (divisible) return Math.floor((ms * FRAME_SAMPLES) / FRAME_MS);
  return Math.max(1, Math.floor(ms / FRAME_MS)) * frameBytes;
}
