import type { HostPlace } from '#shared/contract/feed/index.ts';
import { type HostWithStatus, lockTenant, openAlarm } from '../../store/index.ts';
import type { AlarmTable } from '../alarm/alarm-table.ts';
import type { MonitoringPort } from '../alarm/port.ts';
import { silentHostText, siteDownText, siteSubject } from '../alarm/wording.ts';
import type { Cause } from '../presence/presence.ts';
import type { Connectivity, Watch } from '../presence/watch.ts';
import type { HostTable } from './host-table.ts';
import type { ReportedTurns } from './turn.ts';

export interface SiteOutageDependencies {
  readonly watch: Watch;
  readonly hosts: HostTable;
  readonly alarms: AlarmTable;
  readonly turns: ReportedTurns;
}

type Site = Pick<HostPlace, 'tenant' | 'siteId'>;
/** With the shard of the host that is the reason: its owner writes. */
type SiteOfShard = Pick<HostPlace, 'tenant' | 'siteId' | 'sh'>;

/** As rows show hosts that other replicas observe. */
const SILENT: readonly Connectivity[] = ['offline', 'suspect'];

/**
 * All hosts of a site silent: one alarm, "uplink or power", with the hosts as details (control plane, section 7).
 *
 *     last of two or more falls silent ──▶ one alarm of the site; whoever follows is only counted
 *     one of them is well again ─────────▶ it is cleared; those that are still silent have each their own
 *
 * A site of one host has the alarm of that host, which says the same.
 */
export class SiteOutage {
  readonly #store: MonitoringPort['store'];
  readonly #shards: MonitoringPort['shards'];
  readonly #dependencies: SiteOutageDependencies;
  /** Sites whose alarm stands, as far as this program knows; the rows decide. */
  readonly #out = new Map<string, SiteOfShard>();

  constructor({ store, shards }: MonitoringPort, dependencies: SiteOutageDependencies) {
    this.#store = store;
    this.#shards = shards;
    this.#dependencies = dependencies;
  }

  /**
   * A host is silent and that is to be reported: whether the alarm of its site reports it. `foreign`: hosts of the site that
   * other replicas observe.
   */
  takes(place: HostPlace, cause: Cause, foreign: readonly HostWithStatus[] = []): boolean {
    // A host that was shut down, or that another one sees, has not lost the uplink of all.
    if (cause !== 'silence') return false;
    const all = this.#judged(place);
    if (all.length + foreign.length < 2 || all.some((uid) => !this.#isSilent(uid))) return false;
    if (foreign.some(({ status }) => !SILENT.includes(status.connectivity))) return false;
    const subject = siteSubject(place);
    this.#out.set(subject.uid, { tenant: place.tenant, siteId: place.siteId, sh: place.sh });
    const names = [
      ...all.map((uid) => this.#dependencies.hosts.get(uid)?.host.hostId ?? uid),
      ...foreign.map(({ host }) => host.hostId),
    ].toSorted();
    const { alarms, turns } = this.#dependencies;
    const newAlarm = siteDownText(place.siteId, names);
    const raise = (): Promise<void> =>
      this.#shards.storeOf(place.sh).withTx(async (tx) => {
        // Two owners may see the last of their hosts fall silent at once.
        await lockTenant(tx, place.tenant);
        await alarms.raise(tx, subject, newAlarm);
      });
    turns.addLasting(subject.uid, place.sh, raise);
    return true;
  }

  /** A host is there again, or is not watched any more. */
  returned(place: SiteOfShard): void {
    const { alarms, hosts, turns, watch } = this.#dependencies;
    const subject = siteSubject(place);
    // Where another replica has raised it, only the row knows.
    if (!this.#out.delete(subject.uid) && this.#shards.ownsAll()) return;
    const { error, service } = siteDownText(place.siteId, []);
    const silent = this.#judged(place).filter((uid) => watch.connectivity(uid) === 'offline');
    const clear = (): Promise<void> =>
      this.#shards.storeOf(place.sh).withTx(async (tx) => {
        await lockTenant(tx, place.tenant);
        await alarms.clear(tx, subject, error, service);
        for (const uid of silent) {
          const entry = hosts.get(uid);
          const seenMs = watch.presence(uid)?.lastSeenMs;
          if (entry === undefined || seenMs === undefined) continue;
          const { hostId } = entry.host;
          const newAlarm = silentHostText(hostId, 'silence', false, hosts.wallOf(seenMs));
          await alarms.raise(tx, { ...entry.host.place, hostId }, newAlarm);
        }
      });
    turns.addLasting(subject.uid, place.sh, clear);
  }

  /** An alarm of this site stands from before this program began. */
  remembered({ tenant, siteId, sh }: SiteOfShard): void {
    this.#out.set(siteSubject({ tenant, siteId }).uid, { tenant, siteId, sh });
  }

  /** Now and then: a site of which a host is there without having been away, or of which none is left. */
  look(): void {
    for (const site of [...this.#out.values()]) {
      const judged = this.#judged(site);
      if (judged.length === 0 || judged.some((uid) => !this.#isSilent(uid))) this.returned(site);
      else if (!this.#shards.ownsAll()) this.#lookAtRow(site);
    }
  }

  /** Another replica has cleared the alarm of the site, for one of its hosts is back: ours that are silent have each their own. */
  #lookAtRow(site: SiteOfShard): void {
    const subject = siteSubject(site);
    const { error, service } = siteDownText(site.siteId, []);
    this.#dependencies.turns.add(subject.uid, async () => {
      if ((await openAlarm(this.#store, subject.uid, error, service)) === undefined) this.returned(site);
    });
  }

  /** Those of shards that another replica observes now. */
  forget(shards: ReadonlySet<string>): void {
    for (const [uid, { sh }] of this.#out) if (shards.has(sh)) this.#out.delete(uid);
  }

  #judged(site: Site): string[] {
    const { hosts, watch } = this.#dependencies;
    return watch
      .ofSite(site)
      .map(({ place }) => place.uid)
      .filter((uid) => hosts.get(uid)?.judged === true);
  }

  #isSilent(uid: string): boolean {
    const phase = this.#dependencies.watch.presence(uid)?.phase;
    return phase === 'offline' || phase === 'suspect' || phase === 'recovering';
  }
}
