/** Sustained rate and how many may come at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Route classes of the control plane (section 12, rate limits). */
export const RATES = {
  provisioning: { perSecond: 100, burst: 1000 },
  list: { perSecond: 50, burst: 500 },
  lifecycle: { perSecond: 1, burst: 20 },
  runtime: { perSecond: 50, burst: 200 },
  login: { perSecond: 5 / 60, burst: 5 },
} as const satisfies Record<string, Rate>;

export type RouteClass = keyof typeof RATES;

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until one more is allowed, rounded up; 0 when one is. */
  readonly retryAfterS: number;
  /** Seconds until the bucket is full again, rounded up. */
  readonly resetS: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const BUCKETS_KEPT = 20_000;

/** Token buckets by name. A bucket that is full again is forgotten when there are many. `count` 0 only looks. */
export function createLimiter(nowMs: () => number) {
  const buckets = new Map<string, Bucket>();

  function forget(rate: Rate, now: number): void {
    for (const [name, bucket] of buckets) {
      if (bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond >= rate.burst) buckets.delete(name);
    }
    // A caller that makes new names faster than buckets refill loses the names it used longest ago, and gets no memory for it.
    for (const name of buckets.keys()) {
      if (buckets.size <= BUCKETS_KEPT * 0.9) return;
      buckets.delete(name);
    }
  }

  return (name: string, rate: Rate, count: 0 | 1 = 1): Allowance => {
    const now = nowMs();
    if (buckets.size >= BUCKETS_KEPT && !buckets.has(name)) forget(rate, now);
    const bucket = buckets.get(name) ?? { tokens: rate.burst, at: now };
    bucket.tokens = Math.min(
      rate.burst,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate.perSecond,
    );
    bucket.at = now;
    // Set again, so that the map stays in order of use.
    buckets.delete(name);
    buckets.set(name, bucket);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= count;
    return {
      allowed,
      limit: rate.burst,
      remaining: Math.floor(bucket.tokens),
      retryAfterS: allowed ? 0 : Math.ceil((1 - bucket.tokens) / rate.perSecond),
      resetS: Math.ceil((rate.burst - bucket.tokens) / rate.perSecond),
    };
  };
}
