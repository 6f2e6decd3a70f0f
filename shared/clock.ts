/**
 * Time as a core sees it: an argument, never a call. Only `io`, `main.ts` and tests make one of these.
 */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  readonly wallMs: () => number;
  /** Monotonic milliseconds since an arbitrary start; never goes back. Timers count in it. */
  readonly monoMs: () => number;
  /** Milliseconds since the kernel began, one clock for all lives of the program in one boot. Absent: as `monoMs`. */
  readonly bootMs?: () => number;
}

/** The time of a record in addition to the wall clock: whole milliseconds, comparable within one boot. */
export const recordMs = ({ bootMs, monoMs }: Clock): number => Math.round((bootMs ?? monoMs)());
