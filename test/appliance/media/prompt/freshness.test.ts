import { describe, expect, it } from 'vitest';
import { conditionOf, type FieldMap, freshnessOf } from '#appliance/media/prompt/index.ts';

const NOW = Date.parse('2030-05-01T12:00:00Z');
const date = (offsetS: number): string => new Date(NOW + 1_000 * offsetS).toUTCString();
/** Seconds from the answer on that the copy is good. */
const goodS = (fields: FieldMap, askedS = 0): number =>
  (freshnessOf(fields, NOW - 1_000 * askedS, NOW).freshUntilMs - NOW) / 1_000;

describe('freshness (RFC 9111)', () => {
  it.each<[string, FieldMap, number]>([
    ['max-age', { 'cache-control': 'max-age=60' }, 60],
    ['s-maxage before max-age', { 'cache-control': 'public, max-age=60, s-maxage="90"' }, 90],
    ['max-age before Expires', { 'cache-control': 'max-age=60', expires: date(600), date: date(0) }, 60],
    ['Expires less Date', { expires: date(600), date: date(0) }, 600],
    ['what other caches have used up', { 'cache-control': 'max-age=60', age: '45' }, 15],
    ['an old Date', { 'cache-control': 'max-age=60', date: date(-20) }, 40],
    ['a tenth of the age of the file', { 'last-modified': date(-3_600), date: date(0) }, 360],
    ['at most a day of it', { 'last-modified': date(-365 * 86_400), date: date(0) }, 86_400],
  ])('takes %s', (_, fields, seconds) => {
    expect(goodS(fields)).toBe(seconds);
  });

  it('counts the time that the answer took', () => {
    expect(goodS({ 'cache-control': 'max-age=60' }, 3)).toBe(57);
  });

  it.each<[string, FieldMap]>([
    ['nothing is said', {}],
    ['Expires cannot be read', { expires: '0' }],
    ['no-cache', { 'cache-control': 'no-cache, max-age=60' }],
    ['Vary: *', { 'cache-control': 'max-age=60', vary: '*' }],
  ])('asks again when %s', (_, fields) => {
    expect(goodS(fields)).toBeLessThanOrEqual(0);
  });

  it.each(['no-store', 'private', 'max-age=60, Private'])('does not keep %s', (control) => {
    expect(freshnessOf({ 'cache-control': control }, NOW, NOW).storable).toBe(false);
  });

  it('plays a stale copy unless that is forbidden', () => {
    expect(freshnessOf({}, NOW, NOW).staleAllowed).toBe(true);
    for (const control of ['must-revalidate', 'proxy-revalidate', 'no-cache'])
      expect(freshnessOf({ 'cache-control': control }, NOW, NOW).staleAllowed).toBe(false);
  });

  it('asks by entity tag, else by date', () => {
    const both = freshnessOf({ etag: '"x"', 'last-modified': date(-5) }, NOW, NOW);
    expect(conditionOf(both)).toEqual({ 'if-none-match': '"x"' });
    expect(conditionOf(freshnessOf({ 'last-modified': date(-5) }, NOW, NOW))).toEqual({
      'if-modified-since': date(-5),
    });
    expect(conditionOf(freshnessOf({}, NOW, NOW))).toEqual({});
  });
});
