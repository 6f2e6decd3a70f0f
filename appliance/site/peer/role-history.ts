import type { ROLE_CAUSES, SiteRole } from '#shared/contract/feed/index.ts';

/**
 * The reports about the roles of this host: which it has, and why that changed, as far as it can see. A look each second comes
 * in; a report goes out when the view has not changed for `HOLD_MS`, so that neither a flicker nor the first seconds after a
 * start, when no host has been heard yet, are a failover.
 */
export interface RoleSnapshot {
  /** `vip`, `leader`. */
  readonly roles: readonly string[];
  readonly epoch: number;
  /** hostId of every other host and how its link is: `ok`, `lost`, `dead`, `unknown`. */
  readonly words: Readonly<Record<string, string>>;
  /** hostId of the host that has each role, this host included; absent: no host that we see. */
  readonly holders: Readonly<Record<string, string>>;
  readonly hostId: string;
  /** Other hosts that serve. */
  readonly serving: readonly string[];
  /** It may have the roles. */
  readonly serves: boolean;
  /** Why it may not; empty where it is drained. */
  readonly faults: readonly string[];
}

export interface RoleHistory {
  /** The last report, with the holders of the roles then. */
  readonly reported: RoleSnapshot | undefined;
  /** The present view, and since when (monotonic ms). */
  readonly seen: RoleSnapshot | undefined;
  readonly sinceMs: number;
}

type Cause = (typeof ROLE_CAUSES)[number];

/** Longer than it takes to miss a host (3 s): a gap that its death explains is reported as such. */
const HOLD_MS = 4_000;

export const initialRoleHistory: RoleHistory = { reported: undefined, seen: undefined, sinceMs: 0 };

export function stepRoles(
  story: RoleHistory,
  look: RoleSnapshot,
  nowMs: number,
): { readonly story: RoleHistory; readonly change?: SiteRole } {
  const isNew = story.seen === undefined || signOf(story.seen) !== signOf(look);
  const sinceMs = isNew ? nowMs : story.sinceMs;
  const seen = { ...story, seen: look, sinceMs };
  const unknown = Object.values(look.words).includes('unknown');
  if (unknown || nowMs - sinceMs < HOLD_MS) return { story: seen };
  const { reported } = story;
  if (reported !== undefined && signOf(reported) === signOf(look))
    // Roles of other hosts may have moved meanwhile, and the next report compares with them; a host that is being missed holds
    // its role until another one does.
    return { story: { ...seen, reported: { ...look, holders: { ...reported.holders, ...look.holders } } } };
  const change = changeOf(reported, look, nowMs - sinceMs);
  return { story: { ...seen, reported: look }, ...(change && { change }) };
}

/** The parts of a view that make a difference: our roles, and the dead hosts. */
const signOf = ({ roles, words }: RoleSnapshot): string =>
  JSON.stringify([roles.toSorted(), deadIn(words).toSorted()]);

const deadIn = (words: RoleSnapshot['words']): string[] =>
  Object.keys(words).filter((hostId) => words[hostId] === 'dead');

function changeOf(before: RoleSnapshot | undefined, now: RoleSnapshot, agoMs: number): SiteRole | undefined {
  const { epoch, roles, words, faults } = now;
  const gained = roles.filter((role) => before?.roles.includes(role) !== true);
  const lost = (before?.roles ?? []).filter((role) => !roles.includes(role));
  const took = deadIn(words).filter((hostId) => before?.words[hostId] !== 'dead');
  // A start that gives no role and finds every host is no news.
  if (before === undefined && roles.length === 0 && took.length === 0) return undefined;
  return {
    epoch,
    roles: [...roles],
    gained,
    lost,
    took,
    agoMs: Math.round(agoMs),
    faults: now.serves ? [] : [...faults],
    ...causeOf(before, now, { gained, lost, took }),
  };
}

function causeOf(
  before: RoleSnapshot | undefined,
  now: RoleSnapshot,
  { gained, lost, took }: Record<'gained' | 'lost' | 'took', readonly string[]>,
): { readonly cause: Cause; readonly of?: string } {
  const others = (look: RoleSnapshot | undefined, roles: readonly string[]): string[] =>
    roles.flatMap((role) => {
      const holder = look?.holders[role];
      return holder === undefined || holder === now.hostId ? [] : [holder];
    });
  if (gained.length > 0) {
    const [of] = others(before, gained);
    if (of !== undefined) return { cause: partedBy(of, now), of };
    const [dead] = took;
    if (dead !== undefined) return { cause: 'hostLost', of: dead };
    return { cause: before === undefined ? 'started' : 'other' };
  }
  if (lost.length > 0) {
    if (!now.serves) return { cause: 'notServing' };
    const [of] = others(now, lost);
    return of === undefined ? { cause: 'other' } : { cause: 'takenBy', of };
  }
  const [dead] = took;
  if (dead !== undefined) return { cause: 'hostLost', of: dead };
  const back = deadIn(before?.words ?? {}).find((hostId) => now.words[hostId] !== 'dead');
  return back === undefined ? { cause: 'other' } : { cause: 'hostBack', of: back };
}

/** How a host that had our roles parted with them. */
const partedBy = (of: string, { words, serving }: RoleSnapshot): Cause => {
  if (words[of] !== 'ok') return 'hostLost';
  return serving.includes(of) ? 'preferred' : 'handedOver';
};
