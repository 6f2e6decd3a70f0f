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
/** The share of a burst that is worth a word to the other replicas. */
const WORTH_TELLING = 0.01;

/** Tokens that were taken from buckets, by their names. */
export type Spent = Readonly<Record<string, number>>;

/**
 * Token buckets by name; a name begins with its route class. A bucket that is full again is forgotten when there are many.
 *
 * Chosen: each replica lets a caller use the whole rate, and tells the others each second what was taken (`drain`, `hear`). A share of
 * the rate for each replica would refuse a caller whose connection stays at one of them. Callers that use all replicas in the
 * same second can take a burst at each; the buckets are in debt then, and the rate holds over time. Limits that must hold to the
 * last try, wrong passwords and claim codes, are counted in rows instead.
 */
export class RateLimiter {
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, Bucket>();
  /** Taken here, and not said yet; undefined = no other replica. */
  #spent: Map<string, number> | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** From now on other replicas hear of it. */
  share(): void {
    this.#spent ??= new Map();
  }

  /** `count` 0 only looks. */
  take(routeClass: RouteClass, name: string, count: 0 | 1 = 1): Allowance {
    const rate = RATES[routeClass];
    const key = `${routeClass} ${name}`;
    const bucket = this.#bucketOf(key, rate);
    const allowed = bucket.tokens >= 1;
    if (allowed && count > 0) {
      bucket.tokens -= count;
      this.#spent?.set(key, (this.#spent.get(key) ?? 0) + count);
    }
    return {
      allowed,
      limit: rate.burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      retryAfterS: allowed ? 0 : Math.ceil((1 - bucket.tokens) / rate.perSecond),
      resetS: Math.ceil((rate.burst - bucket.tokens) / rate.perSecond),
    };
  }

  /** The buckets from which much was taken since `drain` gave them last, those first; at most so many. */
  drain(most: number): Spent {
    const buckets = [...(this.#spent ?? [])]
      .filter(([key, n]) => n >= burstOf(key) * WORTH_TELLING)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, most);
    for (const [key] of buckets) this.#spent?.delete(key);
    if ((this.#spent?.size ?? 0) > BUCKETS_KEPT) this.#spent?.clear();
    return Object.fromEntries(buckets);
  }

  /** Another replica has taken this. A bucket is a burst in debt at most. */
  hear(spent: Spent): void {
    for (const [key, n] of Object.entries(spent)) {
      const rate = rateOf(key);
      if (rate === undefined || !(n > 0)) continue;
      const bucket = this.#bucketOf(key, rate);
      bucket.tokens = Math.max(-rate.burst, bucket.tokens - n);
    }
  }

  #bucketOf(key: string, rate: Rate): Bucket {
    const now = this.#nowMs();
    if (this.#buckets.size >= BUCKETS_KEPT && !this.#buckets.has(key)) this.#forget(now);
    const bucket = this.#buckets.get(key) ?? { tokens: rate.burst, at: now };
    bucket.tokens = Math.min(
      rate.burst,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate.perSecond,
    );
    bucket.at = now;
    // Set again, so that the map stays in order of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #forget(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      const rate = rateOf(key);
      if (rate !== undefined && bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond >= rate.burst)
        this.#buckets.delete(key);
    }
    // A caller that makes new names faster than buckets refill loses the names it used longest ago, and gets no memory for it.
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= BUCKETS_KEPT * 0.9) return;
      this.#buckets.delete(key);
    }
  }
}

/** The rate of a bucket; undefined for one of another version. */
const rateOf = (key: string): Rate | undefined =>
  (RATES as Readonly<Record<string, Rate>>)[key.split(' ', 1)[0] ?? ''];

const burstOf = (key: string): number => rateOf(key)?.burst ?? 1;
