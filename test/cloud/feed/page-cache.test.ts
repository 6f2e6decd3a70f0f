import { beforeEach, expect, test } from 'vitest';
import { PageCache } from '#cloud/feed/page-cache.ts';

const A = Uint8Array.of(1);
const B = Uint8Array.of(2);
let nowMs: number;
let pages: PageCache;

beforeEach(() => {
  nowMs = 1_000;
  pages = new PageCache(() => nowMs);
  pages.put('a', A, 'tenant t1');
  nowMs = 2_000;
  pages.put('b', B, 'tenant t1');
});

test('a page is for its audiences only', () => {
  expect(pages.get('a', ['tenant t2', 'host h'])).toBeUndefined();
  pages.put('a', A, 'tenant t2');
  expect(pages.get('a', ['tenant t2'])).toBe(A);
  expect(pages.get('a', ['tenant t1'])).toBe(A);
});

test('a page that no host has asked for since then is forgotten, the others stay', () => {
  nowMs = 3_000;
  pages.get('a', ['tenant t1']);
  // Another host asked, to whom it does not belong.
  pages.get('b', ['tenant t2']);
  pages.forget(2_500);
  expect(pages.get('a', ['tenant t1'])).toBe(A);
  expect(pages.get('b', ['tenant t1'])).toBeUndefined();
});

test('a page that is made again counts as asked for', () => {
  nowMs = 3_000;
  pages.put('a', A, 'tenant t1');
  pages.forget(3_000);
  expect(pages.get('a', ['tenant t1'])).toBe(A);
  expect(pages.get('b', ['tenant t1'])).toBeUndefined();
});

test('more than 64 MB are thrown out from the one asked for longest ago, and forgotten ones count no more', () => {
  const large = new Uint8Array(30 * 1_048_576);
  for (const name of ['c', 'd']) pages.put(name, large, 'tenant t1');
  pages.forget(3_000);
  for (const name of ['e', 'f']) pages.put(name, large, 'tenant t1');
  expect(pages.get('e', ['tenant t1'])).toBe(large);
  pages.put('g', large, 'tenant t1');
  expect(pages.get('f', ['tenant t1'])).toBeUndefined();
  expect(pages.get('e', ['tenant t1'])).toBe(large);
});
