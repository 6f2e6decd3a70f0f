export { CAPTURE_LIMIT_BYTES, type CaptureFile, CaptureRelay } from './capture-relay.ts';
export { EvidenceMaker, type EvidencePort } from './evidence-maker.ts';
export { createRecordExports, type RecordExports } from './exports.ts';
export { createRecordFigures, type RecordFigures } from './figures.ts';
export { RecordIntake } from './intake.ts';
export { createRecordQueries, type RecordQueries } from './record-queries.ts';
export { followReplicas, type RecordEvent, RecordStream } from './record-stream.ts';
export { rangeOf } from './search.ts';
export { TRACE_LIMIT_BYTES, TraceRelay } from './trace-relay.ts';
