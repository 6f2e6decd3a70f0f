import type { RecordSearch, ShownRecord } from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Page,
  prefixPath,
  type RecordKey,
  type RecordPath,
  type RecordPlace,
  type RecordRange,
  recordKeys,
  recordsOf,
  type Store,
} from '../store/index.ts';
import { fits } from './filter.ts';
import { shownRecord } from './shown-record.ts';

const DAY_MS = 86_400_000;
/** Rows of one read where not every row fits, and rows that one request looks at. */
const READ = 1_000;
const LOOKED_AT = 20_000;
/** Fewer where every field of a record is looked at. */
const TEXTS_LOOKED_AT = 5_000;
/** Records of one read by id, and traces of one walk. */
const BODIES = 500;

export interface SearchPort {
  readonly store: Store;
  readonly nowMs: () => number;
}

/** Records that fit, newest first, and where the walk stopped before its end. */
interface Walk {
  readonly hits: readonly RecordKey[];
  readonly stop?: RecordPlace;
}

const placeOf = ({ at, id }: RecordPlace): RecordPlace => ({ at, id });
const newestFirst = (a: RecordPlace, b: RecordPlace): number => b.at - a.at || (a.id < b.id ? 1 : -1);

/** The page of a list, beside its filter. */
export interface ListRequest {
  /** Where the page begins: `next` of the one before, or nothing. */
  readonly after: string;
  readonly limit: number;
  /** The caller sees whole numbers. */
  readonly whole: boolean;
  /** Only sessions of these traces. */
  readonly traceIds?: readonly string[];
}

/**
 * One page of the list, newest first. It may be short and still have a `next`. Fails with `invalid` for a token of another list,
 * and with `forbidden` for a search by number by a caller who does not see numbers.
 */
export async function searchRecords(
  { store, nowMs }: SearchPort,
  tenant: string,
  search: RecordSearch,
  { after, limit, whole, traceIds }: ListRequest,
): Promise<Result<Page<ShownRecord>>> {
  const may = checkSearch(search, whole);
  if (!may.ok) return may;
  const before = beginOfPage(after);
  if (before === null)
    return fail('invalid', '/nextToken: must be the nextToken of a previous page of this list', '/nextToken');
  const range = { ...rangeOf(search, nowMs()), before };
  const walks: Walk[] = [];
  for (const path of traceIds === undefined ? await pathsOf(store, tenant, search) : ofTraces(traceIds))
    walks.push(await walk(store, tenant, path, range, search, limit, whole));
  const { hits, next } = joined(walks, limit);
  const items = await bodiesOf(store, tenant, hits, whole);
  return ok(next === undefined ? { items } : { items, next: `${next.at} ${next.id}` });
}

/** A caller who does not see whole numbers must not find out about them either. */
const checkSearch = ({ number }: RecordSearch, whole: boolean): Result<null> =>
  number !== undefined && !whole
    ? fail(
        'forbidden',
        'The search is refused: the caller does not see whole numbers, and must not search for them. Use a token of an operator.',
      )
    : ok(null);

/** Keys of the newest records that fit, at most `most`; `cut`: there may be more. Fails with `forbidden` like a search. */
export async function keysOf(
  { store, nowMs }: SearchPort,
  tenant: string,
  search: RecordSearch,
  most: number,
  whole: boolean,
): Promise<Result<{ readonly keys: readonly RecordKey[]; readonly cut: boolean }>> {
  const may = checkSearch(search, whole);
  if (!may.ok) return may;
  const range = rangeOf(search, nowMs());
  const walks: Walk[] = [];
  for (const path of await pathsOf(store, tenant, search))
    walks.push(await walk(store, tenant, path, range, search, most, whole));
  const { hits, next } = joined(walks, most);
  return ok({ keys: hits, cut: next !== undefined });
}

/** The range that a search means: without one, and without a trace, the last day. */
export function rangeOf(
  {
    from,
    to,
    traceId,
  }: { readonly from?: number | undefined; to?: number | undefined; traceId?: string | undefined },
  nowMs: number,
): RecordRange {
  const open = to === undefined && traceId === undefined;
  return { fromMs: from ?? (open ? nowMs - DAY_MS : 0), toMs: to ?? Number.MAX_SAFE_INTEGER };
}

/** Undefined = from the newest on; null = no place of this list. */
function beginOfPage(after: string): RecordPlace | undefined | null {
  if (after === '') return undefined;
  const [, at, id] = /^(\d{1,15}) ([0-9a-z]{26})$/.exec(after) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

/** The indexes to walk: those of the filter that leaves least. */
async function pathsOf(store: Store, tenant: string, search: RecordSearch): Promise<readonly RecordPath[]> {
  const { traceId, deviceId, number, kind, siteId } = search;
  if (traceId !== undefined) return [{ by: 'value', column: 'traceId', value: traceId }];
  if (deviceId !== undefined) {
    const path = await prefixPath(store, tenant, 'deviceId', deviceId);
    return path === undefined ? [] : [path];
  }
  if (number !== undefined) {
    const paths: RecordPath[] = [];
    for (const column of ['fromParty', 'toParty'] as const) {
      const path = await prefixPath(store, tenant, column, number);
      if (path?.by === 'time') return [path];
      if (path !== undefined) paths.push(path);
    }
    return paths;
  }
  if (kind !== undefined) return [{ by: 'value', column: 'kind', value: kind }];
  if (siteId !== undefined) return [{ by: 'value', column: 'siteId', value: siteId }];
  return [{ by: 'time' }];
}

function ofTraces(traceIds: readonly string[]): readonly RecordPath[] {
  const paths: RecordPath[] = [];
  for (let at = 0; at < traceIds.length; at += BODIES)
    paths.push({ by: 'values', column: 'traceId', values: traceIds.slice(at, at + BODIES) });
  return paths;
}

/** Looks along one index until the page is full, the range ends, or enough was looked at. */
async function walk(
  store: Store,
  tenant: string,
  path: RecordPath,
  range: RecordRange,
  search: RecordSearch,
  limit: number,
  whole: boolean,
): Promise<Walk> {
  const most = readsBodies(search) ? TEXTS_LOOKED_AT : LOOKED_AT;
  const hits: RecordKey[] = [];
  let place = range.before;
  // Where the first rows fill the page, no more are read.
  let read = limit + 1;
  for (let looked = 0; looked < most; looked += read, read = READ) {
    const keys = await recordKeys(store, tenant, path, { ...range, before: place }, read);
    const fitting = new Set(
      await withContent(
        store,
        tenant,
        keys.filter((key) => fits(key, search)),
        search,
        whole,
      ),
    );
    for (const key of keys) {
      place = placeOf(key);
      if (fitting.has(key)) hits.push(key);
      if (hits.length > limit) return { hits, stop: place };
    }
    if (keys.length < read) return { hits };
  }
  return place === undefined ? { hits } : { hits, stop: place };
}

const readsBodies = ({ text, recording }: RecordSearch): boolean =>
  text !== undefined || recording !== undefined;

/**
 * Those that have a recording, where one is asked for, and of which some field, as this caller sees it, has the text; upper and
 * lower case are one.
 */
async function withContent(
  store: Store,
  tenant: string,
  keys: readonly RecordKey[],
  search: RecordSearch,
  whole: boolean,
): Promise<readonly RecordKey[]> {
  if (!readsBodies(search)) return keys;
  const wanted = search.text?.toLowerCase() ?? '';
  const found = new Set(
    (await bodiesOf(store, tenant, keys, whole))
      .filter(({ recordings = [] }) => search.recording === undefined || recordings.length > 0)
      .filter((record) => wanted === '' || hasText(record, wanted))
      .map(({ recordId }) => recordId),
  );
  return keys.filter(({ id }) => found.has(id));
}

function hasText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string' || typeof value === 'number')
    return String(value).toLowerCase().includes(wanted);
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((each) => hasText(each, wanted))
  );
}

/** One page of several walks: as far as each of them has come. */
function joined(walks: readonly Walk[], limit: number): { hits: RecordKey[]; next?: RecordPlace } {
  const stop = walks.flatMap((each) => each.stop ?? []).toSorted(newestFirst)[0];
  const byId = new Map(walks.flatMap(({ hits }) => hits).map((key) => [key.id, key]));
  const known = [...byId.values()]
    .toSorted(newestFirst)
    .filter((key) => stop === undefined || newestFirst(key, stop) < 0 || key.id === stop.id);
  const hits = known.slice(0, limit);
  const last = hits.at(-1);
  if (known.length > limit && last !== undefined) return { hits, next: placeOf(last) };
  return stop === undefined ? { hits } : { hits, next: stop };
}

/** The records of these keys, in their order, as a caller sees them. */
export async function bodiesOf(
  store: Store,
  tenant: string,
  keys: readonly RecordKey[],
  whole: boolean,
): Promise<ShownRecord[]> {
  const rows = new Map<string, ShownRecord>();
  for (let at = 0; at < keys.length; at += BODIES) {
    const ids = keys.slice(at, at + BODIES).map(({ id }) => id);
    for (const row of await recordsOf(store, tenant, ids)) rows.set(row.id, shownRecord(row, whole));
  }
  // One that was removed in between is on no page.
  return keys.flatMap(({ id }) => rows.get(id) ?? []);
}
