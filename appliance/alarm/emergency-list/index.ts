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
export {
  beginTest,
  type ListTest,
  stepTest,
  type TestEffect,
  type TestInput,
  type TestSentence,
  YIELD_MS,
} from './list-test.ts';
export { begin, beginQueued, restore, step } from './step.ts';
