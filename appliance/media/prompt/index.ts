/** Public face of prompts: where they come from, how long they are kept, who speaks, what plays. */
export { conditionOf, type FieldMap, type Freshness, freshnessOf } from './freshness.ts';
export {
  type AskedPhrase,
  type AwaitedPhrase,
  type PhrasePlan,
  type PhraseSetting,
  phrasePlan,
} from './phrase-plan.ts';
export { bytesOf, type Kept, PromptCache } from './prompt-cache.ts';
export { PromptMaker } from './prompt-maker.ts';
export type { Prepared, Prompts } from './prompts.ts';
export { HEAD_BYTES, type SoundKind, soundKind } from './sound-kind.ts';
export {
  keyOf,
  MOST_BYTES,
  nameOf,
  type PromptFault,
  type PromptFaultCode,
  type PromptSource,
  type Speech,
  withoutSecrets,
} from './source.ts';
export { MOST_CHARACTERS, plainText, sentences } from './spoken-text.ts';
export { speakersFor, type Voice, voiceFor } from './voice-choice.ts';
