/** Public interface of recordings beyond the store of this host: other hosts of the site, and the control plane. */
export { recordingPage } from './recording-page.ts';
export { type FindPeerRecording, isUploaded, peerRecordings, readRecordingPart } from './recording-part.ts';
export { BorrowedRecordings, findRecording, localRecording } from './site-recordings.ts';
export { wordsOfRecordings } from './transcript.ts';
