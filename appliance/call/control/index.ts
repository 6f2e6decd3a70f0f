/** Public face of the calls at work. */

export type { ActiveCall } from './call-case.ts';
export { CallControl } from './call-desk.ts';
export type {
  ApplicationCall,
  CallArrival,
  CallControlDependencies,
  PlacedCall,
  ReceivedCall,
} from './call-desk-face.ts';
export type { CallOrigin } from './call-origin.ts';
export { CallRouter } from './call-router.ts';
export { bridgeDialPlan, type DialPlan } from './dial-wish.ts';
export { insideLine, isInside } from './inside-line.ts';
export { InviteRate, type InviteRates } from './invite-rate.ts';
export { LegTable } from './leg-book.ts';
export { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from './leg-media.ts';
export { CALL_METHODS } from './leg-opener.ts';
export { addressFields } from './refer-book.ts';
export type { Oddity } from './signalling-face.ts';
export type { SipLeg } from './sip-leg.ts';
export type { SipLegUser } from './sip-leg-face.ts';
export type { CallTarget, TargetGroups } from './target-desk.ts';
