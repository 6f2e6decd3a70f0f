/** Public face of the calls at work. */
export {
  CALL_METHODS,
  type CallArrival,
  CallDesk,
  type CallDeskParts,
  type ReceivedCall,
} from './call-desk.ts';
export { CallRouter } from './call-router.ts';
export { InviteRate } from './invite-rate.ts';
export { LegBook } from './leg-book.ts';
export { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from './leg-media.ts';
export type { SipLeg, SipLegUser } from './sip-leg.ts';
