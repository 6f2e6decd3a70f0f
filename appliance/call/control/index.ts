/** Public face of the calls at work. */

export type { ActiveCall } from './active-call.ts';
export { addressFields } from './address-fields.ts';
export type { CallArrival } from './call-arrival.ts';
export { CallControl } from './call-control.ts';
export type {
  ApplicationCall,
  CallControlDependencies,
  PlacedCall,
  ReceivedCall,
} from './call-control-port.ts';
export type { CallOrigin } from './call-origin.ts';
export { CallRouter } from './call-router.ts';
export { bridgeDialPlan, type DialPlan } from './dial-plan.ts';
export { insideLine, isInside } from './inside-line.ts';
export { InviteRate, type InviteRates } from './invite-rate.ts';
export { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from './leg-media.ts';
export { CALL_METHODS } from './leg-opener.ts';
export { LegTable } from './leg-table.ts';
export type { Oddity } from './signalling-port.ts';
export type { SipLeg, SipLegUser } from './sip-leg.ts';
export type { CallTarget, TargetGroups } from './target-resolver.ts';
