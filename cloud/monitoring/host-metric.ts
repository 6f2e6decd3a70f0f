import type { Clock } from '#shared/clock.ts';
import { type FeedScope, SCOPES } from '#shared/contract/feed/index.ts';
import { type Family, gauge, labelWord, type Reading } from '#shared/metric/index.ts';
import type { HostBook, Known } from './host-book.ts';
import type { RevisionBook, ScopeOwner } from './revision-book.ts';
import type { Watch } from './watch.ts';

/** More hosts than this are not shown one by one: the series would cost more than what they tell. */
const MOST_SHOWN = 1_000;
/** Control plane, section 14: a host that lacks a revision for longer is late. */
const LATE_MS = 10 * 60_000;
const CONNECTED: readonly string[] = ['online', 'suspect', 'unstable'];

/** One host as it stands now. */
interface Seen {
  readonly uid: string;
  readonly entry: Known;
  readonly connected: boolean;
  readonly ageS: number;
}

export interface HostMetricParts {
  readonly hosts: Pick<HostBook, 'all'>;
  readonly watch: Pick<Watch, 'presence' | 'connectivity'>;
  readonly revisions: RevisionBook;
  readonly clock: Clock;
}

/**
 * Figures of the hosts under supervision (control plane, section 14). Up to 1,000 hosts each of those that were heard has
 * its series, by its uid; above that one series without the label says how the worst of the connected ones stands.
 */
export function hostFamilies({ hosts, watch, revisions, clock }: HostMetricParts): readonly Family[] {
  const heard = (): Seen[] =>
    [...hosts.all()].flatMap(([uid, entry]) => {
      const seenMs = watch.presence(uid)?.lastSeenMs ?? 0;
      if (seenMs === 0) return [];
      const connected = CONNECTED.includes(watch.connectivity(uid));
      return [{ uid, entry, connected, ageS: (clock.monoMs() - seenMs) / 1_000 }];
    });

  /** `of`: the figure of one host; `worst`: which of all figures stands for them. */
  const each =
    (of: (seen: Seen) => number | undefined, worst: (a: number, b: number) => number) => (): Reading[] => {
      const all = heard();
      const few = all.length <= MOST_SHOWN;
      const readings = all.flatMap((seen): Reading[] => {
        const value = few || seen.connected ? of(seen) : undefined;
        return value === undefined ? [] : [[{ host: seen.uid }, value]];
      });
      if (few || readings.length === 0) return readings;
      return [[{}, readings.map(([, value]) => value).reduce((a, b) => worst(a, b))]];
    };

  const lag = ({ entry }: Seen): number =>
    SCOPES.reduce((sum, scope) => sum + (revisions.behind(...standing(entry, scope))?.count ?? 0), 0);
  const isLate = ({ entry, connected }: Seen): boolean =>
    connected &&
    SCOPES.some((scope) => {
      const behind = revisions.behind(...standing(entry, scope));
      return behind !== undefined && clock.monoMs() - behind.sinceMs > LATE_MS;
    });

  return [
    gauge('carillon_hosts', 'Hosts under supervision by intent and connectivity', () => {
      const counts = new Map<string, Reading>();
      for (const [uid, { lifecycle }] of hosts.all()) {
        const connectivity = watch.connectivity(uid);
        const key = `${lifecycle} ${connectivity}`;
        counts.set(key, [{ lifecycle, connectivity }, (counts.get(key)?.[1] ?? 0) + 1]);
      }
      return counts.values();
    }),
    gauge(
      'carillon_heartbeat_age_seconds',
      'Time since a host was heard last',
      each(({ ageS }) => ageS, Math.max),
    ),
    gauge('carillon_config_lag_revisions', 'Revisions that a host has not applied', each(lag, Math.max)),
    gauge(
      'carillon_config_late_hosts',
      'Connected hosts that lack a revision for more than 10 minutes',
      () => heard().filter(isLate).length,
    ),
    gauge(
      'carillon_cert_expiry_days',
      'Days until the certificate of a host ends',
      each(({ entry }) => entry.facts.certDays, Math.min),
    ),
    gauge(
      'carillon_clock_offset_seconds',
      'How far the clock of a host is from ours, the way of the message included; above 0 = ahead',
      each(
        ({ entry, connected }) => (connected ? entry.clockOffsetS : undefined),
        (a, b) => (Math.abs(b) > Math.abs(a) ? b : a),
      ),
    ),
    ...waitingFamilies(heard),
  ];
}

/** The part of `out` that is an age and no lane. */
const AGE = 'oldestS';

/** What hosts said with their last heartbeat of the rows that wait for the cloud; many hosts together by lane. */
function waitingFamilies(heard: () => readonly Seen[]): readonly Family[] {
  return [
    gauge('carillon_outbox_depth', 'Deliveries that wait', () => {
      const all = heard();
      const readings = all.flatMap(({ uid, entry: { facts } }) =>
        Object.entries(facts.out ?? {}).flatMap(([lane, rows]): Reading[] =>
          lane === AGE ? [] : [[{ lane: labelWord(lane), host: uid }, rows]],
        ),
      );
      return all.length <= MOST_SHOWN ? readings : summed(readings);
    }),
    gauge('carillon_outbox_oldest_seconds', 'Age of the oldest delivery that waits', () => {
      const all = heard();
      const ages = all.flatMap(({ uid, connected, entry: { facts } }): [string, number][] =>
        connected && facts.out?.[AGE] !== undefined ? [[uid, facts.out[AGE]]] : [],
      );
      if (all.length <= MOST_SHOWN) return ages.map(([host, ageS]): Reading => [{ lane: 'all', host }, ageS]);
      return [[{ lane: 'all' }, Math.max(0, ...ages.map(([, ageS]) => ageS))]];
    }),
  ];
}

function summed(readings: readonly Reading[]): Reading[] {
  const byLane = Map.groupBy(readings, ([{ lane = '' }]) => lane);
  return [...byLane].map(([lane, alike]) => [{ lane }, alike.reduce((sum, [, rows]) => sum + rows, 0)]);
}

/** Owner of each scope, as changes are filed (`cloud/store`), and what of it this host has applied. */
function standing({ host, revisions }: Known, scope: FeedScope): [ScopeOwner, number] {
  const { tenant, siteId, uid } = host.place;
  switch (scope) {
    case 'platform':
      return [{ scope, owner: '' }, revisions.revPlatform];
    case 'tenant':
      return [{ scope, owner: tenant }, revisions.revTenant];
    case 'site':
      return [{ scope, owner: `${tenant}/${siteId}` }, revisions.revSite];
    case 'host':
      return [{ scope, owner: uid }, revisions.revHost];
  }
}

/** Owner of a scope from the view of a host. */
export const ownerOf = (entry: Known, scope: FeedScope): ScopeOwner => standing(entry, scope)[0];
