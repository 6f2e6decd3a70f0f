import { describe, expect, test } from 'vitest';
import { RATES, RateLimiter } from '#cloud/http/routing/rate-limit.ts';
import { networkOf } from '#shared/source-network.ts';

describe('token buckets', () => {
  test('give the burst at once, then the rate, and say when there is more', () => {
    let now = 0;
    const limiter = new RateLimiter(() => now);
    const first = Array.from({ length: 21 }, () => limiter.take('lifecycle', 'a'));
    expect(first.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(first.at(-1)).toEqual({ allowed: false, limit: 20, remaining: 0, retryAfterS: 1, resetS: 20 });
    now += 1_000;
    expect(limiter.take('lifecycle', 'a').allowed).toBe(true);
    expect(limiter.take('lifecycle', 'a').allowed).toBe(false);
    expect(limiter.take('lifecycle', 'b').allowed).toBe(true);
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
    const limiter = new RateLimiter(() => now);
    for (let i = 0; i < 5; i++) limiter.take('login', 'a');
    now = 0;
    expect(limiter.take('login', 'a').allowed).toBe(false);
  });

  test('a flood of names does not empty the bucket of one who is being counted', () => {
    const limiter = new RateLimiter(() => 0);
    for (let i = 0; i < 30_000; i++) {
      limiter.take('login', `flood ${i}`);
      if (i % 1_000 === 0) limiter.take('login', 'guesser');
    }
    expect(limiter.take('login', 'guesser').allowed).toBe(false);
  });
});

describe('three replicas that report to each other what was taken', () => {
  const replicas = (now: () => number) => {
    const all = Array.from({ length: 3 }, () => new RateLimiter(now));
    for (const each of all) each.share();
    const tell = (): void => {
      const spent = all.map((each) => each.drain(1_000));
      for (const [to, each] of all.entries())
        for (const [from, taken] of spent.entries()) if (from !== to) each.hear(taken);
    };
    return { all, tell };
  };
  const takenIn = (seconds: number, isReported: boolean): number => {
    let now = 0;
    const { all, tell } = replicas(() => now);
    let taken = 0;
    for (; now < seconds * 1_000; now += 100) {
      for (const each of all)
        for (let n = 0; n < 20; n++) if (each.take('runtime', 'in t').allowed) taken += 1;
      if (isReported && now % 1_000 === 900) tell();
    }
    return taken;
  };
  const rate = (seconds: number): number => RATES.runtime.burst + RATES.runtime.perSecond * seconds;

  test('let a caller of all of them through at the rate of one', () => {
    // A burst at each within the first second, and no more than the rate when the debt is paid.
    expect(takenIn(60, true)).toBeLessThanOrEqual(rate(60) + 2 * RATES.runtime.burst);
    expect(takenIn(60, true) - takenIn(30, true)).toBeLessThanOrEqual(RATES.runtime.perSecond * 33);
    // The same callers where no replica hears of the others.
    expect(takenIn(60, false)).toBeGreaterThan(2.5 * rate(60));
  });

  test('let a caller who stays at one of them use the whole rate', () => {
    const { all, tell } = replicas(() => 0);
    const first = Array.from({ length: RATES.runtime.burst }, () => all[0]?.take('runtime', 'by a'));
    expect(first.every((each) => each?.allowed)).toBe(true);
    tell();
    expect(all[1]?.take('runtime', 'by a')).toMatchObject({ allowed: false, remaining: 0 });
    expect(all[1]?.take('runtime', 'by b').allowed).toBe(true);
  });

  test('say nothing of callers who took next to nothing, until they took more', () => {
    const { all } = replicas(() => 0);
    all[0]?.take('provisioning', 'by a');
    expect(all[0]?.drain(10)).toEqual({});
    for (let n = 0; n < 9; n++) all[0]?.take('provisioning', 'by a');
    expect(all[0]?.drain(10)).toEqual({ 'provisioning by a': 10 });
    expect(all[0]?.drain(10)).toEqual({});
  });

  test('pass over the extras of a later version', () => {
    const [one] = replicas(() => 0).all;
    one?.hear({ 'future by a': 5, 'runtime by a': -5, 'runtime by b': Number.NaN });
    expect(one?.take('runtime', 'by a').remaining).toBe(RATES.runtime.burst - 1);
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
