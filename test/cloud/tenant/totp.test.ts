import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { base32, stepAt, stepOf, totp } from '#cloud/tenant/person/totp.ts';

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha1', key).update(data).digest();
const SECRET = Buffer.from('12345678901234567890');

/** RFC 6238, appendix B, SHA-1: the last six of the eight digits. */
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(totp(SECRET, stepAt(seconds * 1_000), hmac)).toBe(code);
});

it('a code is good for a step before and after it, and once', () => {
  const now = 1_111_111_109_000;
  const step = stepAt(now);
  const ask = (code: string, lastStep: number, at = now) =>
    stepOf(code, { secret: SECRET, lastStep }, at, hmac);
  expect(ask('081804', 0)).toBe(step);
  expect(ask('081804', 0, now + 30_000)).toBe(step);
  expect(ask('081804', 0, now - 30_000)).toBe(step);
  expect(ask('081804', 0, now + 60_000)).toBeUndefined();
  expect(ask('081804', step)).toBeUndefined();
  expect(ask(totp(SECRET, step + 1, hmac), step)).toBe(step + 1);
  expect(ask('81804', 0)).toBeUndefined();
});

/** RFC 4648 10, without padding. */
it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});
