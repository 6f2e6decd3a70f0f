import type { SilenceTally } from '../../store/index.ts';
import type { Presence } from './presence.ts';
import { timingOf } from './profile.ts';

const OF_ALL = 0.5;
const OF_SHARD = 0.3;
const LEAST_HOSTS = 20;
/** A loss at fewer sites is theirs. */
export const LEAST_SITES = 5;

/** Pings that are due so soon count with those that are under way. */
const SOON_MS = 60_000;
/** A host that has not missed two heartbeats is well. */
const MISSED = 2;

/**
 * A host keeps its back-off where a connection between two losses was no longer than a minute (section 3.2). `Chosen:` a trouble continues the
 * one before when it begins so soon after its end: the last host comes back after 300 s, is there for a minute, and is missed after 365 s.
 */
const CONTINUED_MS = 725_000;

/** The last trouble of the platform. Times are of any one clock. */
export interface Trouble {
  /** Its begin, or that of the first of several of which each continued the one before. */
  readonly beganMs: number;
  /** The end of the last one that is over; null = none is. */
  readonly calmMs: number | null;
}

/** A trouble begins. */
export const troubleFrom = (before: Trouble | undefined, nowMs: number): Trouble => {
  const calmMs = before?.calmMs ?? null;
  const continues = before !== undefined && calmMs !== null && nowMs - calmMs <= CONTINUED_MS;
  return { beganMs: continues ? before.beganMs : nowMs, calmMs };
};

/**
 * Whether so many hosts fall silent at once that the fault must be ours: more than half of all, or 30 % of a shard, and
 * at least 20 hosts of 5 sites. Gives the tenants concerned, none otherwise. `Chosen:` none before one of them is suspect.
 */
export function massLoss(tallies: readonly (SilenceTally & { readonly sh: string })[]): string[] {
  if (!tallies.some(({ suspect }) => suspect > 0)) return [];
  const sum = (of: (tally: SilenceTally) => number, among: readonly SilenceTally[] = tallies): number =>
    among.reduce((total, tally) => total + of(tally), 0);
  const silentOf = ({ silent }: SilenceTally): number => silent;
  const isOfAll = sum(silentOf) > OF_ALL * sum(({ seen }) => seen);
  const concerned = tallies.filter(({ seen, silent }) => silent > (isOfAll ? 0 : OF_SHARD * seen));
  const places = concerned.flatMap(({ sites }) => sites);
  const sites = new Set(places.map((site) => site.join('/')));
  if (sum(silentOf, concerned) < LEAST_HOSTS || sites.size < LEAST_SITES) return [];
  return [...new Set(places.map(([tenant]) => tenant))].toSorted();
}

/** Nothing certain can be said of so many hosts that a mass loss which was there is not over for that. */
export function isUncertain(
  tallies: readonly { readonly seen: number; readonly doubtful: number }[],
): boolean {
  const seen = tallies.reduce((sum, tally) => sum + tally.seen, 0);
  return tallies.reduce((sum, { doubtful }) => sum + doubtful, 0) > OF_SHARD * seen;
}

/** When its pings are due soon, and it has missed what it should have said meanwhile. */
export function fallsSilentMs({ profile, lastSeenMs }: Presence): number {
  const { everyMs, silenceMs } = timingOf(profile);
  return lastSeenMs + Math.max(silenceMs - SOON_MS, MISSED * everyMs);
}
