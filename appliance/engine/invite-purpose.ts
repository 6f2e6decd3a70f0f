import { addressFields, type CallControl, type CallRouter } from '../call/control/index.ts';
import { type CallPurpose, isEmergencyNumber } from '../call/session/index.ts';
import type { SipRequest } from '../sip/message/index.ts';

interface InvitePurposeDependencies {
  /** Whether calls to this user are alarms. */
  readonly isAlarm: (user: string) => boolean;
  readonly calls: Pick<CallControl, 'claims'>;
  readonly router: Pick<CallRouter, 'deviceCaller'>;
}

/**
 * The purpose of a call as far as its INVITE shows it, before its sender is known: a host that is drained asks it. A call
 * that an alarm waits for is part of that alarm, whatever address the device dials.
 */
export function invitePurpose(
  request: SipRequest,
  { isAlarm, calls, router }: InvitePurposeDependencies,
): CallPurpose {
  const user = addressFields(request.uriText)?.user ?? '';
  if (isAlarm(user)) return 'alarm';
  const fromUser = addressFields(request.from.uriText)?.user ?? '';
  if (calls.claims(request, router.deviceCaller(fromUser)) !== undefined) return 'alarm';
  return isEmergencyNumber(user) ? 'emergency' : 'ordinary';
}
