import { describe, expect, test } from 'vitest';
import { NonceTable } from '#appliance/sip/auth/nonce-table.ts';
import { hmac } from './fixture.ts';

const HERE = '192.0.2.1';
const table = (settings = { lifeMs: 1_000, remembered: 3 }) => new NonceTable(hmac, settings);

describe('a nonce', () => {
  test('is good for its source and its time, no longer', () => {
    const nonces = table();
    const nonce = nonces.make(HERE, 5_000);
    expect(nonces.use(nonce, HERE, 1, 6_000)).toBe('good');
    expect(nonces.use(nonce, HERE, 2, 6_001)).toBe('stale');
    expect(nonces.use(nonce, '192.0.2.2', 1, 5_000)).toBe('foreign');
  });

  test('made elsewhere, changed anywhere or made up is foreign', () => {
    const nonces = table();
    const nonce = nonces.make(HERE, 5_000);
    const elsewhere = new NonceTable((text) => hmac(`other ${text}`)).make(HERE, 5_000);
    const changed = Array.from(
      nonce,
      (sign, i) => nonce.slice(0, i) + (sign === '0' ? '1' : '0') + nonce.slice(i + 1),
    );
    for (const forged of [elsewhere, ...changed, '', nonce.slice(1), `${nonce}0`, 'zz']) {
      expect(nonces.use(forged, HERE, 1, 5_000)).toBe('foreign');
    }
  });

  test('made in the same millisecond for the same source is another one', () => {
    const nonces = table();
    expect(nonces.make(HERE, 1)).not.toBe(nonces.make(HERE, 1));
  });
});

describe('the nonce count', () => {
  test('goes up, may be out of order within 32, and never comes twice', () => {
    const nonces = table();
    const nonce = nonces.make(HERE, 0);
    const use = (count: number) => nonces.use(nonce, HERE, count, 1);
    expect([5, 3, 4, 5, 3, 40, 8, 9, 9, 41, 1_000, 41, 999].map(use)).toEqual([
      'good',
      'good',
      'good',
      'replayed',
      'replayed',
      'good',
      'replayed',
      'good',
      'replayed',
      'good',
      'good',
      'replayed',
      'good',
    ]);
  });

  test('every count of a long life is good once', () => {
    const nonces = table();
    const nonce = nonces.make(HERE, 0);
    for (let count = 1; count <= 200; count++) {
      expect(nonces.use(nonce, HERE, count, 1)).toBe('good');
      expect(nonces.use(nonce, HERE, count, 1)).toBe('replayed');
    }
  });

  test('without one a nonce is good once (RFC 2069 peers)', () => {
    const nonces = table();
    const nonce = nonces.make(HERE, 0);
    expect(nonces.use(nonce, HERE, undefined, 1)).toBe('good');
    expect(nonces.use(nonce, HERE, undefined, 1)).toBe('replayed');
  });
});

test('a counter dropped for lack of room makes its nonce stale, never good again', () => {
  const nonces = table();
  const first = nonces.make(HERE, 0);
  const unused = nonces.make(HERE, 0);
  nonces.use(first, HERE, 1, 0);
  for (let i = 1; i <= 3; i++) nonces.use(nonces.make(HERE, i), HERE, 1, i);
  expect(nonces.use(first, HERE, 1, 4)).toBe('stale');
  expect(nonces.use(first, HERE, 2, 4)).toBe('stale');
  expect(nonces.use(unused, HERE, 1, 4)).toBe('stale');
  expect(nonces.use(nonces.make(HERE, 4), HERE, 1, 4)).toBe('good');
});
