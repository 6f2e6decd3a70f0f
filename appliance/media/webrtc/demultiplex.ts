/** The protocols that share the one port of a WebRTC leg. */
export type PacketKind = 'stun' | 'dtls' | 'rtp' | 'rtcp' | 'other';

/**
 * By the first byte, RTP and RTCP also by the second (RFC 7983, 7; RFC 5761, 4).
 *
 * ```
 *   0–3 STUN   16–19 ZRTP   20–63 DTLS   64–79 TURN channel   128–191 RTP, RTCP
 * ```
 */
export function kindOf(packet: Uint8Array): PacketKind {
  const [first = 255, second = 0] = packet;
  if (first <= 3) return 'stun';
  if (first >= 20 && first <= 63) return 'dtls';
  if (first < 128 || first > 191) return 'other';
  return second >= 192 && second <= 223 ? 'rtcp' : 'rtp';
}
