import '../english.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REASONS, reasonText } from '#cloud/console/component/step/reason-words.ts';

const RECORD = join(import.meta.dirname, '../../../../appliance/record');

/** The sentences with which a host ends a record, as they stand in its source: up to a detail that follows. */
const sentences = (
  [
    ['result.ts', /['`]([A-Z][a-z]* [a-z][^'`$:]*)/g],
    ['session-recorder.ts', /reason: '([^':]*)/g],
  ] as const
).flatMap(([name, sentence]) =>
  [...readFileSync(join(RECORD, name), 'utf8').matchAll(sentence)].map(([, found = '']) => found),
);

it('every sentence of a host has its words, and the words no other', () => {
  expect(sentences.length).toBeGreaterThan(30);
  expect(sentences.filter((sentence) => REASONS[sentence] === undefined)).toEqual([]);
  expect(Object.keys(REASONS).filter((sentence) => !sentences.includes(sentence))).toEqual([]);
});

it('a detail stays as the host wrote it, and an unknown sentence as a whole', () => {
  const say = () => 'Der Anruf wurde abgelehnt';
  expect(reasonText('The call was refused: 404 no trunk takes it: +468', say)).toBe(
    'Der Anruf wurde abgelehnt: 404 no trunk takes it: +468',
  );
  expect(reasonText('The call was refused', say)).toBe('Der Anruf wurde abgelehnt');
  expect(reasonText('A word of another host: 7', say)).toBe('A word of another host: 7');
});
