export type { TextKey } from './en.codes.ts';
export { type Language, languageOf, type Say, sayOr, speaker, texts } from './text.ts';
