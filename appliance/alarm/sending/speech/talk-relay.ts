import { addressUserOf } from '#shared/address-user.ts';
import type { DigitRelay } from '../../../media/control/index.ts';
import type { AttemptPlan } from '../attempt/attempt.ts';

/**
 * Protocols whose centres say commands in tones: the machine of the sender reads them, and the device must not hear
 * them.
 */
const SAYS_TONES: readonly string[] = ['bs8521', 'tt92', 'ttnew'];

/** How digits pass between device (a) and receiver (b). */
export function relayOf({ order, target }: AttemptPlan, deviceProtocol: string | undefined) {
  const { transparent, tones } = order.voice;
  if (transparent) return {};
  const as = (form: 'inaudio' | '2833'): DigitRelay => ({ as: form === '2833' ? 'rfc4733' : 'inband' });
  const isRead =
    SAYS_TONES.includes(target.protocol) ||
    (target.protocol === 'scaip' && deviceProtocol !== undefined && deviceProtocol !== 'scaip');
  const toDevice: DigitRelay = isRead ? { as: 'none' } : as(tones.towardsDevice);
  return { aToB: as(tones.towardsReceiver), bToA: toDevice };
}

/** The device sees who wants to speak with it: the receiver's number. */
export const providerUser = (plan: AttemptPlan): string =>
  addressUserOf(plan.address.destination) || plan.address.from.user;

/** Numbers that a receiver may call back: the one its alarm came from, the caller id that it got, the device. */
export function numbersOf({ address, order }: Pick<AttemptPlan, 'address' | 'order'>): readonly string[] {
  const { callerId } = order.event;
  return [
    address.from.user,
    callerId === undefined ? undefined : addressUserOf(callerId),
    order.callingParty,
  ].flatMap((name) => (name === undefined || name === '' ? [] : [name.toLowerCase()]));
}

/** Speech should run and does not: an alarm of the platform reports it. */
export const speechAlarm = (
  { id, order }: AttemptPlan,
  error: 'callLost' | 'destinationUnreached' | 'voiceCallMissing',
  reason: string,
  destination: string,
) => ({
  type: 'serviceAlarm' as const,
  error,
  errorDetails: { reason, destination },
  sessionId: id,
  ...(order.deviceId !== undefined && { deviceId: order.deviceId }),
  ...(order.bridgeId !== undefined && { alarmBridgeId: order.bridgeId }),
});
