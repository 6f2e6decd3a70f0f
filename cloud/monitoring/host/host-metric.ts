import type { Clock } from '#shared/clock.ts';
import { type FeedScope, SCOPES } from '#shared/contract/feed/index.ts';
import { type Family, gauge, labelWord, type Reading } from '#shared/metric/index.ts';
import type { Watch } from '../presence/watch.ts';
import type { HostTable, Known } from './host-table.ts';
import type { RevisionTable, ScopeOwner } from './revision-table.ts';

/** More hosts than this are not shown one by one: the series would cost more than what they tell. */
const MOST_SHOWN = 1_000;
/** Control plane, section 14: a host that lacks a revision for longer is late. */
const LATE_MS = 10 * 60_000;
const CONNECTED: readonly string[] = ['online', 'suspect', 'unstable'];

/** One host that was heard, as it stands now. */
interface Seen {
  readonly uid: string;
  readonly entry: Known;
  readonly connected: boolean;
  readonly ageS: number;
  /** Revisions that it has not applied. */
  readonly lag: number;
  readonly late: boolean;
}

export interface HostMetricDependencies {
  readonly hosts: Pick<HostTable, 'all'>;
  readonly watch: Pick<Watch, 'presence' | 'connectivity'>;
  readonly revisions: RevisionTable;
  readonly clock: Clock;
}

/**
 * Figures of the hosts under supervision (control plane, section 14). Up to 1,000 hosts each of those that were heard has its
 * series, by its uid; above that one series without the label has the worst value of the connected ones. The first family reads
 * all hosts once for each look.
 */
export function hostFamilies(dependencies: HostMetricDependencies): readonly Family[] {
  let latest: readonly Seen[] = [];

  /** `of`: the figure of one host; `worst`: which of two stands for both. */
  const each =
    (of: (seen: Seen) => number | undefined, worst: (a: number, b: number) => number) => (): Reading[] => {
      if (latest.length <= MOST_SHOWN)
        return latest.flatMap((seen): Reading[] => {
          const value = of(seen);
          return value === undefined ? [] : [[{ host: seen.uid }, value]];
        });
      let found: number | undefined;
      for (const seen of latest) {
        const value = seen.connected ? of(seen) : undefined;
        if (value !== undefined) found = found === undefined ? value : worst(found, value);
      }
      return found === undefined ? [] : [[{}, found]];
    };

  return [
    gauge('carillon_hosts', 'Hosts under supervision by intent and connectivity', () => {
      latest = readSeen(dependencies);
      return counted(dependencies);
    }),
    gauge(
      'carillon_heartbeat_age_seconds',
      'Time since a host was heard last',
      each(({ ageS }) => ageS, Math.max),
    ),
    gauge(
      'carillon_config_lag_revisions',
      'Revisions that a host has not applied',
      each(({ lag }) => lag, Math.max),
    ),
    gauge(
      'carillon_config_late_hosts',
      'Connected hosts that lack a revision for more than 10 minutes',
      () => latest.filter(({ connected, late }) => connected && late).length,
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
    ...waitingFamilies(() => latest),
  ];
}

function readSeen({ hosts, watch, revisions, clock }: HostMetricDependencies): Seen[] {
  const nowMs = clock.monoMs();
  const found: Seen[] = [];
  for (const [uid, entry] of hosts.all()) {
    const seenMs = watch.presence(uid)?.lastSeenMs ?? 0;
    if (seenMs === 0) continue;
    let lag = 0;
    let sinceMs = nowMs;
    for (const scope of SCOPES) {
      const behind = revisions.behind(ownerOf(entry, scope), entry.revisions[COLUMN[scope]]);
      if (behind === undefined) continue;
      lag += behind.count;
      sinceMs = Math.min(sinceMs, behind.sinceMs);
    }
    const connected = CONNECTED.includes(watch.connectivity(uid));
    found.push({
      uid,
      entry,
      connected,
      ageS: (nowMs - seenMs) / 1_000,
      lag,
      late: nowMs - sinceMs > LATE_MS,
    });
  }
  return found;
}

function counted({ hosts, watch }: HostMetricDependencies): Iterable<Reading> {
  const counts = new Map<string, Reading>();
  for (const [uid, { lifecycle }] of hosts.all()) {
    const connectivity = watch.connectivity(uid);
    const key = `${lifecycle} ${connectivity}`;
    counts.set(key, [{ lifecycle, connectivity }, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return counts.values();
}

/** The part of `out` that is an age and no lane. */
const AGE = 'oldestS';

/** The rows that wait for the cloud, by the last heartbeat of each host; many hosts together by lane. */
function waitingFamilies(latest: () => readonly Seen[]): readonly Family[] {
  return [
    gauge('carillon_outbox_depth', 'Deliveries that wait', () => {
      const all = latest();
      if (all.length > MOST_SHOWN) return summed(all);
      return all.flatMap(({ uid, entry: { facts } }) =>
        Object.entries(facts.out ?? {}).flatMap(([lane, rows]): Reading[] =>
          lane === AGE ? [] : [[{ lane: labelWord(lane), host: uid }, rows]],
        ),
      );
    }),
    gauge('carillon_outbox_oldest_seconds', 'Age of the oldest delivery that waits', () => {
      const all = latest();
      const ages = all.flatMap(({ uid, connected, entry: { facts } }): [string, number][] =>
        connected && facts.out?.[AGE] !== undefined ? [[uid, facts.out[AGE]]] : [],
      );
      if (all.length <= MOST_SHOWN) return ages.map(([host, ageS]): Reading => [{ lane: 'all', host }, ageS]);
      return [[{ lane: 'all' }, Math.max(0, ...ages.map(([, ageS]) => ageS))]];
    }),
  ];
}

function summed(all: readonly Seen[]): Reading[] {
  const sums = new Map<string, number>();
  for (const { entry } of all)
    for (const [lane, rows] of Object.entries(entry.facts.out ?? {}))
      if (lane !== AGE) sums.set(lane, (sums.get(lane) ?? 0) + rows);
  return [...sums].map(([lane, rows]) => [{ lane: labelWord(lane) }, rows]);
}

/** The column with the applied revision of each scope. */
const COLUMN = { platform: 'revPlatform', tenant: 'revTenant', site: 'revSite', host: 'revHost' } as const;

/** Owner of a scope from the view of a host, as changes are filed (`cloud/store`). */
export function ownerOf({ host }: Pick<Known, 'host'>, scope: FeedScope): ScopeOwner {
  const { tenant, siteId, uid } = host.place;
  switch (scope) {
    case 'platform':
      return { scope, owner: '' };
    case 'tenant':
      return { scope, owner: tenant };
    case 'site':
      return { scope, owner: `${tenant}/${siteId}` };
    case 'host':
      return { scope, owner: uid };
  }
}
