/** Public face of the calls at work. */

export type { ActiveCall } from './active-call/active-call.ts';
export type { CallArrival } from './active-call/call-arrival.ts';
export type {
  ApplicationCall,
  CallControlDependencies,
  PlacedCall,
  ReceivedCall,
} from './active-call/call-control-port.ts';
export { CallControl } from './call-control.ts';
export { CALL_METHODS } from './dialling/leg-opener.ts';
export { type AlarmCaller, type AlarmCallerOf, InviteRate, type InviteRates } from './invite-rate.ts';
export { LegTable } from './leg/leg-table.ts';
export type { SipLeg, SipLegUser } from './leg/sip-leg.ts';
export { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from './leg-media/leg-media.ts';
export type { Oddity } from './signalling/signalling-port.ts';
export { addressFields } from './target/address-fields.ts';
export type { CallOrigin } from './target/call-origin.ts';
export { CallRouter } from './target/call-router.ts';
export { bridgeDialPlan, type DialPlan } from './target/dial-plan.ts';
export { insideLine, isInside } from './target/inside-line.ts';
export {
  type CallTarget,
  type FoundTargets,
  type TargetGroups,
  type Towards,
  towardsAll,
} from './target/target-resolver.ts';
