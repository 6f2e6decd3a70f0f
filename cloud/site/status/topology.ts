import { HEARTBEAT_S, siteRoleSchema } from '#shared/contract/feed/index.ts';
import type { SiteTopology, SiteTurn } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type EventPlace,
  type HostStatusRow,
  type HostWithStatus,
  hostsOf,
  type LoggedEvent,
  type Page,
  pageOf,
  readSite,
  roleEventsBefore,
} from '../../store/index.ts';
import type { SitePort } from '../lifecycle/port.ts';
import { shownHost } from './overview.ts';

/** In heartbeats: silent for longer, and not yet missed. */
const FRESH_BEATS = 1.5;

/** Hosts of a site as a drawing: who has which role, who sees whom; and how the roles moved. */
export const topology = ({ store, observed }: Pick<SitePort, 'store' | 'observed'>) => ({
  now: async (tenant: string, siteId: string, nowMs: number): Promise<Result<SiteTopology>> => {
    const site = await readSite(store, tenant, siteId);
    if (site === undefined) return fail('notFound', `The site ${siteId} does not exist. Check the siteId.`);
    const rows = (await hostsOf(store, tenant, siteId)).map(({ host, status }) => {
      const { contact: _, ...fresh } = observed?.(host.uid) ?? {};
      return { host, status: { ...status, ...fresh } };
    });
    const freshMs = FRESH_BEATS * 1_000 * HEARTBEAT_S[site.profile];
    const speaks = ({ status }: HostWithStatus): boolean =>
      nowMs - (status.lastSeen ?? 0) <= freshMs && !isMissed(status);
    const having = (role: string): string[] => {
      const claims = rows.filter(({ status }) => status.facts.roles?.includes(role) === true);
      const fresh = claims.filter(speaks);
      const heeded =
        fresh.length > 0 ? fresh : claims.filter(({ status }) => status.connectivity !== 'offline');
      return heeded.map(({ host }) => host.hostId);
    };
    return ok({
      siteId,
      ...(site.name === null ? {} : { name: site.name }),
      profile: site.profile,
      epoch: Math.max(0, ...rows.map(({ status }) => status.facts.epoch ?? 0)),
      vip: having('vip'),
      leader: having('leader'),
      hosts: rows.map((row) => ({ ...nodeOf(row, nowMs), speaks: speaks(row) })),
    });
  },

  /** Newest first. Fails with `notFound`, and with `invalid` when `after` was not given by this list. */
  history: async (
    tenant: string,
    siteId: string,
    after: string,
    limit: number,
  ): Promise<Result<Page<SiteTurn>>> => {
    const before = placeOf(after);
    if (before === null)
      return fail(
        'invalid',
        '/nextToken: must be the nextToken of a previous page of this list',
        '/nextToken',
      );
    if ((await readSite(store, tenant, siteId)) === undefined)
      return fail('notFound', `The site ${siteId} does not exist. Check the siteId.`);
    const rows = await roleEventsBefore(store, { tenant, siteId }, before, limit + 1);
    const names = new Map((await hostsOf(store, tenant, siteId)).map(({ host }) => [host.uid, host.hostId]));
    const show = (row: LoggedEvent): SiteTurn => turnOf(row, names);
    return ok(pageOf(rows, limit, ({ event }) => `${event.at} ${event.id}`, show));
  },
});

/** Nothing came since it is missed; a host that is back is called suspect for a minute, and speaks. */
const isMissed = ({ connectivity, since, lastSeen }: HostStatusRow): boolean =>
  connectivity === 'offline' || (connectivity === 'suspect' && (lastSeen ?? 0) < since);

function nodeOf(row: HostWithStatus, nowMs: number): Omit<SiteTopology['hosts'][number], 'speaks'> {
  const { host, status } = row;
  const { facts } = status;
  return {
    hostId: host.hostId,
    status: shownHost(row, nowMs).status,
    lifecycle: host.lifecycle,
    connectivity: status.connectivity,
    connectivitySince: status.since,
    ...(status.lastSeen === null ? {} : { lastSeen: status.lastSeen }),
    roles: [...(facts.roles ?? [])],
    ...(facts.epoch === undefined ? {} : { epoch: facts.epoch }),
    ...(facts.calls === undefined ? {} : { calls: facts.calls }),
    services: { ...facts.svc },
    peers: { ...facts.peers },
    ...(host.siteBaseUrl === null ? {} : { address: host.siteBaseUrl }),
  };
}

/**
 * A report of a host that this program cannot read is shown as a change of which nothing is known. One that was delivered by
 * another host in its place is still its own.
 */
function turnOf({ event, hostId: sentBy }: LoggedEvent, names: ReadonlyMap<string, string>): SiteTurn {
  const { data, estimated, origin } = event.body as {
    readonly data?: unknown;
    readonly estimated?: boolean;
    readonly origin?: { readonly uid: string };
  };
  const hostId = origin === undefined ? sentBy : names.get(origin.uid);
  const said = siteRoleSchema.safeParse(data).data;
  const {
    agoMs = 0,
    of,
    ...details
  } = said ?? {
    epoch: event.epoch,
    roles: [],
    gained: [],
    lost: [],
    cause: 'other',
    took: [],
    faults: [],
  };
  return {
    id: event.id,
    at: event.at - Math.round(agoMs),
    ...(estimated === true && { estimated }),
    late: event.late,
    ...(hostId === null || hostId === undefined ? {} : { hostId }),
    ...details,
    ...(of === undefined ? {} : { of }),
  };
}

/** Undefined = from the newest on; null = no place of this list. */
function placeOf(after: string): EventPlace | undefined | null {
  if (after === '') return undefined;
  const [, at, id] = /^(\d{1,15}) ([0-9a-z]{1,64})$/.exec(after) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}
