/** Public face: what a customer's bearer token opens, judged alike by the cloud and by a site without WAN. */
export {
  type BearerClaims,
  claimFault,
  grantedTo,
  LONGEST_LIFE_S,
  scopesOf,
  TOLERANCE_S,
} from './bearer-claim.ts';
export { type Area, type Granted, isAllowed, lackOf, type Right, ROLE_NAMES, type Role } from './right.ts';
export { ALL_RIGHTS, commonRights, isRoleWithin, type Rights } from './rights.ts';
