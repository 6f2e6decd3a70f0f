/** Public face of the trunks at work: outbound targets, inbound identification, ways to any SIP address. */
export type { Attempt, Trunk } from '../../sip/trunk/index.ts';
export {
  type Connect,
  firstOf,
  type NextHopCandidate,
  type NextHopCandidates,
  type NextHopFailure,
  NextHopResolver,
} from './next-hop-resolver.ts';
export { StreamFallback } from './stream-fallback.ts';
export {
  type HostView,
  type OutboundTarget,
  TrunkGroup,
  type TrunkGroupDependencies,
  type TrunkPlace,
} from './trunk-group.ts';
