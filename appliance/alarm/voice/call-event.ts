import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';

/**
 * Chosen: the event of a call that cannot be stored is tried so often, so far apart; then the call is ended, so that its device calls
 * again or goes to its next receiver. Whoever is on the line hears nothing meanwhile.
 */
export const MOST_UNSTORED = 3;
export const UNSTORED_MS = 2_000;

/** The event that a call is by itself (decisions 3): nobody knows what it says, but somebody is on the line. */
export function callEvent(
  protocol: string,
  callingParty: string,
  heard: string,
  warnings: readonly string[],
  onTheLine: boolean,
): ProtocolEvent {
  const event: AlarmEvent = {
    controllerId: callingParty === '' ? '0' : callingParty,
    deviceType: { native: null, send: 'unknown', receive: null },
    statusCode: { native: null, send: 'alarm', receive: 'alarm' },
    audio: onTheLine ? 'duplex' : 'none',
    priority: 0,
    ...(callingParty !== '' && { callerId: callingParty }),
  };
  return {
    ordinal: 0,
    kind: 'first',
    event,
    source: {
      protocol,
      raw: heard,
      fields: { callingParty },
      check: { policy: 'none', result: 'notChecked' },
      warnings,
    },
    offer: { voice: onTheLine },
  };
}
