/** Public face of recording: time axis, channels, WAV and MP3 as bytes, editing, vCon. */
export {
  formatOf,
  type MappedFile,
  mapChannels,
  type RecordingFormat,
  type RecordingLayout,
} from './channel-map.ts';
export { type Modification, modified, relative, type Stretch } from './edit.ts';
export { isPlainName } from './file-name.ts';
export { type Mp3Extent, mp3Channels, mp3FrameBytes, mp3InfoFrame, mp3SamplesIn } from './mp3-head.ts';
export type {
  Mark,
  RecordedFile,
  Recorder,
  RecorderEvent,
  RecorderFault,
  RecordingId,
  RecordingResult,
  RecordingSetting,
  StoringSetting,
} from './recorder.ts';
export type {
  FindRecording,
  FoundRecording,
  RecordingReport,
  RecordingStore,
  ShelvedFile,
  ShelvedRecording,
} from './recording-store.ts';
export { Timeline } from './timeline.ts';
export type { Transcript, TranscriptLine } from './transcript.ts';
export { saysAll, searchWords } from './transcript-search.ts';
export {
  contentHash,
  type Vcon,
  type VconDialog,
  type VconDigit,
  type VconInfo,
  type VconParty,
  vconOf,
} from './vcon.ts';
export { readWav, type Wav } from './wav-read.ts';
export {
  type WavFormat,
  type WavSetting,
  wavFrameBytes,
  wavHeader,
  wavHeaderBytes,
  wavSettingOf,
  writeWav,
  writeWavSamples,
} from './wav-write.ts';
