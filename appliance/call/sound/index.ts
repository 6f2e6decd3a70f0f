/** Public face of sound for calls: phrases, background, recordings and streams in the words of the media service. */

export type { RecordingReport } from '../../media/recording/index.ts';
export type {
  BackgroundRequest,
  Channel,
  EndedRecording,
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
} from './face.ts';
export { joinSound } from './join.ts';
export { LegTap } from './leg-tap.ts';
export { removeSynced } from './patient-shelf.ts';
export type { SoundAdapters, SoundPorts } from './port.ts';
export type { CallSound } from './sound-desk.ts';
export { sourceWords } from './source-words.ts';
