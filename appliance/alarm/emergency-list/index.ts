export {
  ACCEPT_MS,
  ACCEPT_WINDOWS,
  AFTER_RESTART_MS,
  type CallEntry,
  type CallPlan,
  HAND_BACK_MS,
} from './call-plan.ts';
export type {
  AnswerEvidence,
  Attempt,
  EmergencyList,
  ListEffect,
  ListInput,
  ListPhase,
  ListResult,
  ListStep,
  ProgressStep,
  Sentence,
} from './emergency-list.ts';
export { begin, restore, step } from './step.ts';
