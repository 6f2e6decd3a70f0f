export type { DeliveryResult, Now, Outbox, OutboxEffect, OutboxInput } from './delivery.ts';
export {
  isStorageFailed,
  type Journal,
  type JournalPorts,
  type JournalWrite,
  type StorageFailed,
} from './journal.ts';
export { OutboxPolicy, type OutboxSetting } from './policy.ts';
export { type LaneBytes, laneLimits, mayHoldBallast, type Relief, reliefAt } from './quota.ts';
export { CommitRing, deliverable, RING_COMMITS } from './ring.ts';
export {
  type BindingRow,
  cloudDestination,
  type EventRow,
  type ExpirePolicy,
  type HeartbeatRow,
  isYielding,
  type Lane,
  type OutboxChange,
  type OutboxRow,
  type OutboxState,
  type PeerRow,
  type SessionRow,
  sessionRank,
  statesIn,
  type TraceRow,
  YIELDING_PREFIX,
} from './row.ts';
export type {
  SubjectJournal,
  SubjectPosition,
  SubjectRow,
  SubjectSessions,
  SubjectStep,
  SubjectStepRequest,
} from './subject.ts';
