export { addressBlockFault } from './address-block.ts';
export {
  type AddressPolicy,
  type AddressPolicySetting,
  addressPolicy,
  type OwnListener,
  plainIp,
} from './address-policy.ts';
export {
  ARRIVAL_KINDS,
  type ArrivalFacts,
  type ArrivalKind,
  leavesChoice,
  type Receiver,
  type ReceiverFields,
  receiverFor,
  takes,
} from './arrival.ts';
export { type Destination, type DestinationMatcher, destinationMatcher } from './destination-matcher.ts';
export {
  type AlarmIdentity,
  accountKey,
  candidateDeviceIds,
  cliKey,
  type DeviceDirectory,
  type DeviceQuestion,
  deviceIdOf,
  resolveDevice,
} from './device-identity.ts';
export {
  applyEventMap,
  type CompiledEventMap,
  compileEventMap,
  type EventMapFailure,
  type MappedEvent,
} from './event-map.ts';
export { type EventOverride, overrideEvent } from './event-override.ts';
export type { EventMap, EventRule, RuleCondition, RuleLiteral } from './event-rule.ts';
export { type Extent, extentOf, nameBytes } from './json-extent.ts';
export { type CoveredDetails, isCausedByWork, isCoveredBy } from './maintenance-cover.ts';
export {
  compilePattern,
  type Pattern,
  type PatternFailure,
  SUBJECT_MAX_LENGTH,
} from './pattern.ts';
export { PROTOCOL_FAMILY } from './protocol-family.ts';
export {
  compileRewrite,
  DESTINATION_MAX_LENGTH,
  type Rewrite,
  type RewriteFailure,
  rewrittenDestination,
} from './rewrite.ts';
export { type Shadow, shadowsAbout, shadowsAmong, shadowsAt, type Taking, takingsAt } from './shadow.ts';
export { dialledForms, leavesBy, plainNumber, serviceAddress, serviceFor } from './sip-address.ts';
export {
  type DataSubject,
  digitsOf,
  LEAST_DIGITS,
  type SubjectMatcher,
  subjectMatcher,
} from './subject.ts';
