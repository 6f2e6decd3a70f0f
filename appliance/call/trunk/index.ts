/** Public face of the trunks at work: outbound targets, inbound identification, ways to any SIP address. */
export type { Attempt, Trunk } from '../../sip/trunk/index.ts';
export { LongWays } from './long-way.ts';
export { type Connect, firstOf, Reach, type ReachFailure, type Way, type Ways } from './reach.ts';
export {
  type HostView,
  type OutboundTarget,
  TrunkDesk,
  type TrunkDeskParts,
  type TrunkPlace,
} from './trunk-desk.ts';
