/** Failures that pass (RFC 9110 15.6, RFC 6585 4); `undefined`: no answer came. */
const PASSING: ReadonlySet<number | undefined> = new Set([undefined, 429, 502, 503, 504]);

/** 429 is answered before anything was done. */
const NOTHING_DONE = 429;

/**
 * A repeat of GET, PUT and DELETE changes nothing more, and one of POST carries the same Idempotency-Key. A PATCH may have
 * been applied, and applied twice it may differ.
 */
export const mayRepeat = (method: string, status: number | undefined): boolean =>
  PASSING.has(status) && (method !== 'PATCH' || status === NOTHING_DONE);

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** Pause before the repeat after attempt 1, 2, …; `random` is 0 to 1, so that many clients do not return together. */
export function pauseMs(attempt: number, retryAfter: string | null, random: number): number {
  const seconds = /^\d{1,6}$/.test(retryAfter?.trim() ?? '') ? Number(retryAfter) : undefined;
  if (seconds !== undefined) return Math.min(LONGEST_MS, seconds * 1_000);
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random / 2);
}
