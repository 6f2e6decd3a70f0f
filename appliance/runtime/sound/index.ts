/** Public face of sound for calls: phrases, background, recordings and streams in the words of the media service. */
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
  RecordingReport,
  RecordWish,
  Sound,
  StreamNews,
  StreamWish,
} from './face.ts';
