import { expect, it } from 'vitest';
import { sourceWords } from '#appliance/call/sound/index.ts';

it.each([
  [{ phrase: 0, cacheHit: true }, 'phrase 1: from the cache'],
  [
    { phrase: 1, cacheHit: true, stale: true as const },
    'phrase 2: an older copy, since its server could not be asked',
  ],
  [{ phrase: 0, cacheHit: false }, 'phrase 1: read now'],
  [
    { phrase: 2, cacheHit: false, engine: 'espeak', firstSoundMs: 11.6 },
    'phrase 3: spoken by espeak, first sound after 12 ms',
  ],
])('%o is reported as: %s', (source, words) => {
  expect(sourceWords(source)).toBe(words);
});
