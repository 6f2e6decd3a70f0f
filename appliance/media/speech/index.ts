/** Public face of speech input: begin and end of an utterance, and the answer of a recogniser. */
export { type Recognition, readRecognition, resultOf } from './recognition.ts';
export { SpokenChannel, type SpokenEvent } from './spoken-channel.ts';
export { Utterance } from './utterance.ts';
