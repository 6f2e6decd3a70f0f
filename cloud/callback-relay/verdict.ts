import type { Result } from '#shared/result.ts';
import type { RelayAnswer } from './port.ts';

/** Waits after failed attempts, seconds; then the last one; jitter 20 % (decisions, section 4.1). */
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 60, 120, 300] as const;
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_S = 300;

/** 4xx that may pass by themselves; any other says that this body will never be taken. */
const PASSING = new Set([401, 403, 408, 409, 425, 429]);
/** Refusals after which a delivery is a dead letter. */
export const MOST_REFUSALS = 3;

export type Verdict =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed';
      readonly refused: boolean;
      readonly reason: string;
      readonly retryAfterS: number;
    };

export function verdictOf(result: Result<RelayAnswer>): Verdict {
  if (!result.ok) {
    const { code, reason } = result.error;
    return { kind: 'failed', refused: false, reason: `${code}: ${reason}`, retryAfterS: 0 };
  }
  const { status, retryAfterS = 0 } = result.value;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const refused = status >= 400 && status < 500 && !PASSING.has(status);
  return { kind: 'failed', refused, reason: `answered ${status}`, retryAfterS };
}

/** Milliseconds until the next attempt after `attempts` failed ones. `chance` in [0, 1). */
export function retryDelayMs(attempts: number, chance: number, retryAfterS: number): number {
  const stepS = STEPS_S[Math.min(attempts, STEPS_S.length) - 1] ?? 1;
  const jittered = stepS * (1 - JITTER + 2 * JITTER * chance);
  return Math.round(1000 * Math.max(jittered, Math.min(retryAfterS, LONGEST_RETRY_AFTER_S)));
}
