/**
 * Circuit breaker of one destination (control plane 5): while it is open, one record in 10 s tries the way.
 *
 *   closed --5 failures in a row--> open --attempt got through--> closed
 *                                    `--attempt failed: next probe in 10 s
 *
 * Chosen: a probe is an attempt of a record that is due, so the waits of a single record stay as written; with many
 * records another one tries each time.
 */
export interface Breaker {
  readonly failures: number;
  /** Monotonic time before which nothing is tried; undefined = closed. */
  readonly probeAtMs: number | undefined;
}

const failuresToOpen = 5;
const probeEveryMs = 10_000;

export const closedBreaker: Breaker = { failures: 0, probeAtMs: undefined };

export function breakerFailed(breaker: Breaker, monoMs: number): Breaker {
  const failures = breaker.failures + 1;
  return { failures, probeAtMs: failures < failuresToOpen ? undefined : monoMs + probeEveryMs };
}

/** Attempts that may be under way at once: all, one when a probe is due, none before. */
export function breakerAllows(breaker: Breaker, monoMs: number, all: number): number {
  if (breaker.probeAtMs === undefined) return all;
  return monoMs >= breaker.probeAtMs ? 1 : 0;
}
