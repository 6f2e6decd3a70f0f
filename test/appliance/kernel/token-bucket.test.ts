import { expect, it } from 'vitest';
import { SourceBuckets, TokenBucket } from '#appliance/kernel/token-bucket.ts';

const drawn = (bucket: TokenBucket, nowMs: number): number => {
  let count = 0;
  while (bucket.draw(nowMs)) count++;
  return count;
};

it('gives its burst at once, and then its rate', () => {
  const bucket = new TokenBucket({ burst: 5, perS: 2 });
  expect(drawn(bucket, 90_000)).toBe(5);
  expect(drawn(bucket, 90_400)).toBe(0);
  expect(drawn(bucket, 90_500)).toBe(1);
  expect(drawn(bucket, 200_000)).toBe(5);
});

it('gives nothing for a clock that goes back', () => {
  const bucket = new TokenBucket({ burst: 1, perS: 1_000 });
  expect(drawn(bucket, 5_000)).toBe(1);
  expect(bucket.has(1_000)).toBe(false);
});

it('remembers so many sources, and forgets the one unseen longest', () => {
  const buckets = new SourceBuckets({ burst: 1, perS: 1 }, 2);
  expect(buckets.of('a').draw(0)).toBe(true);
  expect(buckets.of('b').draw(0)).toBe(true);
  expect(buckets.of('a').draw(0)).toBe(false);
  expect(buckets.of('c').draw(0)).toBe(true);
  expect(buckets.of('a').draw(0)).toBe(false);
  expect(buckets.of('b').draw(0)).toBe(true);
});
