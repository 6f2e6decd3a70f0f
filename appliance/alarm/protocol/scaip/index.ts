export { type ControlTone, commandOfTone, controlTone, isDirection } from './control-tone.ts';
export { SNU } from './element.codes.ts';
export { step } from './exchange.ts';
export type { ExchangeEffect, ExchangeInput, ExchangeTimer } from './exchange-input.ts';
export {
  type Exchange,
  type ExchangeSnapshot,
  type ExchangeState,
  initial,
  restore,
  snapshot,
} from './exchange-state.ts';
export {
  ExchangeTable,
  type ExchangeTableEffect,
  type PersistedExchange,
  type ScaipContext,
} from './exchange-table.ts';
export type { ScaipMedium } from './medium.ts';
export { SCAIP_PROFILE, type ScaipProfile, type ScaipProfileChange, scaipProfile } from './profile.ts';
export {
  decodeRequest,
  encodeRequest,
  type MessageType,
  type ScaipRefusal,
  type ScaipRequest,
  type ScaipRequestForm,
} from './request.ts';
export { decodeResponse, encodeResponse, type ScaipResponse } from './response.ts';
export { type ScaipSendContext, scaipForm } from './send-form.ts';
export {
  type ScaipSendEffect,
  type ScaipSendInput,
  type ScaipSending,
  type ScaipSendSetting,
  type ScaipSendStep,
  scaipSending,
  stepScaipSending,
} from './sender.ts';
export { alarmEventOf, sourceEventOf } from './translate.ts';
export { voiceAnswer, voiceOffer } from './voice-answer.ts';
