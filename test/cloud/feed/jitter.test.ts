import { describe, expect, it } from 'vitest';
import { fetchSeconds, jitterSeconds } from '#cloud/feed/index.ts';
import { steadySeconds } from '#cloud/feed/jitter.ts';

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

  it.each([
    ['without one before', undefined, 7, 7],
    ['half as long again', 6, 4, 6],
    ['longer', 6, 3.9, 3.9],
    ['shorter by a third', 4, 6, 4],
    ['shorter', 4, 6.1, 6.1],
    ['of a few hosts that have become many', 0.1, 1, 1],
  ])('stays while it is near the wanted one: %s', (_, known, wanted, seconds) => {
    expect(steadySeconds(known, wanted)).toBe(seconds);
  });

  it('takes few steps while a fleet grows to a million', () => {
    const steps = new Set<number>();
    let known: number | undefined;
    for (let hosts = 1; hosts <= 1_000_000; hosts = Math.ceil(hosts * 1.01)) {
      known = steadySeconds(known, jitterSeconds(hosts));
      steps.add(known);
    }
    expect(steps.size).toBeLessThan(18);
  });
});
