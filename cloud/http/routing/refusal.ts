import type { Context } from 'hono';
import type { ErrorAnswer } from '#shared/contract/provisioning/index.ts';
import type { Failure } from '#shared/result.ts';
import { spillHead } from './json-text.ts';

/** Statuses a route may refuse with; every route declares them all. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 429 | 500 | 503 | 507;

/** Error to HTTP status: the one place where a failure gets a number. */
export const REFUSAL_STATUS: { readonly [code: string]: RefusalStatus } = {
  invalid: 400,
  malformed: 400,
  secretUnknown: 400,
  eventMapInvalid: 400,
  unauthorized: 401,
  secondFactorWrong: 403,
  forbidden: 403,
  secondFactorRequired: 403,
  csrfTokenWrong: 403,
  reauthenticationRequired: 403,
  unscopedTokenRequired: 403,
  makerEnds: 403,
  notFound: 404,
  conflict: 409,
  testFailed: 409,
  idempotencyKeyReused: 409,
  tokenShownOnce: 409,
  lastOwner: 409,
  makerInUse: 409,
  lastHost: 409,
  hostAway: 409,
  alarmTaken: 409,
  alarmClosed: 409,
  takerLost: 409,
  confirmationMissing: 409,
  pushOff: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  tooManyRequests: 429,
  storageFailed: 500,
  storageUnavailable: 503,
  storageFull: 507,
  defect: 500,
};

/**
 * The error body of every failure: `{success: false, reason, error: {code, path, …}}`. The other fields of the failure
 * (`issues`, `position`) go into `error`. `status` for a code this table does not know; without one it is 400.
 */
export function refusal(c: Context, failure: Failure, status?: RefusalStatus) {
  spillHead(c);
  c.set('refused', failure);
  const { reason, ...error } = failure;
  if ('retryAfterS' in error) c.header('Retry-After', String(error.retryAfterS));
  const body: ErrorAnswer = { success: false, reason, error: { ...error } };
  return c.json(body, status ?? REFUSAL_STATUS[failure.code] ?? 400);
}
