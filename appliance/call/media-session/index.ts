/** Public face of a media service's session: participants, connections, and the IVR that speaks with them. */
export { readCommand, readDecision } from './answer.ts';
export { awaitedBy, joinRefusal } from './join-refusal.ts';
export { type QueueInSession, queueInSession } from './queue-link.ts';
export { arrivedSession, firstParticipant, type MediaSession, placedSession } from './state/media-session.ts';
export type {
  Ask,
  BadAnswer,
  CallEventInfo,
  DialWords,
  JoinRefusal,
  LeaveCause,
  LeaveDetails,
  MoveTarget,
  Operation,
  OperationGain,
  ParticipantId,
  Refusal,
  Report,
  SessionEffect,
  SessionInput,
} from './state/session-input.ts';
export { type SessionStep, step } from './step.ts';
export type { WiredStream } from './wired-stream.ts';
export {
  type Link,
  type Underlay,
  type WiredHearing,
  type WiredRecording,
  type Wiring,
  wiringOf,
} from './wiring.ts';
