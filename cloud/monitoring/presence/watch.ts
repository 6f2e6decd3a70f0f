import type { HostPlace } from '#shared/contract/feed/index.ts';
import { BrokerLosses } from './broker-losses.ts';
import { DeadlineWheel } from './deadline-wheel.ts';
import { isUncertain, massLoss, type Trouble, troubleFrom } from './mass-loss.ts';
import {
  connectivityOf,
  deadlineOf,
  initialPresence,
  type Presence,
  type PresenceEffect,
  type PresenceInput,
  type Remembered,
  stepPresence,
} from './presence.ts';
import { COLD_START_MS, MOVE_MS, reconnectMs, timingOf } from './profile.ts';
import { type Counted, ShardTallies, type ShardTally } from './shard-tallies.ts';
import type { Watched } from './watched.ts';

export type Connectivity = ReturnType<typeof connectivityOf>;

/** The events of the watch. Times are those of its monotonic clock. */
export interface WatchEvents {
  readonly onEffect: (uid: string, effect: PresenceEffect, presence: Presence) => void;
  readonly onTransition: (uid: string, from: Connectivity, to: Connectivity, lastSeenMs: number) => void;
  /** Too many fall silent at once: it is us. Tenants concerned; called once when it begins, and with `false` at its end. */
  readonly onPlatformTrouble: (tenants: readonly string[], on: boolean) => void;
  /** Where others watch, too: the hosts as they are seen here, once a second. Their judgement comes back as `judged`. */
  readonly onTallies?: (tallies: readonly ShardTally[], nowMs: number) => void;
}

/** A tick that comes later than this was held up: the judge was slow, not the hosts. */
const TICK_MS = 1_000;
const LAG_MS = 1_000;
/** While the platform itself is in doubt, verdicts are looked at again after this. */
const DOUBT_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;
/**
 * No suspect host is called offline by one of several while the judgement over all is older than this: it must have seen the host,
 * whose two pings take 10 s. `Chosen:` an owner waits for half a minute and no longer; a judge that was killed has a successor
 * after 12 s.
 */
const JUDGED_MS = 8_000;
const UNJUDGED_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;
/** `Chosen:` so long after the last word that was read of a host, what lies unread no longer counts for it: what holds it up is broken. */
const UNREAD_MS = 300_000;

/**
 * The judge of all hosts. A slow judge does not condemn: after a cold start, with a young or no broker connection, after a hold-up of
 * its own, and with messages of the host that wait for the database, deadlines are put off.
 */
export class Watch {
  readonly #events: WatchEvents;
  readonly #startedMs: number;
  readonly #wheel: DeadlineWheel;
  readonly #hosts = new Map<string, Watched>();
  readonly #presences = new Map<string, Presence>();
  /** The uids of each site: its hosts are asked for whenever one of them is silent. */
  readonly #sites = new Map<string, Set<string>>();
  /** From when on hosts of a shard with a broker may be judged, but for 3 T. */
  readonly #shardUpMs = new Map<string, number>();
  readonly #shardDownMs = new Map<string, number>();
  readonly #losses = new BrokerLosses();
  readonly #tallies: ShardTallies;
  #awayMs = 0;
  #lastTickMs: number;
  #heldUpUntilMs = 0;
  #troubled: ReadonlySet<string> = new Set();
  /** Absent: the platform has not been at fault yet. */
  #trouble: Trouble | undefined;
  readonly #judgesAlone: () => boolean;
  readonly #isUnread: (uid: string) => boolean;
  /** The hosts as they were seen then have been judged together with those of others. */
  #judgedMs: number;

  /** `judgesAlone`: it sees all hosts there are. `isUnread`: what a host has said may still lie unread in this process. */
  constructor(
    nowMs: number,
    events: WatchEvents,
    judgesAlone: () => boolean = () => true,
    isUnread: (uid: string) => boolean = () => false,
  ) {
    this.#events = events;
    this.#judgesAlone = judgesAlone;
    this.#isUnread = isUnread;
    this.#judgedMs = nowMs;
    this.#startedMs = nowMs;
    this.#lastTickMs = nowMs;
    this.#wheel = new DeadlineWheel(nowMs);
    this.#tallies = new ShardTallies(nowMs);
  }

  /** A host to watch, or a change of its profile. */
  put(host: Watched, remembered?: Remembered): void {
    const { uid } = host.place;
    const before = this.#presences.get(uid);
    this.#leave(uid);
    this.#hosts.set(uid, host);
    const site = siteOf(host.place);
    this.#sites.set(site, (this.#sites.get(site) ?? new Set()).add(uid));
    this.#keep(
      uid,
      before === undefined ? initialPresence(host.profile, remembered) : { ...before, profile: host.profile },
    );
  }

  remove(uid: string): void {
    this.#leave(uid);
    this.#hosts.delete(uid);
    this.#wheel.set(uid, undefined);
  }

  host(uid: string): Watched | undefined {
    return this.#hosts.get(uid);
  }

  /** The state of now: the next message of the host changes it. */
  presence(uid: string): Presence | undefined {
    return this.#presences.get(uid);
  }

  connectivity(uid: string): Connectivity {
    const presence = this.#presences.get(uid);
    return presence === undefined ? 'never' : connectivityOf(presence);
  }

  /** Hosts of the same site that are online, other than this one. */
  peers(uid: string): string[] {
    const site = this.#hosts.get(uid)?.place;
    if (site === undefined) return [];
    return this.ofSite(site)
      .map(({ place }) => place.uid)
      .filter((peer) => peer !== uid && this.#presences.get(peer)?.phase === 'online');
  }

  ofSite(site: Pick<HostPlace, 'tenant' | 'siteId'>): Watched[] {
    return [...(this.#sites.get(siteOf(site)) ?? [])].flatMap((uid) => this.#hosts.get(uid) ?? []);
  }

  #leave(uid: string): void {
    const place = this.#hosts.get(uid)?.place;
    if (place === undefined) return;
    this.#tallies.note(place, this.#presences.get(uid)?.phase, undefined);
    this.#presences.delete(uid);
    const site = this.#sites.get(siteOf(place));
    site?.delete(uid);
    if (site?.size === 0) this.#sites.delete(siteOf(place));
  }

  /** Hosts by what is observed of them. */
  counts(): ReadonlyMap<Connectivity, number> {
    const counts = new Map<Connectivity, number>();
    for (const presence of this.#presences.values()) {
      const connectivity = connectivityOf(presence);
      counts.set(connectivity, (counts.get(connectivity) ?? 0) + 1);
    }
    return counts;
  }

  /**
   * `whole`: every broker serves the shard. Where one does not, its hosts may still be there, unheard, and get time to move. `lost`: a broker
   * that served it does so no more.
   */
  shard(sh: string, up: boolean, nowMs: number, whole = true, lost = !up): void {
    const wasDownMs = this.#shardDownMs.get(sh);
    const downMs = wasDownMs ?? nowMs;
    if (up) {
      this.#shardUpMs.set(sh, nowMs + Math.max(reconnectMs(nowMs - downMs), whole ? 0 : MOVE_MS));
      this.#shardDownMs.delete(sh);
    } else {
      this.#shardUpMs.delete(sh);
      this.#shardDownMs.set(sh, downMs);
    }
    const isChange = up ? lost || wasDownMs !== undefined : wasDownMs === undefined;
    if (isChange) this.#losses.note(sh, this.#shardUpMs.size + this.#shardDownMs.size, downMs, nowMs);
  }

  /** Another one listens to the shard. */
  forgetShard(sh: string): void {
    this.#shardUpMs.delete(sh);
    this.#shardDownMs.delete(sh);
  }

  /** Before this start no control plane listened for so long, as far as the rows show. */
  wasAway(ms: number): void {
    this.#awayMs = Math.max(0, ms);
  }

  input(uid: string, input: PresenceInput): void {
    const before = this.#presences.get(uid);
    if (before === undefined) return;
    const from = connectivityOf(before);
    const { state, effects } = stepPresence(before, this.#weighed(uid, input));
    this.#keep(uid, state);
    const to = connectivityOf(state);
    if (from !== to) this.#events.onTransition(uid, from, to, state.lastSeenMs);
    for (const effect of effects) this.#events.onEffect(uid, effect, state);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    const lagMs = nowMs - this.#lastTickMs - TICK_MS;
    this.#lastTickMs = nowMs;
    // A short hold-up ends no time of grace that a long one has given.
    if (lagMs > LAG_MS) this.#heldUpUntilMs = Math.max(this.#heldUpUntilMs, nowMs + lagMs);
    this.#lookForTrouble(nowMs, this.#judgesAlone());
    for (const uid of this.#wheel.turn(nowMs)) {
      const mayMs = this.#mayCondemnMs(uid, nowMs);
      if (mayMs > nowMs) this.#wheel.set(uid, Math.min(mayMs, nowMs + DOUBT_MS));
      else this.input(uid, { kind: 'due', atMs: nowMs });
    }
  }

  /** Thousands that come back at once push each other off: that counts against a host no more than its silence would. */
  #weighed(uid: string, input: PresenceInput): PresenceInput {
    const weighs = input.kind !== 'will' || this.#mayJudgeMs(uid, input.atMs) <= input.atMs;
    return weighs ? input : { ...input, ours: true };
  }

  /** From when on silence may count against this host: not before everything that it said is read, or cannot be. */
  #mayCondemnMs(uid: string, nowMs: number): number {
    const readMs = this.#presences.get(uid)?.lastSeenMs ?? nowMs;
    if (this.#isUnread(uid) && nowMs - readMs < UNREAD_MS) return nowMs + LOOK_AGAIN_MS;
    return this.#mayJudgeMs(uid, nowMs);
  }

  /** From when on this host may be judged. */
  #mayJudgeMs(uid: string, nowMs: number): number {
    const host = this.#hosts.get(uid);
    if (host === undefined) return nowMs;
    const { everyMs } = timingOf(host.profile);
    const upMs = this.#shardUpMs.get(host.place.sh);
    if (upMs === undefined) return NEVER;
    const presence = this.#presences.get(uid);
    if (presence?.phase === 'suspect') {
      if (this.#troubled.size > 0) return nowMs + DOUBT_MS;
      if (this.#isUnjudged(nowMs)) return nowMs + LOOK_AGAIN_MS;
      const backMs = this.#backMs(presence);
      if (backMs > nowMs) return backMs;
    }
    const startedMs = this.#startedMs + reconnectMs(this.#awayMs) + COLD_START_MS;
    return Math.max(Math.max(startedMs, upMs, this.#losses.backMs) + 3 * everyMs, this.#heldUpUntilMs);
  }

  /**
   * `Chosen:` hosts that fell silent together come back one after the other, and the trouble is over when most of them are back: each
   * of the last ones gets the longest wait between two tries of a host that was away for so long, and 3 T. Without it they are called
   * offline at that moment. A host that was back for less than a minute goes on with the back-off of the loss before: it is as if it
   * had been away since the first of several troubles.
   */
  #backMs({ profile, lastSeenMs }: Presence): number {
    const { beganMs, calmMs } = this.#trouble ?? { beganMs: 0, calmMs: null };
    if (calmMs === null) return Number.NEGATIVE_INFINITY;
    const { everyMs, silenceMs } = timingOf(profile);
    return calmMs + reconnectMs(calmMs - Math.min(lastSeenMs, beganMs - silenceMs)) + 3 * everyMs;
  }

  #turnTo(tenants: ReadonlySet<string>): void {
    const nowMs = this.#lastTickMs;
    if (tenants.size > 0 && this.#troubled.size === 0) this.#trouble = troubleFrom(this.#trouble, nowMs);
    if (tenants.size === 0 && this.#troubled.size > 0 && this.#trouble !== undefined)
      this.#trouble = { ...this.#trouble, calmMs: nowMs };
    this.#troubled = tenants;
  }

  /**
   * The judgement over all hosts, those of others included. `asOfMs`: the moment whose tallies it has considered. `trouble`: as the
   * judges have seen it, of whom this process was none, or was not there.
   */
  judged(tenants: readonly string[], asOfMs: number, trouble?: Trouble): void {
    this.#turnTo(new Set(tenants));
    if (trouble !== undefined) this.#trouble = trouble;
    this.#judgedMs = Math.max(this.#judgedMs, asOfMs);
  }

  #isUnjudged(nowMs: number): boolean {
    const ageMs = nowMs - this.#judgedMs;
    return !this.#judgesAlone() && ageMs > JUDGED_MS && ageMs < UNJUDGED_MS;
  }

  #lookForTrouble(nowMs: number, alone: boolean): void {
    // Until it may be judged its silence may be ours.
    const isCertain = (uid: string) => this.#mayCondemnMs(uid, nowMs) <= nowMs;
    const tallies = this.#tallies.count(nowMs, (uid) => this.#counted(uid), isCertain);
    if (!alone) {
      this.#events.onTallies?.(tallies, nowMs);
      return;
    }
    this.#judgedMs = nowMs;
    const tenants = massLoss(tallies);
    const began = tenants.filter((tenant) => !this.#troubled.has(tenant));
    if (tenants.length > 0) {
      this.#turnTo(new Set([...this.#troubled, ...tenants]));
      if (began.length > 0) this.#events.onPlatformTrouble(began, true);
    } else if (this.#troubled.size > 0 && !isUncertain(tallies)) {
      const all = [...this.#troubled];
      this.#turnTo(new Set());
      this.#events.onPlatformTrouble(all, false);
    }
  }

  #counted(uid: string): Counted | undefined {
    const place = this.#hosts.get(uid)?.place;
    const presence = this.#presences.get(uid);
    return place === undefined || presence === undefined ? undefined : { place, presence };
  }

  /**
   * Copies a state into the object that is kept. A new object for each heartbeat would live until the next one: long enough to reach the old
   * generation of the heap, where only a full collection frees it.
   */
  #keep(uid: string, state: Presence): void {
    const place = this.#hosts.get(uid)?.place;
    const kept = this.#presences.get(uid);
    if (place !== undefined) this.#tallies.note(place, kept?.phase, state.phase);
    if (kept === undefined) this.#presences.set(uid, { ...state });
    else Object.assign(kept, state);
    this.#wheel.set(uid, deadlineOf(state));
  }
}

const siteOf = ({ tenant, siteId }: Pick<HostPlace, 'tenant' | 'siteId'>): string => `${tenant}/${siteId}`;
