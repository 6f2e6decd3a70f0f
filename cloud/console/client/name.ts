import { QueryObserver, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Input, OperationName } from '#shared/client/index.ts';
import { api } from './api.ts';
import { answerOf, queryClient, useAnswer } from './query.ts';
import { domain, mayProvision } from './session.ts';

/** Things with a page of their own, as the console names them. */
export type ObjectKind =
  | 'site'
  | 'host'
  | 'device'
  | 'receiver'
  | 'sender'
  | 'mediaService'
  | 'userAgent'
  | 'recordingService'
  | 'trunk'
  | 'person'
  | 'token'
  | 'key'
  | 'record'
  | 'incident';

/** Objects that are no place: a link to one asks other lists for its name. */
export type NamedKind = Exclude<ObjectKind, 'site' | 'host'>;

/** Where the name of an object stands: a list of the API and the field of it; absent: the id is its name. */
interface Source {
  readonly operation: OperationName;
  readonly member: string;
  /** As the audit log names the kind. */
  readonly entity: string;
  readonly nameOf: (row: Row) => string | undefined;
  readonly idOf?: (row: Row) => string;
}

type Row = Readonly<Record<string, unknown>>;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const named = (row: Row): string | undefined => text(row.name);
const list = (operation: OperationName, entity: string): Source => ({
  ...{ operation, entity, nameOf: named },
  member: `${entity}s`,
});

const SOURCES: Readonly<Partial<Record<NamedKind, Source>>> = {
  receiver: list('getProvisioningAlarmbridge', 'alarmbridge'),
  sender: list('getProvisioningAlarmeventmapper', 'alarmeventmapper'),
  mediaService: list('getMediaserviceByDomain', 'mediaservice'),
  userAgent: list('getProvisioningCloudsipua', 'cloudsipua'),
  recordingService: list('getCallrecordingByDomain', 'callrecording'),
  trunk: list('getProvisioningTrunk', 'trunk'),
  token: list('getProvisioningApitoken', 'apitoken'),
  key: { ...list('getProvisioningApikey', 'apikey'), idOf: ({ kid }) => String(kid) },
  person: {
    ...list('getProvisioningUser', 'user'),
    nameOf: ({ firstName, lastName, email }) =>
      [text(firstName), text(lastName)].filter(Boolean).join(' ') || text(email),
  },
};

/** Names change seldom, and many links of a page ask for them. */
const STALE_MS = 60_000;

/** Chosen: a list of more objects than this many pages of 100 is not read to its end for a name; the id is shown. */
const MOST_PAGES = 10;
/** An object has been changed so often behind its name at most; older entries are not looked at. */
const LOOKED_AT = '20';

/** The name of a site or host; undefined: it has none, or is not known yet. */
export const usePlaceName = (kind: 'site' | 'host', id: string): string | undefined =>
  useSyncExternalStore(subscribe, () =>
    known?.domain === domain.value ? known.names.get(`${kind} ${id}`) : undefined,
  );

/** Names by kind and id, the tenant that has them, and the answer that they were made of; undefined: not known yet. */
let known:
  | { readonly domain: string; readonly places: Places; readonly names: ReadonlyMap<string, string> }
  | undefined;
const listeners = new Set<() => void>();
let observed: { readonly refresh: () => void; readonly stop: () => void } | undefined;

/** Chosen: one question for all links of a page. A row of a list has one or two, and to ask by itself costs a row as much as all the rest of it. */
function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  if (observed === undefined) observed = observe();
  else observed.refresh();
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    observed?.stop();
    observed = undefined;
  };
}

function observe(): NonNullable<typeof observed> {
  const question = () => ({
    ...answerOf('getSiteByDomain', { domain: domain.value }, { staleMs: STALE_MS, isLarge: true }),
    enabled: domain.value !== '',
  });
  const observer = new QueryObserver(queryClient, question());
  const take = (): void => {
    const { data } = observer.getCurrentResult();
    if (data?.data === known?.places) return;
    known =
      data === undefined
        ? undefined
        : { domain: domain.value, places: data.data, names: placeNames(data.data) };
    for (const listener of [...listeners]) listener();
  };
  const stops = [observer.subscribe(take), domain.subscribe(() => observer.setOptions(question()))];
  take();
  return {
    // A link that comes in sight asks again where the names are old, as one does that asks by itself.
    refresh: () => {
      const { dataUpdatedAt, errorUpdatedAt, fetchStatus } = observer.getCurrentResult();
      const isOld = Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) > STALE_MS;
      if (isOld && fetchStatus === 'idle' && domain.value !== '') void observer.refetch();
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** The name of another object; of one that was removed the last name that the audit log has. undefined: it has none but its id, or is not known yet. */
export function useName(kind: NamedKind, id: string): string | undefined {
  const source = SOURCES[kind];
  const rows = useQuery({
    queryKey: ['names', source?.operation, domain.value],
    queryFn: () => (source === undefined ? [] : readRows(source)),
    enabled: source !== undefined && domain.value !== '',
    staleTime: STALE_MS,
  });
  const found = rows.data?.find((row) => (source?.idOf?.(row) ?? row.id) === id);
  const past = useAnswer(
    'getProvisioningAudit',
    { domain: domain.value, entity: source?.entity ?? '', entityId: id, limit: LOOKED_AT },
    {
      enabled: source !== undefined && rows.data !== undefined && found === undefined && mayProvision.value,
      staleMs: STALE_MS,
    },
  );
  return found === undefined ? lastName(source, past.data?.entries ?? []) : source?.nameOf(found);
}

/** All rows of a list, up to a bound. */
async function readRows({ operation, member }: Source): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MOST_PAGES && (page === 0 || nextToken !== undefined); page++) {
    const input = { domain: domain.value, limit: '100', ...(nextToken === undefined ? {} : { nextToken }) };
    const answer = await api.call(operation, input as unknown as Input<typeof operation>);
    if (!answer.ok) break;
    const value = answer.value as unknown as Row;
    rows.push(...((value[member] ?? []) as readonly Row[]));
    nextToken = text(value.nextToken);
  }
  return rows;
}

/** The newest name in the entries of an object, newest first; the entry of a removal has none of its own. */
function lastName(source: Source | undefined, entries: readonly { readonly detail?: unknown }[]) {
  for (const { detail } of entries) {
    const { after, before } = (detail ?? {}) as { readonly after?: unknown; readonly before?: unknown };
    for (const state of [after, before]) {
      const name = state === undefined || state === null ? undefined : source?.nameOf(state as Row);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

/** A person, token or key as the audit log names it (`token:…`); undefined: a host or the program. */
export function actorOf(
  of: string,
): { readonly kind: 'person' | 'token' | 'key'; readonly id: string } | undefined {
  const [kind = '', ...rest] = of.split(':');
  const id = rest.join(':');
  return id !== '' && (kind === 'person' || kind === 'token' || kind === 'key') ? { kind, id } : undefined;
}

interface Places {
  readonly sites: readonly { readonly siteId: string; readonly name?: string | undefined }[];
  readonly site: readonly { readonly siteId: string; readonly hostId: string; readonly hostName: string }[];
}

function placeNames(places: Places): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { siteId, name } of places.sites)
    if (name !== undefined && name !== '') names.set(`site ${siteId}`, name);
  for (const { siteId, hostId, hostName } of places.site) names.set(`host ${siteId}/${hostId}`, hostName);
  return names;
}
