import type { SilenceTally } from '../../store/index.ts';
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

/** The hosts of one shard, as its owner sees them. */
export interface ShardTally extends SilenceTally {
  readonly sh: string;
  /** Hosts whose silence may be that of the judge: nothing certain can be said of the shard yet. */
  readonly doubtful: number;
}

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

/** `silent`: it is about to be suspect; `doubtful`: so it seems, and it may not be judged yet. */
type Seeming = 'there' | 'silent' | 'doubtful';

/**
 * Counts the hosts of each shard. A host is silent when it is suspect, or about to be (`fallsSilent`): heartbeats are spread over T,
 * so that of hosts that fall silent together the first are called offline before the last are suspect.
 */
export function tallied(
  hosts: ReadonlyMap<string, Watched>,
  presences: ReadonlyMap<string, Presence>,
  seeming: (uid: string, presence: Presence) => Seeming,
): ShardTally[] {
  const shards = new Map<string, Counted>();
  for (const [uid, { place }] of hosts) {
    const presence = presences.get(uid);
    const phase = presence?.phase ?? 'never';
    if (presence === undefined || phase === 'never' || phase === 'offline' || phase === 'excused') continue;
    const counted = shards.get(place.sh) ?? new Counted();
    shards.set(place.sh, counted);
    counted.seen += 1;
    const seems = phase === 'suspect' ? 'silent' : seeming(uid, presence);
    if (phase === 'suspect') counted.suspect += 1;
    if (seems === 'doubtful') counted.doubtful += 1;
    if (seems === 'silent') counted.silentAt(place.tenant, place.siteId);
  }
  return [...shards].map(([sh, counted]) => ({ sh, ...counted.tally() }));
}

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
export function isUncertain(tallies: readonly Pick<ShardTally, 'seen' | 'doubtful'>[]): boolean {
  const seen = tallies.reduce((sum, tally) => sum + tally.seen, 0);
  return tallies.reduce((sum, { doubtful }) => sum + doubtful, 0) > OF_SHARD * seen;
}

/** Its pings are due soon, and it has missed what it should have said meanwhile. */
export function fallsSilent({ profile, lastSeenMs }: Presence, nowMs: number): boolean {
  const { everyMs, silenceMs } = timingOf(profile);
  return nowMs - lastSeenMs >= Math.max(silenceMs - SOON_MS, MISSED * everyMs);
}

/** The hosts of a shard while they are counted. */
class Counted {
  seen = 0;
  suspect = 0;
  doubtful = 0;
  #silent = 0;
  /** Sites by tenant: no more than the judgement needs, so that a tally stays small. */
  readonly #sites = new Map<string, Set<string>>();

  silentAt(tenant: string, siteId: string): void {
    this.#silent += 1;
    const sites = this.#sites.get(tenant) ?? new Set();
    this.#sites.set(tenant, sites);
    if (sites.size < LEAST_SITES) sites.add(siteId);
  }

  tally(): Omit<ShardTally, 'sh'> {
    const { seen, suspect, doubtful } = this;
    const sites = [...this.#sites]
      .flatMap(([tenant, each]) => [...each].map((siteId) => [tenant, siteId] as const))
      .toSorted(([a, b], [c, d]) => (`${a}/${b}` < `${c}/${d}` ? -1 : 1));
    return { seen, silent: this.#silent, suspect, doubtful, sites };
  }
}
