export { AnsweredRequests } from './answered-requests.ts';
export {
  type BrokerAddress,
  type BrokerConnection,
  type BrokerListener,
  brokerOrder,
  type OpenBroker,
} from './broker.ts';
export {
  type ClaimAnswer,
  type ClaimPorts,
  claimOfFile,
  claimTyped,
  enrolByClaim,
  type HostClaim,
  type KeptClaim,
  keptClaim,
  type TypedClaim,
} from './claim.ts';
export { type CommissionReadings, commissionChecks, p99 } from './commission.ts';
export { type Condition, type ConditionEvent, ConditionTable } from './condition-table.ts';
export {
  type Admittance,
  type DrainEffect,
  type DrainInfo,
  type DrainInput,
  type DrainState,
  isDraining,
  serving,
  stepDrain,
} from './drain.ts';
export { type EnrolOutcome, nextAttemptMs } from './enrolment.ts';
export { batchOf, type UplinkRow } from './event-item.ts';
export {
  type DiskReading,
  diskPct,
  type GaugeState,
  type Judgement,
  judgeClock,
  judgeDisk,
  judgeLate,
  judgeMemory,
  type LateReading,
  type MemoryReading,
  type ProcessorUse,
  type Severity,
  stepGauge,
  wellGauge,
} from './gauge.ts';
export {
  birthOf,
  type ConfigurationInfo,
  type HostFacts,
  heartbeatOf,
  untilHeartbeatMs,
} from './host-status.ts';
export { believedKeys, type HostIdentity, placeOf } from './identity.ts';
export { initialLane, type LaneEffect, type LaneInput, type LaneState, stepLane } from './lane.ts';
export {
  initialPresence,
  type PresenceEffect,
  type PresenceInput,
  type PresenceState,
  stepPresence,
} from './presence.ts';
export { partsOf } from './response-part.ts';
export {
  type ServiceEffect,
  type ServiceFault,
  type ServiceInput,
  type ServiceState,
  serviceWord,
  stepService,
  stoppedService,
} from './service.ts';
export { TestModeMute } from './test-mode-mute.ts';
export {
  initialUplink,
  stepUplink,
  type UplinkEffect,
  type UplinkInput,
  type UplinkState,
  type UplinkStep,
} from './uplink.ts';
export { UsageCounter, type Use, usageOf } from './usage.ts';
