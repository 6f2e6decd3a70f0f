export type { CallEntry, CallPlan } from './call-plan.ts';
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
export { QUEUE_STEP } from './emergency-list.ts';
export { begin, beginQueued, restore, step } from './step.ts';
