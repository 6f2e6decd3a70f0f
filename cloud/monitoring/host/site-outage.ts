import type { HostPlace } from '#shared/contract/feed/index.ts';
import type { AlarmTable } from '../alarm/alarm-table.ts';
import type { MonitoringPort } from '../alarm/port.ts';
import { silentHostText, siteDownText, siteSubject } from '../alarm/wording.ts';
import type { Cause } from '../presence/presence.ts';
import type { Watch } from '../presence/watch.ts';
import type { HostTable } from './host-table.ts';
import type { Turns } from './turn.ts';

export interface SiteOutageDependencies {
  readonly watch: Watch;
  readonly hosts: HostTable;
  readonly alarms: AlarmTable;
  readonly turns: Turns;
}

type Site = Pick<HostPlace, 'tenant' | 'siteId'>;

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
  readonly #dependencies: SiteOutageDependencies;
  /** Sites whose alarm stands, as far as this program knows; the rows decide. */
  readonly #out = new Map<string, Site>();

  constructor({ store }: MonitoringPort, dependencies: SiteOutageDependencies) {
    this.#store = store;
    this.#dependencies = dependencies;
  }

  /** A host is silent and that is to be reported: whether the alarm of its site reports it. */
  takes(place: HostPlace, cause: Cause): boolean {
    // A host that was shut down, or that another one sees, has not lost the uplink of all.
    if (cause !== 'silence') return false;
    const all = this.#judged(place);
    if (all.length < 2 || all.some((uid) => !this.#isSilent(uid))) return false;
    const subject = siteSubject(place);
    this.#out.set(subject.uid, { tenant: place.tenant, siteId: place.siteId });
    const names = all.map((uid) => this.#dependencies.hosts.get(uid)?.host.hostId ?? uid).toSorted();
    const { alarms, turns } = this.#dependencies;
    const newAlarm = siteDownText(place.siteId, names);
    turns.add(subject.uid, () => this.#store.withTx((tx) => alarms.raise(tx, subject, newAlarm)));
    return true;
  }

  /** A host is there again, or is not watched any more. */
  returned(place: Site): void {
    const { alarms, hosts, turns, watch } = this.#dependencies;
    const subject = siteSubject(place);
    if (!this.#out.delete(subject.uid)) return;
    const { error, service } = siteDownText(place.siteId, []);
    const silent = this.#judged(place).filter((uid) => watch.connectivity(uid) === 'offline');
    turns.add(subject.uid, () =>
      this.#store.withTx(async (tx) => {
        await alarms.clear(tx, subject, error, service);
        for (const uid of silent) {
          const entry = hosts.get(uid);
          const seenMs = watch.presence(uid)?.lastSeenMs;
          if (entry === undefined || seenMs === undefined) continue;
          const { hostId } = entry.host;
          const newAlarm = silentHostText(hostId, 'silence', false, hosts.wallOf(seenMs));
          await alarms.raise(tx, { ...entry.host.place, hostId }, newAlarm);
        }
      }),
    );
  }

  /** An alarm of this site stands from before this program began. */
  remembered({ tenant, siteId }: Site): void {
    this.#out.set(siteSubject({ tenant, siteId }).uid, { tenant, siteId });
  }

  /** Now and then: a site of which a host is there without having been away, or of which none is left. */
  look(): void {
    for (const site of [...this.#out.values()]) {
      const judged = this.#judged(site);
      if (judged.length === 0 || judged.some((uid) => !this.#isSilent(uid))) this.returned(site);
    }
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
