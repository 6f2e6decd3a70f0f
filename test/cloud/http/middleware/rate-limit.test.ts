import { describe, expect, test } from 'vitest';
import { createLimiter, RATES } from '#cloud/http/routing/rate-limit.ts';
import { networkOf } from '#shared/source-network.ts';

describe('token buckets', () => {
  test('give the burst at once, then the rate, and say when there is more', () => {
    let now = 0;
    const take = createLimiter(() => now);
    const first = Array.from({ length: 21 }, () => take('a', RATES.lifecycle));
    expect(first.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(first.at(-1)).toEqual({ allowed: false, limit: 20, remaining: 0, retryAfterS: 1, resetS: 20 });
    now += 1_000;
    expect(take('a', RATES.lifecycle).allowed).toBe(true);
    expect(take('a', RATES.lifecycle).allowed).toBe(false);
    expect(take('b', RATES.lifecycle).allowed).toBe(true);
  });

  test('are those of the control plane', () => {
    expect(RATES).toEqual({
      provisioning: { perSecond: 100, burst: 1000 },
      list: { perSecond: 50, burst: 500 },
      lifecycle: { perSecond: 1, burst: 20 },
      runtime: { perSecond: 50, burst: 200 },
      login: { perSecond: 5 / 60, burst: 5 },
    });
  });

  test('a clock that jumps back gives nothing away', () => {
    let now = 10_000;
    const take = createLimiter(() => now);
    for (let i = 0; i < 5; i++) take('a', RATES.login);
    now = 0;
    expect(take('a', RATES.login).allowed).toBe(false);
  });

  test('a flood of names does not empty the bucket of one who is being counted', () => {
    const take = createLimiter(() => 0);
    for (let i = 0; i < 30_000; i++) {
      take(`flood ${i}`, RATES.login);
      if (i % 1_000 === 0) take('guesser', RATES.login);
    }
    expect(take('guesser', RATES.login).allowed).toBe(false);
  });
});

describe('an address is counted as its network', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ];
  test.each(cases)('%s', (address, network) => expect(networkOf(address)).toBe(network));
});
