import type { Presence } from './presence.ts';
import { timingOf } from './profile.ts';
import type { Watched } from './watched.ts';

const OF_ALL = 0.5;
const OF_SHARD = 0.3;
const LEAST_HOSTS = 20;
const LEAST_SITES = 5;

/** Pings that are due so soon count with those that are under way. */
const SOON_MS = 60_000;
/** A host that has not missed two heartbeats is well. */
const MISSED = 2;

/**
 * Whether so many hosts fall silent at once that the fault must be ours: more than half of all, or 30 % of a shard, and
 * at least 20 hosts of 5 sites. Gives the tenants concerned, none otherwise.
 *
 * A host counts when it is suspect, or about to be (`fallsSilent`): heartbeats are spread over T, so that of hosts that fall silent
 * together the first are called offline before the last are suspect. Chosen: but not before one of them is.
 */
export function isMassLoss(
  hosts: ReadonlyMap<string, Watched>,
  presences: ReadonlyMap<string, Presence>,
  isSilent: (uid: string, presence: Presence) => boolean,
): string[] {
  let isAnySuspect = false;
  const silent: Watched[] = [];
  const seen = new Tally();
  const lost = new Tally();
  for (const [uid, host] of hosts) {
    const presence = presences.get(uid);
    const phase = presence?.phase ?? 'never';
    if (presence === undefined || phase === 'never' || phase === 'offline' || phase === 'excused') continue;
    seen.add(host.place.sh);
    isAnySuspect ||= phase === 'suspect';
    if (phase !== 'suspect' && !isSilent(uid, presence)) continue;
    lost.add(host.place.sh);
    silent.push(host);
  }
  if (!isAnySuspect) return [];
  const concerned =
    silent.length > OF_ALL * seen.total
      ? silent
      : silent.filter(({ place: { sh } }) => lost.of(sh) > OF_SHARD * seen.of(sh));
  const sites = new Set(concerned.map(({ place }) => `${place.tenant}/${place.siteId}`));
  if (concerned.length < LEAST_HOSTS || sites.size < LEAST_SITES) return [];
  return [...new Set(concerned.map(({ place }) => place.tenant))];
}

/** Its pings are due soon, and it has missed what it should have said meanwhile. */
export function fallsSilent({ profile, lastSeenMs }: Presence, nowMs: number): boolean {
  const { everyMs, silenceMs } = timingOf(profile);
  return nowMs - lastSeenMs >= Math.max(silenceMs - SOON_MS, MISSED * everyMs);
}

/** Hosts per shard. */
class Tally {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(sh: string): void {
    this.#counts.set(sh, this.of(sh) + 1);
    this.total += 1;
  }

  of(sh: string): number {
    return this.#counts.get(sh) ?? 0;
  }
}
