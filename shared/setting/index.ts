export { beforeTakenAdvice, listenAdvice, takenAdvice } from './listen-advice.ts';
export { DEFAULT_MEDIA_LEGS, type MediaLegs } from './media-legs.ts';
export type { CallRate, CallRates, Listen, Listens, ObjectStorage } from './parse.ts';
export { type RecogniserSetting, readRecognisers } from './recogniser.ts';
export { DEFAULT_RECORD_BYTES } from './record-size.ts';
export { DEFAULT_RETENTION, type Retention } from './retention.ts';
export type { Origin, Program, Reading, Setting, Sources, Values } from './setting.ts';
export { flagOf, readSettings } from './setting.ts';
export { settingTable } from './setting-table.ts';
export {
  type Family,
  familyOf,
  longestPrefix,
  type SharedAddress,
  type SharingHost,
} from './shared-address.ts';
