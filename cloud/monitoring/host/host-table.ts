import type { Clock } from '#shared/clock.ts';
import type { ConcurrencyLimit } from '#shared/concurrency-limit.ts';
import type { HostPlace, Profile } from '#shared/contract/feed/index.ts';
import {
  type HostFacts,
  type HostFlap,
  type HostRow,
  type HostStatusRow,
  type HostWithStatus,
  hostsInLifecycle,
  hostsOf,
  hostsOfUids,
  type Lifecycle,
  openAlarm,
  openAlarmsWith,
  openOperations,
  type ReportedStatus,
  readHost,
  readHostStatus,
  readOperation,
  readSite,
  type SiteAlarmRow,
  type Store,
  sitesOf,
  updateHost,
  updateObservedStatus,
  updateObservedStatuses,
} from '../../store/index.ts';
import type { MonitoringPort, OwnedShards } from '../alarm/port.ts';
import { siteSubject } from '../alarm/wording.ts';
import { lossesOf } from '../presence/flap.ts';
import type { Remembered } from '../presence/presence.ts';
import type { Watch } from '../presence/watch.ts';
import type { Watched } from '../presence/watched.ts';
import { renewed } from './renewed.ts';
import { SharedParts } from './shared-part.ts';
import type { Revisions } from './uplink-record.ts';

/** The state of a host in memory, so that a heartbeat writes no row. */
export interface Known {
  host: Watched;
  /** Whether its silence is anybody's alarm: hosts in service, not those being set up or taken out. */
  judged: boolean;
  /** It is to be wiped: of what it says only states and events are taken. */
  leaving: boolean;
  sid: string | undefined;
  /** The last birth of this session; undefined: this program has heard none yet. */
  birthNo: number | undefined;
  revisions: Revisions;
  /** Set by `HostTable.report`. */
  facts: HostFacts;
  /** Something is known that no row says yet. */
  dirty: boolean;
  rebirthAskedMs: number;
  /** An operation waits for the host to be heard. */
  awaited: boolean;
  lifecycle: Lifecycle;
  /** Its clock against ours with its last heartbeat; undefined: it has sent none yet. */
  clockOffsetS: number | undefined;
}

/** Columns of the host that its birth fills. */
export interface SelfDescription {
  readonly version?: string | undefined;
  readonly siteBaseUrl?: string | undefined;
}

/** The content of a row at its next write. */
export interface PendingHostWrite extends Revisions {
  readonly facts: HostFacts;
  /** Epoch ms. */
  readonly lastSeen: number;
  /** How often contact was lost since it was last calm, and how many losses were not reported. */
  readonly contact: { readonly unstable: boolean; readonly losses: number; readonly suppressed: number };
}

/** Hosts that speak. */
const WATCHED: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained', 'decommissioning'];
const JUDGED: readonly Lifecycle[] = ['active', 'draining'];
/** The error of the alarm of a silent host, or of a site whose hosts are silent. */
const SILENCE = 'noHeartbeatReply';
const BATCH = 500;
/** The program does nothing else while it writes a batch. */
const WRITTEN_AT_ONCE = 100;

/** The facts of other rows that a host is learnt with. */
interface Surroundings {
  readonly profile: (site: Pick<HostPlace, 'tenant' | 'siteId'>) => Promise<Profile | undefined>;
  /** The alarm about the silence of a host, or of a site, that is not cleared. */
  readonly silence: (uid: string, service: string) => Promise<SiteAlarmRow | undefined>;
}

/** All hosts that speak, between their rows and the watch. */
export class HostTable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #watch: Watch;
  readonly #conditions: MonitoringPort['conditions'];
  readonly #shards: OwnedShards;
  readonly #limit: ConcurrencyLimit;
  readonly #known = new Map<string, Known>();
  readonly #parts = new SharedParts();
  /** Read host by host. */
  readonly #surroundings: Surroundings = {
    profile: async ({ tenant, siteId }) => (await readSite(this.#store, tenant, siteId))?.profile,
    silence: (uid, service) => openAlarm(this.#store, uid, SILENCE, service),
  };

  constructor({ store, shards, clock, conditions }: MonitoringPort, watch: Watch, limit: ConcurrencyLimit) {
    this.#store = store;
    this.#shards = shards;
    this.#clock = clock;
    this.#conditions = conditions;
    this.#watch = watch;
    this.#limit = limit;
  }

  /** Everything the rows say of the hosts of these shards; gives the sites of which an alarm stands. */
  async load(shards: ReadonlySet<string>, isStart: boolean): Promise<ReadonlySet<HostPlace>> {
    const out = new Set<HostPlace>();
    const only = this.#shards.ownsAll() ? undefined : [...shards];
    let after: string | undefined = '';
    let newest = 0;
    while (after !== undefined) {
      const batch: HostWithStatus[] = await hostsInLifecycle(this.#store, WATCHED, after, BATCH, only);
      const own = batch.filter(({ host }) => shards.has(host.sh));
      const surroundings = await this.#surroundingsOf(own);
      for (const { host, status } of own) {
        if (await this.#learn(host, status, surroundings)) out.add(host);
        newest = Math.max(newest, status.lastSeen ?? 0);
      }
      after = batch.length < BATCH ? undefined : batch.at(-1)?.host.uid;
    }
    for (let from = ''; ; ) {
      const open = await openOperations(this.#store, from, BATCH);
      for (const { uid } of open) this.#await(uid, true);
      const last = open.at(-1);
      if (last === undefined || open.length < BATCH) break;
      from = last.id;
    }
    // After a take-over hosts have had their broker all the time.
    if (isStart && newest > 0) this.#watch.wasAway(this.#clock.wallMs() - newest);
    return out;
  }

  /** Forgets the hosts of these shards: another replica observes them. */
  drop(shards: ReadonlySet<string>): void {
    for (const [uid, { host }] of this.#known) {
      if (!shards.has(host.place.sh)) continue;
      this.#known.delete(uid);
      this.#watch.remove(uid);
    }
  }

  /** Hosts of a site in service that other replicas observe, as the rows say. */
  async foreign({
    tenant,
    siteId,
  }: Pick<HostPlace, 'tenant' | 'siteId'>): Promise<readonly HostWithStatus[]> {
    if (this.#shards.ownsAll()) return [];
    const all = await hostsOf(this.#store, tenant, siteId);
    return all.filter(({ host }) => JUDGED.includes(host.lifecycle) && !this.#shards.owns(host.sh));
  }

  get(uid: string): Known | undefined {
    return this.#known.get(uid);
  }

  all(): Iterable<readonly [uid: string, Known]> {
    return this.#known;
  }

  /** The host has reported this of itself. */
  report(entry: Known, facts: HostFacts): void {
    entry.facts = renewed(entry.facts, this.#parts.facts(facts));
  }

  pendingWrite(uid: string): PendingHostWrite | undefined {
    const entry = this.#known.get(uid);
    const presence = this.#watch.presence(uid);
    if (entry?.sid === undefined || presence === undefined || presence.lastSeenMs === 0) return undefined;
    const { lastSeenMs, flap, suppressed } = presence;
    const contact = {
      unstable: flap.unstable,
      losses: lossesOf(flap, this.#clock.monoMs()),
      suppressed,
    };
    return { ...entry.revisions, facts: entry.facts, lastSeen: this.wallOf(lastSeenMs), contact };
  }

  /**
   * The host that speaks from this place; undefined when the place belongs to another host. The row is read when the host is new here,
   * or was somewhere else: another replica may have moved it, and the host is faster than the announcement of that.
   */
  async at(place: HostPlace): Promise<Known | undefined> {
    const isHere = () => isSamePlace(this.#known.get(place.uid)?.host.place, place);
    if (!isHere()) await this.relearn(place.uid);
    return isHere() ? this.#known.get(place.uid) : undefined;
  }

  /** The row has changed, or is there now, or means nothing any more. */
  relearn(uid: string): Promise<void> {
    return this.#limit.run(() => this.#relearn(uid));
  }

  async #relearn(uid: string): Promise<void> {
    const host = await readHost(this.#store, uid);
    const status = await readHostStatus(this.#store, uid);
    const isWatched = host !== undefined && WATCHED.includes(host.lifecycle) && this.#shards.owns(host.sh);
    if (isWatched && status !== undefined) {
      await this.#learn(host, status, this.#surroundings);
      const operation =
        host.operation === null ? undefined : await readOperation(this.#store, host.tenant, host.operation);
      this.#await(uid, operation?.state === 'pending');
      return;
    }
    this.#known.delete(uid);
    this.#watch.remove(uid);
  }

  /** `said`: what a birth says of the host itself, where it says it. */
  async write(entry: Known, said: SelfDescription = {}): Promise<void> {
    const { sh, uid } = entry.host.place;
    await this.#shards.storeOf(sh).withTx(async (tx) => {
      const [row] = await hostsOfUids(tx, [uid]);
      const observed = this.#observed(entry, row);
      if (row === undefined || observed === undefined) return;
      await updateObservedStatus(tx, uid, observed);
      const { version = row.host.version, siteBaseUrl = row.host.siteBaseUrl } = said;
      if (version !== row.host.version || siteBaseUrl !== row.host.siteBaseUrl)
        await updateHost(tx, uid, { version, siteBaseUrl });
    });
  }

  /** Those of which there is news that no row says; `only`: of these shards. */
  async writeAll(only?: ReadonlySet<string>): Promise<void> {
    const byShard = new Map<string, Known[]>();
    for (const entry of this.#known.values()) {
      const { sh } = entry.host.place;
      if (entry.dirty && only?.has(sh) !== false) byShard.set(sh, [...(byShard.get(sh) ?? []), entry]);
    }
    for (const [sh, dirty] of byShard) await this.#writeMany(sh, dirty);
  }

  async #writeMany(sh: string, dirty: readonly Known[]): Promise<void> {
    for (let at = 0; at < dirty.length; at += WRITTEN_AT_ONCE) {
      const batch = dirty.slice(at, at + WRITTEN_AT_ONCE);
      await this.#shards.storeOf(sh).withTx(async (tx) => {
        const uids = batch.map(({ host }) => host.place.uid);
        const rows = new Map((await hostsOfUids(tx, uids)).map((row) => [row.host.uid, row]));
        const observed = batch.flatMap(
          (entry) => this.#observed(entry, rows.get(entry.host.place.uid)) ?? [],
        );
        await updateObservedStatuses(tx, observed);
      });
    }
  }

  /** Its losses of contact as a row keeps them; null = calm. */
  flapOf(uid: string): HostFlap | null {
    const presence = this.#watch.presence(uid);
    if (presence === undefined) return null;
    const { flap, reportedUnstable: isReported, suppressed } = presence;
    // An unstable host must be reported as calm again first, whichever process does that.
    if (!flap.unstable && lossesOf(flap, this.#clock.monoMs()) === 0) return null;
    return { ...flap, at: this.wallOf(flap.at), told: isReported, suppressed };
  }

  wallOf(monoMs: number): number {
    return Math.round(this.#clock.wallMs() - (this.#clock.monoMs() - monoMs));
  }

  /** The status of a host that its row is to say now; undefined: it has no row any more. */
  #observed(entry: Known, row: HostWithStatus | undefined): (ReportedStatus & { uid: string }) | undefined {
    const { uid } = entry.host.place;
    const seenMs = this.#watch.presence(uid)?.lastSeenMs;
    entry.dirty = false;
    if (row === undefined) return undefined;
    const { host, status } = row;
    const { revisions, facts } = entry;
    const now = { ...status, ...revisions, facts };
    return {
      uid,
      ...revisions,
      facts,
      conditions: { ...this.#conditions({ host, status: now }, this.#clock.wallMs()) },
      sid: entry.sid ?? null,
      lastSeen: seenMs === undefined ? status.lastSeen : this.wallOf(seenMs),
      flap: this.flapOf(uid),
    };
  }

  #await(uid: string, awaited: boolean): void {
    const entry = this.#known.get(uid);
    if (entry !== undefined) entry.awaited = awaited;
  }

  /** The surroundings of these hosts, read at once: two questions for each of ten thousand take a minute where the database is far. */
  async #surroundingsOf(hosts: readonly HostWithStatus[]): Promise<Surroundings> {
    const siteUids = new Set(hosts.map(({ host }) => siteSubject(host).uid));
    const [tenants, siteIds] = (['tenant', 'siteId'] as const).map((name) => [
      ...new Set(hosts.map(({ host }) => host[name])),
    ]);
    const sites = await sitesOf(this.#store, tenants ?? [], siteIds ?? []);
    const uids = [...hosts.map(({ host }) => host.uid), ...siteUids];
    const alarms = await openAlarmsWith(this.#store, SILENCE, uids);
    const profiles = new Map(sites.map((site) => [siteSubject(site).uid, site.profile]));
    const silences = new Map(alarms.map((alarm) => [`${alarm.uid} ${alarm.service}`, alarm]));
    return {
      profile: async (site) => profiles.get(siteSubject(site).uid),
      silence: async (uid, service) => silences.get(`${uid} ${service}`),
    };
  }

  /** Whether the alarm of its site reports its silence. */
  async #learn(row: HostRow, status: HostStatusRow, surroundings: Surroundings): Promise<boolean> {
    const { uid, sh, tenant, siteId, hostId } = row;
    const profile = (await surroundings.profile(row)) ?? 'standard';
    const host: Watched = { place: { sh, tenant, siteId, uid }, hostId, profile };
    const judged = JUDGED.includes(row.lifecycle);
    const leaving = row.lifecycle === 'decommissioning';
    const before = this.#known.get(uid);
    if (before !== undefined) {
      before.host = host;
      before.judged = judged;
      before.leaving = leaving;
      before.lifecycle = row.lifecycle;
      this.#watch.put(host);
      return false;
    }
    const { revTenant, revSite, revHost, revPlatform, facts, lastSeen, connectivity } = status;
    const sid = status.sid ?? undefined;
    const revisions = { revTenant, revSite, revHost, revPlatform };
    const rebirthAskedMs = Number.NEGATIVE_INFINITY;
    this.#known.set(uid, {
      host,
      judged,
      leaving,
      sid,
      birthNo: undefined,
      revisions,
      facts: this.#parts.facts(facts),
      dirty: false,
      rebirthAskedMs,
      awaited: false,
      lifecycle: row.lifecycle,
      clockOffsetS: undefined,
    });
    if (lastSeen === null) {
      this.#watch.put(host);
      return false;
    }
    const own = await surroundings.silence(uid, '');
    const offline = connectivity === 'offline';
    const ofSite =
      offline && own === undefined ? await surroundings.silence(siteSubject(row).uid, 'site') : undefined;
    const alarm = own ?? ofSite;
    const raisedMs = alarm === undefined ? undefined : this.#monoOf(alarm.raisedAt);
    const phase = offline ? 'offline' : connectivity === 'suspect' ? 'suspect' : 'online';
    const remembered: Remembered = { phase, lastSeenMs: this.#monoOf(lastSeen), sid, raisedMs };
    const damping = status.flap === null ? undefined : this.#dampingOf(status.flap);
    this.#watch.put(host, { ...remembered, ...(damping !== undefined && { damping }) });
    return ofSite !== undefined;
  }

  #dampingOf({ told, suppressed, at, ...flap }: HostFlap): NonNullable<Remembered['damping']> {
    return { flap: { ...flap, at: this.#monoOf(at) }, reportedUnstable: told, suppressed };
  }

  #monoOf(wallMs: number): number {
    return this.#clock.monoMs() - (this.#clock.wallMs() - wallMs);
  }
}

const isSamePlace = (a: HostPlace | undefined, b: HostPlace): boolean =>
  a?.sh === b.sh && a.tenant === b.tenant && a.siteId === b.siteId && a.uid === b.uid;
