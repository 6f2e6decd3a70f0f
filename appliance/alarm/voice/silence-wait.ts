import type { ProtocolEvent } from '../protocol/index.ts';
import { protocolOf, type ToneCall } from '../protocol/tone/index.ts';

/**
 * How long a device must have been quiet before its call is cleared, ms. Contact ID sends message after message, each as soon as
 * the one before is acknowledged (DC-05); after an alarm with speech it listens. 0: what it had to say is said.
 */
export function quietWaitMs(tone: ToneCall | undefined, last: ProtocolEvent | undefined): number {
  if (tone === undefined || last?.offer.voice !== false) return 0;
  const { profile } = protocolOf(tone);
  return 'idleHangUpMs' in profile && typeof profile.idleHangUpMs === 'number' ? profile.idleHangUpMs : 0;
}
