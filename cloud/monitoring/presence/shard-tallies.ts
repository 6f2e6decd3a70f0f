import type { HostPlace } from '#shared/contract/feed/index.ts';
import type { SilenceTally } from '../../store/index.ts';
import { DeadlineWheel } from './deadline-wheel.ts';
import { fallsSilentMs, LEAST_SITES } from './mass-loss.ts';
import type { Phase, Presence } from './presence.ts';

/** The hosts of one shard, as its owner sees them. */
export interface ShardTally extends SilenceTally {
  readonly sh: string;
  /** Hosts whose silence may be that of the judge: nothing certain can be said of the shard yet. */
  readonly doubtful: number;
}

/** A host that is watched, as it is now. */
export interface Counted {
  readonly place: HostPlace;
  readonly presence: Presence;
}

/** A host in one of these phases is not there, and its silence says nothing. */
const isAway = (phase: Phase): boolean => phase === 'never' || phase === 'offline' || phase === 'excused';

/**
 * Counts the hosts of each shard. A host is silent when it is suspect, or about to be (`fallsSilentMs`): heartbeats are spread over T,
 * so that of hosts that fall silent together the first are called offline before the last are suspect.
 *
 * A look costs what hosts are silent, not what hosts there are: the others are looked at again when they would fall silent if they said
 * nothing more.
 *
 *     note: begins, changes its phase ──▶ looked at with each count ── is there ──▶ wheel ── would fall silent by now ──▶ looked at
 */
export class ShardTallies {
  /** Hosts that are not away, by shard. */
  readonly #seen = new Map<string, number>();
  readonly #looked = new Set<string>();
  readonly #wheel: DeadlineWheel;

  constructor(nowMs: number) {
    this.#wheel = new DeadlineWheel(nowMs);
  }

  /** The phase of a host changes; undefined: before it is watched, or behind it. */
  note(
    { uid, sh }: Pick<HostPlace, 'uid' | 'sh'>,
    before: Phase | undefined,
    after: Phase | undefined,
  ): void {
    if (before === after) return;
    const was = before === undefined || isAway(before) ? 0 : 1;
    const is = after === undefined || isAway(after) ? 0 : 1;
    if (was !== is) this.#seen.set(sh, (this.#seen.get(sh) ?? 0) + is - was);
    if (is === 1) this.#looked.add(uid);
    else this.#looked.delete(uid);
    this.#wheel.set(uid, undefined);
  }

  /** `isCertain`: the silence of this host may be judged by now; otherwise it is doubtful. */
  count(
    nowMs: number,
    hostOf: (uid: string) => Counted | undefined,
    isCertain: (uid: string) => boolean,
  ): ShardTally[] {
    for (const uid of this.#wheel.turn(nowMs)) this.#looked.add(uid);
    const silences = new Map<string, Silences>();
    for (const uid of this.#looked) {
      const host = hostOf(uid);
      if (host === undefined) continue;
      const { place, presence } = host;
      const isSuspect = presence.phase === 'suspect';
      const atMs = fallsSilentMs(presence);
      if (!isSuspect && nowMs < atMs) {
        this.#looked.delete(uid);
        // The wheel is a second late at most: it is asked for the whole second before.
        this.#wheel.set(uid, 1_000 * Math.floor(atMs / 1_000));
        continue;
      }
      const of = silences.get(place.sh) ?? new Silences();
      silences.set(place.sh, of);
      if (isSuspect) of.suspect += 1;
      if (isSuspect || isCertain(uid)) of.silentAt(place.tenant, place.siteId);
      else of.doubtful += 1;
    }
    return [...this.#seen]
      .filter(([, seen]) => seen > 0)
      .map(([sh, seen]) => ({ sh, seen, ...(silences.get(sh) ?? new Silences()).tally() }));
  }
}

/** The silent hosts of a shard while they are counted. */
class Silences {
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

  tally(): Omit<ShardTally, 'sh' | 'seen'> {
    const { suspect, doubtful } = this;
    const sites = [...this.#sites]
      .flatMap(([tenant, each]) => [...each].map((siteId) => [tenant, siteId] as const))
      .toSorted(([a, b], [c, d]) => (`${a}/${b}` < `${c}/${d}` ? -1 : 1));
    return { silent: this.#silent, suspect, doubtful, sites };
  }
}
