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

/** Token buckets by name. A bucket that is full again is forgotten when there are many. */
export function createLimiter(nowMs: () => number) {
  const buckets = new Map<string, Bucket>();

  function forgetFull(rate: Rate, now: number): void {
    for (const [name, bucket] of buckets) {
      if (bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond >= rate.burst) buckets.delete(name);
    }
    // Whoever makes new names faster than buckets refill does not get the memory for it.
    if (buckets.size >= BUCKETS_KEPT) buckets.clear();
  }

  return (name: string, rate: Rate): Allowance => {
    const now = nowMs();
    if (buckets.size >= BUCKETS_KEPT && !buckets.has(name)) forgetFull(rate, now);
    const bucket = buckets.get(name) ?? { tokens: rate.burst, at: now };
    bucket.tokens = Math.min(
      rate.burst,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate.perSecond,
    );
    bucket.at = now;
    buckets.set(name, bucket);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return {
      allowed,
      limit: rate.burst,
      remaining: Math.floor(bucket.tokens),
      retryAfterS: allowed ? 0 : Math.ceil((1 - bucket.tokens) / rate.perSecond),
      resetS: Math.ceil((rate.burst - bucket.tokens) / rate.perSecond),
    };
  };
}
