/** Public face of trunks: whose request is it, where does a call leave, how are the hosts doing. */
export { allowsAddress, type Equal, TrunkAdmission, type TrunkClaim } from './admission.ts';
export { type CallerRequest, callerFields } from './caller-fields.ts';
export { type CallerInfo, callerInfo, type NamedFields } from './caller-info.ts';
export { trunksFor } from './choice.ts';
export { type Attempt, avoidedMs, failsOver, hostFailed } from './failover.ts';
export { numberFor } from './number-rule.ts';
export {
  initialRegistration,
  type RegistrationEffect,
  type RegistrationInput,
  stepRegistration,
  type TrunkRegistration,
} from './registration.ts';
export {
  DEFAULT_SUPERVISION,
  type HostStanding,
  initialSupervision,
  type SupervisionEffect,
  type SupervisionInput,
  type SupervisionRules,
  type SupervisionState,
  superviseHost,
} from './supervision.ts';
export { hostKey, type TrunkTarget, targetsOf } from './target.ts';
export type { Trunk, TrunkHost } from './trunk.ts';
