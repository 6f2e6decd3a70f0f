/** Public face of the recorder: calls to WAV and MP3 files, by a thread of its own. */

export { createRecorder, openRecorder, type RecorderSetting } from './recorder.ts';
export { openRecordingStore } from './recording-store.ts';
