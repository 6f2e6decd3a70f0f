export { TranscriptRelay } from './transcript-relay.ts';
export { type TranscriptEvent, TranscriptStreams } from './transcript-stream.ts';
