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
