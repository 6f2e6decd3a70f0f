export { type CopyEffect, CopyLane } from './copy-lane.ts';
export { copiesOf, isPromise } from './copy-write.ts';
export { type Member, readMembers } from './member.ts';
export {
  alone,
  type PeerLink,
  type PeerView,
  registersAtCarriers,
  rolesOf,
  seesHost,
  viewOfPeers,
} from './peer-view.ts';
export {
  type Candidate,
  ownPlaces,
  type PlacementRequest,
  placeServices,
  placesOfSite,
} from './placement.ts';
export { initialRoleHistory, type RoleHistory, type RoleSnapshot, stepRoles } from './role-history.ts';
export {
  type CatchUp,
  holderOfAddress,
  initialCatchUp,
  mayHaveAddress,
  type Revisions,
  servingHosts,
  stepCatchUp,
} from './shared-address.ts';
export { SiteMembers } from './site-members.ts';
export {
  HELLO_MS,
  holderOf,
  initialView,
  type Link,
  leaderOf,
  type SiteView,
  stepView,
  substituteOf,
  type ViewEffect,
  type ViewInput,
  vipIsTwice,
} from './site-view.ts';
export { VipLook } from './vip-look.ts';
