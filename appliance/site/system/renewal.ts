/** Validity of the certificate held now, and how often in a row its renewal has failed. Epoch ms. */
export interface Validity {
  readonly beginsAtMs: number;
  readonly expiresAtMs: number;
  readonly failed: number;
}

/** Certificates begin a day before their issue (control plane, section 8). */
const BACKDATED_MS = 86_400_000;
/** Renews on the 30th of 90 days (control plane, section 12), on the 122nd of a year. */
const SHARE = 1 / 3;
const RETRY_MS = 60_000;
const SELDOM_MS = 3_600_000;
/** Timers of Node are no longer; and a clock that was set meanwhile is noticed. */
const LONGEST_MS = 6 * 3_600_000;

/**
 * How long to wait before the next look, ms; 0 = renew now. Renewals are spread over a twentieth of the validity, so that
 * hosts that were enrolled on one day do not come on one day. `chance` in [0, 1).
 */
export function nextRenewalMs(
  { beginsAtMs, expiresAtMs, failed }: Validity,
  nowMs: number,
  chance: number,
): number {
  if (failed > 0) return Math.min(SELDOM_MS, RETRY_MS * 2 ** (failed - 1)) * (0.5 + chance / 2);
  const issuedAtMs = beginsAtMs + BACKDATED_MS;
  const validMs = Math.max(0, expiresAtMs - issuedAtMs);
  const dueMs = issuedAtMs + validMs * (SHARE + chance / 20);
  return Math.max(0, Math.min(LONGEST_MS, dueMs - nowMs));
}
