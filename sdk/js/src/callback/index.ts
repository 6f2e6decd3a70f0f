export { CALLBACKS, type CallbackName, type Callbacks } from '../contract/callback.codes.ts';
export {
  type CallbackContext,
  type CallbackHandler,
  createHandler,
  type HandlerOptions,
  type Handlers,
} from './handler.ts';
export type { Algorithm, CallbackKey } from './key.ts';
export {
  type AnswerMemory,
  answerMemory,
  type GivenAnswer,
  type ReplayMemory,
  replayMemory,
} from './memory.ts';
export { CallbackRefusal, type RefusalCode } from './refusal.ts';
export type { CallbackClaims } from './token.ts';
export { type ArrivedCallback, createVerifier, type VerifierOptions, type Verify, verify } from './verify.ts';
