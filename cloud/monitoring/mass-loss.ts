import type { Presence } from './presence.ts';
import type { Watched } from './watch.ts';

const OF_ALL = 0.5;
const OF_SHARD = 0.3;
const LEAST_HOSTS = 20;
const LEAST_SITES = 5;

/**
 * Whether so many hosts are suspect at once that the fault must be ours: more than half of all, or 30 % of a shard, and
 * at least 20 hosts of 5 sites. Gives the tenants concerned, none otherwise.
 *
 * Chosen: every suspect host counts, not only those whose pings are due within 60 s, since a suspect host has no more
 * than that in all profiles but after a will.
 */
export function isMassLoss(
  hosts: ReadonlyMap<string, Watched>,
  presences: ReadonlyMap<string, Presence>,
): string[] {
  const suspects: Watched[] = [];
  const seen = new Tally();
  const lost = new Tally();
  for (const [uid, host] of hosts) {
    const phase = presences.get(uid)?.phase;
    if (phase === undefined || phase === 'never' || phase === 'offline' || phase === 'excused') continue;
    seen.add(host.place.sh);
    if (phase !== 'suspect') continue;
    lost.add(host.place.sh);
    suspects.push(host);
  }
  const concerned =
    suspects.length > OF_ALL * seen.total
      ? suspects
      : suspects.filter(({ place: { sh } }) => lost.of(sh) > OF_SHARD * seen.of(sh));
  const sites = new Set(concerned.map(({ place }) => `${place.tenant}/${place.siteId}`));
  if (concerned.length < LEAST_HOSTS || sites.size < LEAST_SITES) return [];
  return [...new Set(concerned.map(({ place }) => place.tenant))];
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
