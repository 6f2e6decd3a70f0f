/** Public face of sending alarms to receivers. */

export type { FrameCaller, FrameDestination } from './attempt/frame-line.ts';
export { type FormProfiles, nativeForm } from './order/native-form.ts';
export type { SendOrder } from './order/send-order.ts';
export { identityOf, targetOf } from './order/send-target.ts';
export { AlarmSending, type AlarmSendingDependencies, type Taken } from './sending.ts';
export type { Idempotency } from './session/active-sending.ts';
