/** How an attempt at one host of a trunk ended. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Seconds of Retry-After. */
      readonly retryAfterS?: number | undefined;
    }
  /** No answer came in time. */
  | { readonly kind: 'timeout' }
  /** No address, no connection, or the connection broke. */
  | { readonly kind: 'unreachable' };

/** Final responses after which the next host is tried (decisions 3). */
const FAILOVER_STATUS: ReadonlySet<number> = new Set([408, 480, 500, 502, 503, 504]);

/** Is the next host to be tried? Everything else is the callee's own answer, which another host would only repeat. */
export const failsOver = (attempt: Attempt): boolean =>
  attempt.kind !== 'answered' || FAILOVER_STATUS.has(attempt.status);

/**
 * Does the attempt say that the host itself is in trouble, rather than the callee? 480 is the callee being away, 500
 * and 502 concern one call; a host that says 503, or 408 and 504 on behalf of what lies behind it, is avoided.
 */
export const hostFailed = (attempt: Attempt): boolean =>
  attempt.kind !== 'answered' || attempt.status === 503 || attempt.status === 408 || attempt.status === 504;

/** How long a host that failed a call is tried last, ms. */
const AVOIDED_MS = 30_000;
/** Chosen: a host that asks for more time is tried again after this time. */
const MOST_AVOIDED_MS = 600_000;

/** How long others go before a host that failed so. RFC 3261 21.5.4: one that says 503 may say for how long. */
export const avoidedMs = (attempt: Attempt): number =>
  attempt.kind === 'answered' && attempt.status === 503
    ? Math.min(MOST_AVOIDED_MS, Math.max(AVOIDED_MS, (attempt.retryAfterS ?? 0) * 1_000))
    : AVOIDED_MS;
