import { BoundedMap } from '#shared/bounded-map.ts';

/** So many at once, and so many each second behind them. */
export interface Rate {
  readonly burst: number;
  readonly perS: number;
}

/** A rate of one source, and one of all together. */
export interface Rates {
  readonly source: Rate;
  readonly tenant: Rate;
}

/** Holds tokens that come back with time. Times are monotonic ms. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #atMs: number | undefined;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#tokens = rate.burst;
  }

  /** Whether a token is there. */
  has(nowMs: number): boolean {
    const { burst, perS } = this.#rate;
    const sinceMs = Math.max(0, nowMs - (this.#atMs ?? nowMs));
    this.#tokens = Math.min(burst, this.#tokens + (sinceMs / 1_000) * perS);
    this.#atMs = nowMs;
    return this.#tokens >= 1;
  }

  /** When a token is there; now, if one is. */
  nextMs(nowMs: number): number {
    if (this.has(nowMs)) return nowMs;
    // A little later than exactly, so that no rounding asks for the same moment again.
    return nowMs + Math.ceil(((1 - this.#tokens) / this.#rate.perS) * 1_000 + 0.01);
  }

  /** Takes a token; false: there is none. */
  draw(nowMs: number): boolean {
    if (!this.has(nowMs)) return false;
    this.#tokens--;
    return true;
  }
}

/** A bucket for each source. Bounded: the source unseen longest is forgotten, and begins with a full bucket. */
export class SourceBuckets {
  readonly #rate: Rate;
  readonly #buckets: BoundedMap<string, TokenBucket>;

  constructor(rate: Rate, most = 10_000) {
    this.#rate = rate;
    this.#buckets = new BoundedMap(most);
  }

  of(source: string): TokenBucket {
    const bucket = this.#buckets.get(source) ?? new TokenBucket(this.#rate);
    this.#buckets.set(source, bucket);
    return bucket;
  }
}
