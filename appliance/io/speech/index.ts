/** Public face of speech to text: recognisers that are tried in order, in a thread of their own. */
export { openSpeech } from './listener.ts';
export { RecognitionOrder } from './recognition-order.ts';
export type { SpeechThreadSetting } from './speech-message.ts';
export { Transcription } from './transcription.ts';
