/** Public face of sending alarms to receivers. */

export type { Idempotency } from './active-sending.ts';
export type { FrameCaller, FrameDestination } from './frame-line.ts';
export { type FormProfiles, nativeForm } from './native-form.ts';
export type { SendOrder } from './send-order.ts';
export { identityOf, targetOf } from './send-target.ts';
export { AlarmSending, type AlarmSendingDependencies, type Taken } from './sending.ts';
