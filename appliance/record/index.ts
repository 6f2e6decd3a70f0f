export { masked, type RecordNumbers } from './number-mask.ts';
export { type RecordQuery, readRecordQuery, tokenAfter } from './query.ts';
export type { KeptStarts, RecordSink } from './record-port.ts';
export { sessionLog } from './session-names.ts';
export { SessionRecorder } from './session-recorder.ts';
