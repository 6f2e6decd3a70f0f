/** Public face of the capture: what is kept of SIP, frames and callbacks, and how it is read. */
export { addressBytes } from './address.ts';
export { DayBudget } from './budget.ts';
export { type CaptureDocument, isoTime, type MessageLine, messageLine } from './capture-document.ts';
export { hepPacket } from './hep.ts';
export { Intake, type IntakeCounts } from './intake.ts';
export {
  type CapturedFlow,
  type CapturedMessage,
  type Direction,
  keyHash,
  type Protocol,
  type Share,
  type Transport,
} from './message.ts';
export type { TakenMessage } from './message-queue.ts';
export { pcapng, pcapngBlocks } from './pcapng.ts';
export {
  type CaptureQuery,
  isOverwritten,
  type RingState,
  type TraceLine,
  TraceReading,
} from './query.ts';
export {
  blankRecord,
  isBlank,
  messageOf,
  recordAt,
  recordLength,
  roomFor,
  type StoredRecord,
  writeRecord,
} from './record.ts';
export { redact } from './redact.ts';
export { sentFrameKey } from './sent-frame.ts';
