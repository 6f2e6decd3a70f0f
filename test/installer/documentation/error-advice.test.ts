import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_ADVICE } from '#installer/documentation/error-advice.ts';
import { failureSentences } from '#installer/documentation/error-page.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('every code of a failure has its cause and its remedy, and none is explained that no program says', () => {
  expect(Object.keys(ERROR_ADVICE).toSorted()).toEqual([...failureSentences(ROOT).keys()].toSorted());
});

it.each(Object.entries(ERROR_ADVICE))('%s: cause and remedy are sentences', (_, [, cause, remedy]) => {
  expect(cause).toMatch(/^[A-Z`].+\.$/);
  expect(remedy).toMatch(/^[A-Z`].+\.$/);
});
