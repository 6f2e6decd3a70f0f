import type { Unreached } from './call-input.ts';

/**
 * The better of two failures for a caller whose callees all failed (RFC 3261 16.7, step 6): a 6xx speaks for everybody,
 * else the lowest class, and within it the one that says more than "not found here". Its words go with it.
 */
export function betterFailure(before: Unreached | undefined, failure: Unreached): Unreached {
  if (before === undefined) return failure;
  return betterStatus(before.status, failure.status) === before.status ? before : failure;
}

function betterStatus(a: number, b: number): number {
  if (a >= 600 || b >= 600) return a >= 600 ? a : b;
  const [classA, classB] = [Math.floor(a / 100), Math.floor(b / 100)];
  if (classA !== classB) return classA < classB ? a : b;
  return RANK.indexOf(a) > RANK.indexOf(b) ? a : b;
}

/** Within one class, the one further right is sent. */
const RANK: readonly number[] = [408, 404, 480, 487, 415, 484, 488, 486];

/**
 * The status for a caller after a failure of its callee. We are a user agent to both: a failure that concerns only the hop
 * between us and the callee is not the caller's business (RFC 7092 5.1 leaves it to the B2BUA).
 */
export function statusForCaller(status: number): number {
  // A redirection is not followed: the callee is not here.
  if (status >= 300 && status < 400) return 480;
  return TRANSLATED.get(status) ?? status;
}

const TRANSLATED: ReadonlyMap<number, number> = new Map([
  // Our credentials were refused, not the caller's.
  [401, 502],
  [407, 502],
  // 422, 423 and 481 speak of our own dialog.
  [422, 500],
  [423, 500],
  [481, 480],
  // The callee's proxy ended a CANCEL of ours.
  [487, 480],
  // 16.7: a 503 would make the caller avoid this appliance for everything.
  [503, 500],
]);
