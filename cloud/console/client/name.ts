import type { OperationName } from '#shared/client/index.ts';
import { useAnswer } from './query.ts';
import { domain } from './session.ts';

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

/** Where the name of an object stands: a list of the API and the field of it; absent: the id is its name. */
interface Source {
  readonly operation: OperationName;
  readonly member: string;
  readonly nameOf: (row: Row) => string | undefined;
  readonly idOf?: (row: Row) => string;
}

type Row = Readonly<Record<string, unknown>>;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const named = (row: Row): string | undefined => text(row.name);
const list = (operation: OperationName, member: string): Source => ({ operation, member, nameOf: named });

const SOURCES: Readonly<Partial<Record<ObjectKind, Source>>> = {
  receiver: list('getProvisioningAlarmbridge', 'alarmbridges'),
  sender: list('getProvisioningAlarmeventmapper', 'alarmeventmappers'),
  mediaService: list('getMediaserviceByDomain', 'mediaservices'),
  userAgent: list('getProvisioningCloudsipua', 'cloudsipuas'),
  recordingService: list('getCallrecordingByDomain', 'callrecordings'),
  trunk: list('getProvisioningTrunk', 'trunks'),
  token: list('getProvisioningApitoken', 'apitokens'),
  key: { ...list('getProvisioningApikey', 'apikeys'), idOf: ({ kid }) => String(kid) },
  person: {
    ...list('getProvisioningUser', 'users'),
    nameOf: ({ firstName, lastName, email }) =>
      [text(firstName), text(lastName)].filter(Boolean).join(' ') || text(email),
  },
};

/** Names change seldom, and many links of a page ask for them. */
const STALE_MS = 60_000;

/** The name of an object; undefined: it has none but its id, is not known yet, or was removed. */
export function useName(kind: ObjectKind, id: string): string | undefined {
  const source = SOURCES[kind];
  const isPlace = kind === 'site' || kind === 'host';
  const places = useAnswer(
    'getSiteByDomain',
    { domain: domain.value },
    { enabled: isPlace && domain.value !== '', staleMs: STALE_MS, isLarge: true },
  );
  const rows = useAnswer(
    source?.operation ?? 'getProvisioningUser',
    { domain: domain.value, limit: '100' } as never,
    { enabled: source !== undefined && domain.value !== '', staleMs: STALE_MS },
  );
  if (isPlace)
    return places.data === undefined ? undefined : placeNames(places.data.data).get(`${kind} ${id}`);
  const all = (rows.data as Readonly<Record<string, unknown>> | undefined)?.[source?.member ?? ''];
  const found = (Array.isArray(all) ? (all as readonly Row[]) : []).find(
    (row) => (source?.idOf?.(row) ?? row.id) === id,
  );
  return found === undefined ? undefined : source?.nameOf(found);
}

interface Places {
  readonly sites: readonly { readonly siteId: string; readonly name?: string | undefined }[];
  readonly site: readonly { readonly siteId: string; readonly hostId: string; readonly hostName: string }[];
}

/** Names by kind and id, made once for each answer: every row of a list asks for some. */
const namesOf: WeakMap<Places, ReadonlyMap<string, string>> = new WeakMap();

function placeNames(places: Places): ReadonlyMap<string, string> {
  const known = namesOf.get(places);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const { siteId, name } of places.sites)
    if (text(name) !== undefined) names.set(`site ${siteId}`, name ?? '');
  for (const { siteId, hostId, hostName } of places.site) names.set(`host ${siteId}/${hostId}`, hostName);
  namesOf.set(places, names);
  return names;
}
