import { de } from './de.codes.ts';
import { en, type TextKey } from './en.codes.ts';
import { sv } from './sv.codes.ts';

export type Language = 'en' | 'sv' | 'de';

/** All texts by language; a test sees to it that each is there in all of them, with the same gaps. */
export const texts: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, sv, de };

/** A text with its gaps filled. */
export type Say = (key: TextKey, words?: Readonly<Record<string, string | number>>) => string;

export const speaker =
  (language: Language): Say =>
  (key, words = {}) =>
    texts[language][key].replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(words[name] ?? gap));

/** `sv_SE.UTF-8`, `de`, `C`: the language meant, English when it is none of ours. */
export function languageOf(...candidates: readonly (string | undefined)[]): Language {
  for (const candidate of candidates) {
    const language = candidate?.slice(0, 2).toLowerCase();
    if (language === 'sv' || language === 'de' || language === 'en') return language;
  }
  return 'en';
}

/** The text of a point or step whose id comes as data; the id itself when it has no text. */
export const sayOr = (
  say: Say,
  key: string,
  words: Readonly<Record<string, string>>,
  otherwise: string,
): string => (key in en ? say(key as TextKey, words) : otherwise);
