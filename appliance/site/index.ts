export type { BrokerAddress, BrokerConnection, BrokerListener, OpenBroker } from './broker.ts';
export { type EnrolOutcome, nextAttemptMs } from './enrolment.ts';
export { batchOf, type UplinkRow } from './event-item.ts';
export { type HostIdentity, placeOf } from './identity.ts';
export { initialLane, type LaneEffect, type LaneInput, type LaneState, stepLane } from './lane.ts';
export {
  birthOf,
  type ConfigurationFacts,
  type HostFacts,
  heartbeatOf,
  untilHeartbeatMs,
} from './portrait.ts';
export {
  initialPresence,
  type PresenceEffect,
  type PresenceInput,
  type PresenceState,
  stepPresence,
} from './presence.ts';
export { RemoteBook } from './remote-book.ts';
export {
  initialUplink,
  stepUplink,
  type UplinkEffect,
  type UplinkInput,
  type UplinkState,
  type UplinkStep,
} from './uplink.ts';
