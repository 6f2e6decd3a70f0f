/** Upper edges of the buckets, ms; what is later falls into one more. */
const EDGES_MS = [0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 200, 500];

/** Which bucket a lateness falls into. */
export function latenessBucket(latenessMs: number): number {
  const index = EDGES_MS.findIndex((edge) => latenessMs <= edge);
  return index < 0 ? EDGES_MS.length : index;
}

/** How late slices were: counts in buckets, so that adding costs nothing. Quantiles are upper edges. */
export class Lateness {
  readonly #counts = new Uint32Array(EDGES_MS.length + 1);
  #total = 0;
  maxMs = 0;
  /** The sum of all that were added. */
  sumMs = 0;

  add(bucket: number, latenessMs: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total++;
    this.sumMs += latenessMs;
    if (latenessMs > this.maxMs) this.maxMs = latenessMs;
  }

  /** @param share 0.99 for p99 */
  quantileMs(share: number): number {
    let left = share * this.#total;
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0 && this.#total > 0) return Math.min(this.maxMs, EDGES_MS[bucket] ?? this.maxMs);
    }
    return this.maxMs;
  }

  /** Edges and counts, for metrics. */
  get histogram(): readonly { readonly uptoMs: number; readonly count: number }[] {
    return [...this.#counts].map((count, bucket) => ({
      uptoMs: EDGES_MS[bucket] ?? Number.POSITIVE_INFINITY,
      count,
    }));
  }
}
