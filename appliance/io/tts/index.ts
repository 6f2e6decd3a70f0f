/** Public face of speech: text to sound, by providers that are tried in order. */
export { embeddedProvider } from './embedded.ts';
export { espeakProvider } from './espeak.ts';
export { type ExecSetting, execProvider } from './exec.ts';
export { type HttpVoiceSetting, type HttpVoiceTools, httpProvider } from './http.ts';
export type { SpokenPiece, TtsProvider, Utterance } from './provider.ts';
export { Speaker, type Spoken } from './speaker.ts';
