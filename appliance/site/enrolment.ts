import type { HostIdentity } from './identity.ts';

/**
 * How one attempt to become a host ended.
 *
 * `waiting`: known, and a person must commission it; the same request again after `retryAfterS`.
 * `unreachable`: nothing was decided; again after 30 s. `refused`: the cloud said no; only a person can help.
 */
export type EnrolOutcome =
  | { readonly kind: 'enrolled'; readonly identity: HostIdentity }
  | {
      readonly kind: 'waiting';
      readonly siteId: string;
      readonly hostId: string;
      readonly retryAfterS: number;
    }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

const RETRY_MS = 30_000;

/**
 * Milliseconds until the next attempt, 20 % jitter around the step; undefined when there is none to make.
 * `random` is a number in [0, 1).
 */
export function nextAttemptMs(outcome: EnrolOutcome, random: number): number | undefined {
  if (outcome.kind === 'enrolled' || outcome.kind === 'refused') return undefined;
  const stepMs = outcome.kind === 'waiting' ? outcome.retryAfterS * 1_000 : RETRY_MS;
  return Math.round(stepMs * (0.8 + 0.4 * random));
}
