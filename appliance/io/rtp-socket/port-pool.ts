/** Chosen: late packets of an old call must not reach another call. */
export const REST_MS = 10_000;
/** Chosen: the last of the ports, a sixteenth and 50 pairs at most, are for alarms alone. */
const RESERVE_SHARE = 1 / 16;
const MOST_RESERVED = 50;
/** Chosen: when there is no other, a pair that has rested for so long is better than a call that is refused. */
const LEAST_REST_MS = 1_000;

/**
 * Pairs of ports of a range: RTP even, RTCP odd. Time is an argument.
 *
 * ```
 *   free --take--> used --release--> resting --10 s--> free, behind all others
 *                   ^                   |
 *                   +--take: none free--+ the one that has rested longest, 1 s at least
 * ```
 */
export class PortPool {
  readonly #free: number[] = [];
  /** The one that has rested longest first. */
  readonly #resting: { readonly port: number; readonly sinceMs: number }[] = [];
  readonly #reserved: number;

  /** @param from first and `to` last port of the range; a pair must lie in it completely */
  constructor({ from, to }: { readonly from: number; readonly to: number }) {
    for (let port = from + (from % 2); port + 1 <= to; port += 2) this.#free.push(port);
    this.#reserved = Math.min(MOST_RESERVED, Math.floor(this.#free.length * RESERVE_SHARE));
  }

  /** The even port of a pair, or undefined when all are in use or rest. @param isOrdinary leaves the reserve to alarms */
  take(nowMs: number, isOrdinary = false): number | undefined {
    if (isOrdinary && this.free(nowMs).ordinary === 0) return undefined;
    while (this.#hasRested(REST_MS, nowMs)) {
      const rested = this.#resting.shift();
      if (rested !== undefined) this.#free.push(rested.port);
    }
    return (
      this.#free.shift() ?? (this.#hasRested(LEAST_REST_MS, nowMs) ? this.#resting.shift()?.port : undefined)
    );
  }

  /** Pairs that could be taken now. */
  free(nowMs: number): { readonly ordinary: number; readonly alarm: number } {
    const stillUsed = this.#resting.findIndex(({ sinceMs }) => sinceMs + LEAST_REST_MS > nowMs);
    const alarm = this.#free.length + (stillUsed < 0 ? this.#resting.length : stillUsed);
    return { ordinary: Math.max(0, alarm - this.#reserved), alarm };
  }

  release(port: number, nowMs: number): void {
    this.#resting.push({ port, sinceMs: nowMs });
  }

  /** Has the first of them rested for so long? */
  #hasRested(ms: number, nowMs: number): boolean {
    const [first] = this.#resting;
    return first !== undefined && first.sinceMs + ms <= nowMs;
  }
}
