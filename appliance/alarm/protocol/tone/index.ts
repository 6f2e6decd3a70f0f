export { step as stepToneCall } from './call.ts';
export type { ToneEffect, ToneInput, ToneTimer } from './call-input.ts';
export {
  initial as initialToneCall,
  listening as listeningToneCall,
  type ProbeStep,
  protocolOf,
  type ToneCall,
  type ToneStep,
} from './call-state.ts';
export {
  type CheckMethod,
  type CheckTable,
  checkFits,
  fittingMethods,
  makeCheck,
} from './check-method.ts';
export { collect, LATE_MS, lineOf } from './collect.ts';
export {
  initial as initialToneExchange,
  MOST_UNSTORED,
  step as stepToneExchange,
  type ToneExchangeEffect,
  type ToneExchangeInput,
  type ToneExchangeName,
  type ToneExchangeState,
  UNSTORED_MS,
} from './exchange.ts';
export {
  ACK_WITHIN_MS,
  type CheckSetting,
  changedProfile,
  type SentCheck,
  type ToneProfile,
  type ToneProfileChange,
} from './profile.ts';
export type { ToneFrame, ToneProtocol } from './protocol.ts';
export {
  formSaid,
  type StringForm,
  type StringSendInput,
  type StringSending,
  type StringSendSetting,
  type StringTimer,
  stepCallString,
  stringSending,
} from './string-sender.ts';
export { lengthMs, type ReceivedTone, STMF_TIMES, type StmfTimes, type Tone } from './tone.ts';
