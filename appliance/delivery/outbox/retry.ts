import type { DeliveryResult } from './delivery.ts';

/** Waits after the first failed attempts (decisions 4.1), then `steadyS`, then `lateS`. */
const firstS = [1, 2, 5, 10, 20, 30, 60];
const steadyS = 60;
const lateS = 300;
/** The attempt that comes about an hour after the first: 128 s of the table and 58 steps of 60 s. */
const lateFrom = firstS.length + 58;
const jitter = 0.2;
const longestRetryAfterS = 300;

/**
 * Milliseconds until the next attempt after `attempts` failed ones. Chosen: the wait stays at 60 s until an hour has
 * passed and is 300 s from then on (control plane 5). `random` is in [0, 1).
 */
export function retryDelayMs(attempts: number, random: number, retryAfterS = 0): number {
  const stepS = firstS[attempts - 1] ?? (attempts < lateFrom ? steadyS : lateS);
  const jittered = stepS * (1 - jitter + 2 * jitter * random);
  return Math.round(1000 * Math.max(jittered, Math.min(retryAfterS, longestRetryAfterS)));
}

/** 4xx that may pass by themselves; any other 4xx says that this body will never be taken. */
const passing4xx = new Set([401, 403, 408, 409, 425, 429]);

/**
 * The cause of a failed attempt.
 * - `destination`: no delivery could succeed there now; counts for the circuit breaker.
 * - `record`: this record must wait (409), others may pass.
 * - `refusal`: this record is not wanted; three of them make it a dead letter.
 */
export type Fault = 'destination' | 'record' | 'refusal';

export function faultOf(result: Exclude<DeliveryResult, { kind: 'delivered' }>): Fault {
  if (result.kind === 'unreached' || result.status < 400 || result.status >= 500) return 'destination';
  if (!passing4xx.has(result.status)) return 'refusal';
  return result.status === 409 ? 'record' : 'destination';
}

/** Refusals after which a record is a dead letter. */
export const mostRefusals = 3;
