/** Public face of the recorder: calls to WAV and MP3 files, by a thread of its own. */
export { openRecorder, type Recorder, type RecorderSetting } from './recorder.ts';
export type {
  Mark,
  RecordedFile,
  RecorderEvent,
  RecorderFault,
  RecordingId,
  RecordingResult,
  RecordingSetting,
} from './recorder-message.ts';
