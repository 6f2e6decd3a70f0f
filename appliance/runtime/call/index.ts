/** Public face of the calls at work. */

export type { CallCase } from './call-case.ts';
export {
  type CallArrival,
  CallDesk,
  type CallDeskParts,
  type PlacedCall,
  type ReceivedCall,
} from './call-desk.ts';
export type { CallOrigin } from './call-origin.ts';
export { CallRouter } from './call-router.ts';
export type { DialWish } from './dial-wish.ts';
export { InviteRate } from './invite-rate.ts';
export { LegBook } from './leg-book.ts';
export { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from './leg-media.ts';
export { CALL_METHODS } from './leg-opener.ts';
export type { SipLeg, SipLegUser } from './sip-leg.ts';
export type { CallTarget, TargetGroups } from './target-desk.ts';
