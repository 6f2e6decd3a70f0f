import type { TranscriptLine } from './transcript.ts';

/** The words of a text as a search compares them: case and accents do not count. */
export const searchWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether each wanted word is the begin of a word of these lines. `wanted` is of `searchWords`; without a word none says it. */
export function saysAll(lines: readonly Pick<TranscriptLine, 'text'>[], wanted: readonly string[]): boolean {
  const missing = new Set(wanted);
  if (missing.size === 0) return false;
  for (const { text } of lines) {
    for (const word of searchWords(text))
      for (const each of missing) if (word.startsWith(each)) missing.delete(each);
    if (missing.size === 0) return true;
  }
  return false;
}
