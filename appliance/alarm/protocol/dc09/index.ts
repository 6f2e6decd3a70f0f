export {
  type AdmCidEvent,
  decodeAdmCid,
  decodeSia,
  encodeAdmCid,
  encodeSia,
  type SiaEvent,
} from '../sia-data/index.ts';
export { ackFrame, duhFrame, nakFrame } from './answer.ts';
export { type Dc09Content, decodeContent, encodeContent, type Xdata } from './content.ts';
export { type EventTreatment, eventMark, type SaidEvent, treatEvent } from './event-repeat.ts';
export type { Dc09Head } from './head.ts';
export { type FrameContext, LinkTable, type LinkTableEffect } from './link-table.ts';
export {
  accountOf,
  addressOf,
  type Dc09Form,
  type Dc09Message,
  decodeMessage,
  encodeMessage,
  nextSequence,
} from './message.ts';
export {
  DC09_PROFILE,
  type Dc09Profile,
  type Dc09Setting,
  dc09Profile,
  SAYS_AGAIN_MS,
  silenceAllowedMs,
} from './profile.ts';
export { initial, type Link, type LinkSnapshot, type LinkStep, restore, snapshot, step } from './receiver.ts';
export type { LinkEffect, LinkInput } from './receiver-state.ts';
export { type AesCbc, openContent, type Sealing, sealContent } from './seal.ts';
export { type Dc09Said, type Dc09SendContext, dc09Form, siaCode } from './send-form.ts';
export {
  frameOf,
  type Outgoing,
  SEND_SETTING,
  type SendEffect,
  type SendInput,
  type Sending,
  type SendSetting,
  type SendStep,
  sending,
  stepSending,
} from './sender.ts';
export { SIA_MAPPINGS, type SiaMapping } from './sia-mapping.codes.ts';
export { decodeTimestamp, encodeTimestamp } from './timestamp.ts';
export { type Dc09Event, eventsOf } from './translate.ts';
export {
  type ClockEffect,
  type ClockInput,
  type ClockState,
  type ClockStep,
  stepClock,
} from './wrong-time.ts';
export { XDATA } from './xdata.codes.ts';
