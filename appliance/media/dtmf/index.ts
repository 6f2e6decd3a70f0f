/** Public face of tones: digits and single tones, heard and made. */
export { CADENCES, type CadencePart, type CountryCadence } from './cadence.codes.ts';
export { type DetectedDigit, DtmfDetector } from './detector.ts';
export { DIGITS, EVENT_DIGITS, HIGH_HZ, LOW_HZ } from './digit.codes.ts';
export { type DigitEdge, DigitMerge, type DigitSource, type MergedDigit } from './digit-merge.ts';
export { render, ToneGenerator } from './generator.ts';
export { type FileSound, hearFile } from './hear-file.ts';
export { HeldTone } from './held-tone.ts';
export { ALARM_PROFILE, type DetectorProfile, IVR_PROFILE } from './profile.ts';
export { StmfDetector } from './stmf-detector.ts';
export { type DetectedStmf, StmfReader } from './stmf-reader.ts';
export { type DetectedTone, ToneBank, type WantedTone } from './tone-bank.ts';
export {
  beep,
  cadence,
  type DtmfSetting,
  dtmf,
  type Sine,
  STMF_TIMES,
  type StmfSetting,
  type StmfTimes,
  silence,
  stmf,
  type ToneSegment,
  tone,
} from './tone-script.ts';
