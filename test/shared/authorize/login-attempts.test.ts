import { expect, test } from 'vitest';
import { LoginAttempts } from '#shared/authorize/index.ts';

const MINUTE = 60_000;

test('five wrong tries in 15 minutes lock a name, until the first is 15 minutes old', () => {
  const book = new LoginAttempts();
  for (let i = 0; i < 5; i++) expect(book.begin('ada', i * MINUTE).ok).toBe(true);
  expect(book.begin('ada', 5 * MINUTE)).toEqual({
    ok: false,
    error: expect.objectContaining({ code: 'tooManyRequests', retryAfterS: 600 }) as unknown,
  });
  // A refused try is no try: asking again does not lengthen the lock.
  expect(book.begin('ada', 15 * MINUTE - 1)).toMatchObject({ error: { retryAfterS: 1 } });
  expect(book.begin('ada', 15 * MINUTE).ok).toBe(true);
  expect(book.begin('ada', 15 * MINUTE + 1).ok).toBe(false);
});

test('names do not share their tries', () => {
  const book = new LoginAttempts();
  for (let i = 0; i < 5; i++) book.begin('ada', 0);
  expect(book.begin('bob', 0).ok).toBe(true);
});

test('a right password forgets the wrong ones', () => {
  const book = new LoginAttempts();
  for (let i = 0; i < 4; i++) book.begin('ada', 0);
  book.begin('ada', 0);
  book.right('ada');
  for (let i = 0; i < 5; i++) expect(book.begin('ada', 1).ok).toBe(true);
});

test('tries under way count, so that many at once are no way around the lock', () => {
  const book = new LoginAttempts();
  const begun = Array.from({ length: 100 }, () => book.begin('ada', 0).ok);
  expect(begun.filter(Boolean)).toHaveLength(5);
});

test('a flood of names forgets the oldest, not the newest', () => {
  const book = new LoginAttempts();
  for (let i = 0; i < 50_000; i++) book.begin(`n${i}`, 0);
  for (let i = 0; i < 5; i++) book.begin('ada', 1);
  expect(book.begin('ada', 2).ok).toBe(false);
});
