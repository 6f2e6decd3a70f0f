/** Public face of sound for calls: phrases, background, recordings and streams in the words of the media service. */

export type { RecordingReport } from '../../media/recording/index.ts';
export type {
  BackgroundWish,
  Channel,
  EndedRecording,
  LiveRecording,
  LiveStream,
  PhraseFault,
  Playback,
  Played,
  PlayWish,
  RecordWish,
  Sound,
  StreamNews,
  StreamWish,
} from './face.ts';
export { joinSound } from './join.ts';
export { LegTap } from './leg-tap.ts';
export { removeSynced } from './patient-shelf.ts';
export type { SoundPorts, SoundRim } from './port.ts';
export type { SoundDesk } from './sound-desk.ts';
export { sourceWords } from './source-words.ts';
