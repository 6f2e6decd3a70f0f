import { describe, expect, test } from 'vitest';
import { LoginAttempts, type LoginTry } from '#shared/authorize/index.ts';

const MINUTE = 60_000;
const ada: LoginTry = { name: 'ada', source: '192.0.2.1' };
const by = (source: string): LoginTry => ({ ...ada, source });
const delay = (tries: LoginAttempts, one: LoginTry, nowMs: number) => {
  const begun = tries.begin(one, nowMs);
  return begun.ok ? begun.value.delayMs : 'locked';
};

test('five wrong tries in 15 minutes lock a name for their network, until the first is 15 minutes old', () => {
  const tries = new LoginAttempts();
  for (let i = 0; i < 5; i++) expect(tries.begin(ada, i * MINUTE).ok).toBe(true);
  expect(tries.begin(ada, 5 * MINUTE)).toEqual({
    ok: false,
    error: expect.objectContaining({ code: 'tooManyRequests', retryAfterS: 600 }) as unknown,
  });
  // A refused try is no try: asking again does not lengthen the lock.
  expect(tries.begin(ada, 15 * MINUTE - 1)).toMatchObject({ error: { retryAfterS: 1 } });
  expect(tries.begin(ada, 15 * MINUTE).ok).toBe(true);
  expect(tries.begin(ada, 15 * MINUTE + 1).ok).toBe(false);
});

test('names do not share their tries', () => {
  const tries = new LoginAttempts();
  for (let i = 0; i < 5; i++) tries.begin(ada, 0);
  expect(delay(tries, { ...ada, name: 'bob' }, 0)).toBe(0);
});

test('a right password forgets the wrong ones', () => {
  const tries = new LoginAttempts();
  for (let i = 0; i < 5; i++) tries.begin(ada, 0);
  tries.right(ada, 0);
  for (let i = 0; i < 5; i++) expect(delay(tries, ada, 1)).toBe(0);
});

test('tries in progress count, so that many at once are no way around the lock', () => {
  const tries = new LoginAttempts();
  const begun = Array.from({ length: 100 }, () => tries.begin(ada, 0).ok);
  expect(begun.filter(Boolean)).toHaveLength(5);
});

test('a flood of names forgets the oldest, not the newest', () => {
  const tries = new LoginAttempts();
  for (let i = 0; i < 50_000; i++) tries.begin({ ...ada, name: `n${i}` }, 0);
  for (let i = 0; i < 5; i++) tries.begin(ada, 1);
  expect(tries.begin(ada, 2).ok).toBe(false);
});

describe('wrong tries from a foreign network', () => {
  test('lock that network alone: the owner comes in from elsewhere, with a delay that has an end', () => {
    const tries = new LoginAttempts();
    for (let i = 0; i < 20; i++) tries.begin(by('203.0.113.9'), i);
    expect(delay(tries, by('203.0.113.9'), 30)).toBe('locked');
    expect(delay(tries, ada, 31)).toBe(500);
    for (let n = 0; n < 200; n++) tries.begin(by(`198.51.100.${n}`), 40 + n);
    expect(delay(tries, ada, 300)).toBe(10_000);
    expect(delay(tries, ada, 40 * MINUTE)).toBe(0);
  });

  test('grow the delay of the name, try by try, over all networks', () => {
    const tries = new LoginAttempts();
    const delays = Array.from({ length: 11 }, (_, n) => delay(tries, by(`198.51.100.${n}`), n));
    expect(delays).toEqual([0, 0, 0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
  });

  test('from one IPv6 subscriber are of one network, and an IPv4 address is the same in both forms', () => {
    const tries = new LoginAttempts();
    for (let n = 0; n < 5; n++) tries.begin(by(`2001:db8:1:2::${n + 1}`), 0);
    expect(delay(tries, by('2001:db8:1:2:ffff::9'), 0)).toBe('locked');
    expect(delay(tries, by('2001:db8:1:3::1'), 0)).not.toBe('locked');
    for (let n = 0; n < 5; n++) tries.begin({ ...by('192.0.2.7'), name: 'bob' }, 0);
    expect(delay(tries, { ...by('::ffff:192.0.2.7'), name: 'bob' }, 0)).toBe('locked');
  });

  test('delay neither a network by which the name came in before nor a browser that is known', () => {
    const tries = new LoginAttempts();
    tries.begin(ada, 0);
    tries.right(ada, 0);
    for (let n = 0; n < 50; n++) tries.begin(by(`198.51.100.${n}`), 1);
    expect(delay(tries, ada, 2)).toBe(0);
    expect(delay(tries, { ...by('198.51.100.1'), known: true }, 2)).toBe(0);
    expect(delay(tries, by('192.0.2.77'), 2)).toBe(10_000);
  });

  test('in the network of a known browser do not lock it', () => {
    const tries = new LoginAttempts();
    for (let i = 0; i < 6; i++) tries.begin(ada, 0);
    expect(delay(tries, ada, 1)).toBe('locked');
    expect(delay(tries, { ...ada, known: true }, 1)).toBe(0);
  });

  test('are reported: at the lock once in 15 minutes, and to the owner when it comes in', () => {
    const reported: LoginTry[] = [];
    const tries = new LoginAttempts((locked) => reported.push(locked));
    for (let i = 0; i < 9; i++) tries.begin(by('203.0.113.9'), i);
    expect(reported).toEqual([by('203.0.113.9')]);
    tries.begin(ada, 100);
    expect(tries.right(ada, 100)).toEqual({ count: 5, lastAt: 4, lastSource: '203.0.113.9' });
    tries.begin(ada, 200);
    expect(tries.right(ada, 200)).toBeUndefined();
  });
});
