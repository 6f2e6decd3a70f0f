/**
 * Time as a core sees it: an argument, never a call. Only `io`, `main.ts` and tests make one of these.
 */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  readonly wallMs: () => number;
  /** Monotonic milliseconds since an arbitrary start; never goes back. Timers count in it. */
  readonly monoMs: () => number;
}
