/** Public face of recording: WAV files, read and written. */
export { readWav, type Wav } from './wav-read.ts';
export {
  type WavFormat,
  type WavSetting,
  wavHeader,
  wavHeaderBytes,
  writeWav,
  writeWavSamples,
} from './wav-write.ts';
