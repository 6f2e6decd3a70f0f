import { expect, it } from 'vitest';
import { plainWord, waitText } from '#cloud/console/component/wording/queue-words.ts';

it.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [59_999, '0:59'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
  [-5_000, '0:00'],
])('writes a wait of %i ms with its seconds', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});

it('says a word of the common event as people say it', () => {
  expect(plainWord('alarmManual')).toBe('alarm manual');
  expect(plainWord('livingRoom2Fire')).toBe('living room2 fire');
});
