/** Public face of a call: the machine of its two parties, and the words of its ends. */
export type {
  CallEffect,
  CallInput,
  CallProgress,
  CallTimer,
  EndReason,
  HeldDirection,
  LegEndCause,
  LegName,
  Unreached,
} from './call-input.ts';
export { type CallPurpose, isEmergencyNumber } from './call-purpose.ts';
export {
  type CallPhase,
  type CallSession,
  type CallSetting,
  type CallStep,
  initial,
  otherOf,
  placing,
} from './call-session.ts';
export {
  type CallerIdentity,
  escaped,
  type Fields,
  fromAddress,
  hidesCaller,
  isNeverSent,
  keptSecret,
  type PassRule,
  passedFields,
  withheldNames,
} from './header-policy.ts';
export { isCutOff, isSilence, PEER_LOST, readReason, reasonField, TRANSFERRED } from './reason.ts';
export { callSession } from './step.ts';
