/** Public face of sound for calls: phrases, background, recordings and streams in the words of the media service. */

export type { RecordingReport } from '../../media/recording/index.ts';
export { type CallSound, joinSound } from './call-sound.ts';
export { EarlyEvents } from './early-events.ts';
export { placeOfFile } from './file-place.ts';
export { FirstCall } from './first-call.ts';
export type { LiveTranscript } from './leg-hearing.ts';
export { streamedOf, streamRequest } from './leg-streams.ts';
export { LegTap } from './leg-tap.ts';
export type { BorrowRecording, SoundAdapters, SoundPorts } from './port.ts';
export { recordingFailure } from './recording-failure.ts';
export { recordingLine } from './recording-report.ts';
export { removeSynced } from './retrying-store.ts';
export type {
  BackgroundRequest,
  Channel,
  EndedRecording,
  Hearing,
  LiveRecording,
  LiveStream,
  PhraseFault,
  Playback,
  Played,
  PlayRequest,
  RecordRequest,
  Sound,
  StreamProgress,
  StreamRequest,
  StreamVoice,
} from './sound.ts';
export { sourceWords } from './source-words.ts';
