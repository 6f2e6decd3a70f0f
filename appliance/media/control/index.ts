/** Public face of media control: what the runtime asks of the media engine, and what it hears of it. */
export type { MediaEvent, SignOfLife } from './event.ts';
export type {
  ConferenceId,
  LegDirection,
  LegId,
  LegOpening,
  LegProfile,
  LegStatistics,
  LegStream,
  MediaWindows,
  NumberedCodec,
  OpenLeg,
  PlayId,
  TapId,
  VoiceCodec,
} from './leg.ts';
export type { DigitRelay, Listening } from './listen.ts';
export type {
  ConferenceSetting,
  FreeLegs,
  Media,
  MediaFault,
  MediaPorts,
  ParticipantSetting,
} from './media.ts';
export type {
  DigitMode,
  DigitSending,
  Phrase,
  PhraseResult,
  PlayPlan,
  PreparedPrompt,
} from './play.ts';
export type {
  HearingId,
  SpeechEvent,
  SpeechListener,
  SpeechRequest,
  SpeechResult,
  SpokenText,
  TranscriptEvent,
  TranscriptId,
} from './speech.ts';
export type {
  StreamAnswer,
  StreamEnd,
  StreamEvent,
  Streamer,
  StreamFault,
  StreamFigures,
  StreamFormat,
  StreamId,
  StreamSetting,
  StreamSpeech,
  StreamTrack,
} from './stream.ts';
export type { TapSetting } from './tap.ts';
