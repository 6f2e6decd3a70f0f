import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** A value of the configuration that a person on site has replaced, for a while (control plane 4). */
export interface Override {
  readonly key: string;
  readonly value: unknown;
  readonly author: string;
  readonly reason: string;
  /** Epoch ms. */
  readonly since: number;
  /** Epoch ms; null = until it is cleared. */
  readonly expiresAt: number | null;
  /** A technician holds it against later revisions. */
  readonly pinned: boolean;
  /** A network change on trial: it undoes itself unless the cloud is reached or a person confirms. */
  readonly trial: boolean;
  /** The value of the configuration when it was set, as JSON text; a later revision with another value wins. */
  readonly wanted: string;
  /** A later revision wants something else, and the override is pinned. */
  readonly drift: boolean;
  /** The audit log of the tenant has it; absent: not yet. */
  readonly noted?: boolean;
  /** A person on site cleared it; it is deleted once the audit log of the tenant has it. */
  readonly cleared?: { readonly by: string };
  /** Overrides of the same key that were not reported to the audit log before this one took their place; the oldest first. */
  readonly before?: readonly Override[];
}

/** The request of a person; the rest is noted here. */
export interface OverrideRequest {
  readonly key: string;
  readonly value: unknown;
  readonly author: string;
  readonly reason: string;
  /** Lifetime, ms; ignored for the network. */
  readonly ttlMs: number | undefined;
  readonly pinned: boolean;
}

/** Longest life of an override. */
const LONGEST_OVERRIDE_MS = 72 * 3_600_000;
/** A network change that is not confirmed and that does not reach the cloud undoes itself after this. */
const NETWORK_TRIAL_MS = 120_000;

const LEVELS = ['error', 'warn', 'info', 'debug'];

type Check = (value: unknown) => string | undefined;

/** Keys that may be overridden, and what is wrong with a value. */
const KEYS: readonly (readonly [key: RegExp, check: Check])[] = [
  [/^network$/, (value) => (isRecord(value) ? undefined : 'the network is an object {ifs, prefix}')],
  [
    /^logLevel$/,
    (value) => (LEVELS.some((level) => level === value) ? undefined : `write ${LEVELS.join(', ')}`),
  ],
  [
    /^service:[a-z]{1,24}$/,
    (value) => (value === 'paused' ? undefined : 'a service can be paused: write paused'),
  ],
  [/^testMode$/, (value) => (value === true ? undefined : 'test mode is true, or cleared')],
  [
    /^fallbackNumber$/,
    (value) =>
      typeof value === 'string' && /^(\+?\d{3,20}|sips?:\S+)$/.test(value)
        ? undefined
        : 'write a number or sip:…',
  ],
];

/** `wanted`: what the configuration says of this key now. Fails with one sentence for the person. */
export function makeOverride(
  request: OverrideRequest,
  wanted: unknown,
  nowMs: number,
): Result<Override, Failure<'invalid'>> {
  const { key, value, author, reason, ttlMs, pinned } = request;
  const check = KEYS.find(([pattern]) => pattern.test(key))?.[1];
  if (check === undefined) {
    return fail(
      'invalid',
      `${key} cannot be overridden; network, logLevel, service:NAME, testMode, fallbackNumber can`,
    );
  }
  const wrong = check(value);
  if (wrong !== undefined) return fail('invalid', `${key}: ${wrong}`);
  if (author.trim() === '' || reason.trim() === '') {
    return fail(
      'invalid',
      'say who does it and why: an override without author and reason helps nobody later',
    );
  }
  const network = key === 'network';
  if (!network && (ttlMs === undefined || ttlMs <= 0 || ttlMs > LONGEST_OVERRIDE_MS)) {
    return fail('invalid', 'an override ends by itself: give it between a minute and 72 hours');
  }
  const lifeMs = network ? NETWORK_TRIAL_MS : (ttlMs ?? 0);
  return ok({
    key,
    value,
    author,
    reason,
    since: nowMs,
    expiresAt: nowMs + lifeMs,
    pinned,
    trial: network,
    wanted: textOf(wanted),
    drift: false,
  });
}

/** Chosen: more changes of one key than a person makes while the program stands still. */
const MOST_BEFORE = 10;

/** `next` in the place of `now`, which is not forgotten before the audit log has it. */
export function inPlaceOf(now: Override | undefined, next: Override): Override {
  if (now === undefined || (now.noted === true && now.cleared === undefined)) return next;
  const { before = [], ...own } = now;
  return { ...next, before: [...before, own].slice(-MOST_BEFORE) };
}

/** The present overrides: without those that were cleared and whose end was not reported yet. */
export const standing = (overrides: readonly Override[]): readonly Override[] =>
  overrides.filter(({ cleared }) => cleared === undefined);

/** A technician on site holds this: its override is pinned, and no person has cleared it. */
export const isHeldOnSite = (overrides: readonly Override[], which: Override['key']): boolean =>
  standing(overrides).some(({ key, pinned }) => key === which && pinned);

/** The network change works: it stays until a person clears it. */
export const confirmed = (override: Override): Override => ({ ...override, trial: false, expiresAt: null });

export type OverrideEnd = 'expired' | 'superseded' | 'cleared';

export interface Review {
  readonly stays: readonly Override[];
  /** Each with why it is over. */
  readonly over: readonly (readonly [override: Override, why: OverrideEnd])[];
}

/** Which overrides are in force at `nowMs`, given what the configuration wants of each key now. */
export function reviewOverrides(
  overrides: readonly Override[],
  wanted: (key: string) => unknown,
  nowMs: number,
): Review {
  const stays: Override[] = [];
  const over: (readonly [Override, OverrideEnd])[] = [];
  for (const override of overrides) {
    const superseded = textOf(wanted(override.key)) !== override.wanted;
    if (override.cleared !== undefined) over.push([override, 'cleared']);
    else if (override.expiresAt !== null && override.expiresAt <= nowMs) over.push([override, 'expired']);
    else if (superseded && !override.pinned) over.push([override, 'superseded']);
    else stays.push(superseded === override.drift ? override : { ...override, drift: superseded });
  }
  return { stays, over };
}

/** Keys in one order, so that the same request has the same text. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isRecord(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? 'null'
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
