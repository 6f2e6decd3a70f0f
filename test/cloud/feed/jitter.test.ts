import { describe, expect, it } from 'vitest';
import { fetchSeconds, jitterSeconds } from '#cloud/feed/index.ts';

describe('jitter', () => {
  it.each([
    [1, 1],
    [100, 1],
    [10_000, 60],
    [1_000_000, 600],
    [5_000_000, 600],
  ])('is, for %d hosts, %d s', (hosts, seconds) => {
    expect(jitterSeconds(hosts)).toBe(seconds);
  });

  it.each([
    [1, 0.1],
    [4, 0.1],
    [5, 1],
    [10_000, 60],
  ])('is, for a change of a tenant with %d hosts, %d s', (hosts, seconds) => {
    expect(fetchSeconds(hosts)).toBe(seconds);
  });

  it('grows with the number of hosts', () => {
    let before = 0;
    for (let hosts = 1; hosts < 2_000_000; hosts = Math.ceil(hosts * 1.1)) {
      const seconds = jitterSeconds(hosts);
      expect(seconds).toBeGreaterThanOrEqual(before);
      before = seconds;
    }
  });
});
