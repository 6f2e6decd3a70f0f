/** Public face: what a customer's bearer token opens, judged alike by the cloud and by a site without WAN. */
export {
  type BearerClaims,
  claimFault,
  grantedTo,
  LONGEST_LIFE_S,
  scopesOf,
  TOLERANCE_S,
} from './bearer-claim.ts';
export { type Area, isAllowed, type Right, ROLE_NAMES, type Role } from './right.ts';
