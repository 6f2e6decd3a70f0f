import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';

/** The event that a call is by itself (decisions 3): its content is unknown, but a person is on the line. */
export function callEvent(
  protocol: string,
  callingParty: string,
  received: string,
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
      raw: received,
      fields: { callingParty },
      check: { policy: 'none', result: 'notChecked' },
      warnings,
    },
    offer: { voice: onTheLine },
  };
}
