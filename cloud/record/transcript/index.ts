export { TranscriptRelay } from './transcript-relay.ts';
export { TranscriptSearch } from './transcript-search.ts';
export { type TranscriptEvent, TranscriptStreams } from './transcript-stream.ts';
