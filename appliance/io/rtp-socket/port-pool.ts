/** Chosen: late packets of an old call must reach nobody. */
const REST_MS = 10_000;

/**
 * Pairs of ports of a range: RTP even, RTCP odd. Time is an argument.
 *
 * ```
 *   free --take--> used --release--> resting --10 s--> free, behind all others
 * ```
 */
export class PortPool {
  readonly #free: number[] = [];
  readonly #resting: { readonly port: number; readonly untilMs: number }[] = [];

  /** @param from first and `to` last port of the range; a pair must lie in it completely */
  constructor({ from, to }: { readonly from: number; readonly to: number }) {
    for (let port = from + (from % 2); port + 1 <= to; port += 2) this.#free.push(port);
  }

  /** The even port of a pair, or undefined when all are in use or rest. */
  take(nowMs: number): number | undefined {
    while ((this.#resting[0]?.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const rested = this.#resting.shift();
      if (rested !== undefined) this.#free.push(rested.port);
    }
    return this.#free.shift();
  }

  release(port: number, nowMs: number): void {
    this.#resting.push({ port, untilMs: nowMs + REST_MS });
  }
}
