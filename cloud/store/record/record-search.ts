import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../sql/store.ts';
import type { SessionRecordRow } from './session-record.ts';

/** Place of a record in a list: by begin of the session, then by id. */
export interface RecordPlace {
  readonly at: number;
  readonly id: string;
}

/** Part of a list: sessions that began in `[fromMs, toMs)`, older than `before`. */
export interface RecordRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly before?: RecordPlace | undefined;
}

/** Columns with an index of their own. */
export type IndexedColumn = 'siteId' | 'kind' | 'deviceId' | 'fromParty' | 'toParty' | 'traceId';

/**
 * The index that a list walks: by time alone, one value of a column by time, or the few rows whose column has one of at most 500
 * values, or begins with a text; those are sorted.
 */
export type RecordPath =
  | { readonly by: 'time' }
  | { readonly by: 'value'; readonly column: IndexedColumn; readonly value: string }
  | { readonly by: 'values'; readonly column: IndexedColumn; readonly values: readonly string[] }
  | { readonly by: 'prefix'; readonly column: IndexedColumn; readonly prefix: string };

/** Names of the indexes. SQLite keeps no statistics here and would take the index of the time for every list. */
const INDEX = {
  siteId: 'session_record_site',
  kind: 'session_record_kind',
  deviceId: 'session_record_device',
  fromParty: 'session_record_from',
  toParty: 'session_record_to',
  traceId: 'session_record_trace',
} as const satisfies Record<IndexedColumn, string>;

/** The table, on SQLite with the index to use. */
function along(from: Reader, path: RecordPath): Reader['tables']['sessionRecord'] {
  const t = from.tables.sessionRecord;
  if (from.dialect.name === 'pg' || path.by === 'time') return t;
  return sql.raw(`session_record INDEXED BY ${INDEX[path.column]}`) as unknown as typeof t;
}

/** Rows that a search by prefix sorts at most. */
export const PREFIX_SORTED = 5_000;

/** The first text behind all that begin with `prefix`, by code unit. */
const behind = (prefix: string): string => `${prefix}\u{10ffff}`;

function beginsWith(from: Reader, tenant: string, column: IndexedColumn, prefix: string): SQL | undefined {
  const t = from.tables.sessionRecord;
  return and(eq(t.tenant, tenant), gte(t[column], prefix), lt(t[column], behind(prefix)));
}

/**
 * The best path to records whose column begins with a text: undefined = there are none, or `time` when there are too many to
 * sort.
 */
export async function prefixPath(
  from: Reader,
  tenant: string,
  column: IndexedColumn,
  prefix: string,
): Promise<RecordPath | undefined> {
  const t = from.tables.sessionRecord;
  const wanted = beginsWith(from, tenant, column, prefix);
  const end = async (order: typeof asc): Promise<string | null | undefined> => {
    const [row] = await from.db
      .select({ value: t[column] })
      .from(t)
      .where(wanted)
      .orderBy(order(t[column]))
      .limit(1);
    return row?.value;
  };
  const first = await end(asc);
  if (first === undefined || first === null) return undefined;
  if (first === (await end(desc))) return { by: 'value', column, value: first };
  const some = from.db
    .select({ value: t[column] })
    .from(t)
    .where(wanted)
    .limit(PREFIX_SORTED + 1)
    .as('some');
  const [count] = await from.db.select({ rows: sql<number>`count(*)` }).from(some);
  return Number(count?.rows) > PREFIX_SORTED ? { by: 'time' } : { by: 'prefix', column, prefix };
}

/** A row without its body: what filters look at. */
export type RecordKey = Omit<SessionRecordRow, 'tenant' | 'month' | 'uid' | 'seq' | 'receivedAt' | 'body'>;

/** The next rows of a list, newest first. */
export async function recordKeys(
  from: Reader,
  tenant: string,
  path: RecordPath,
  range: RecordRange,
  limit: number,
): Promise<RecordKey[]> {
  // The text of the columns is theirs, only the query builder does not see it.
  return (await recordKeyQuery(from, tenant, path, range, limit)) as RecordKey[];
}

/** The statement of `recordKeys`, so that its plan can be looked at. */
export function recordKeyQuery(
  from: Reader,
  tenant: string,
  path: RecordPath,
  { fromMs, toMs, before }: RecordRange,
  limit: number,
) {
  const t = from.tables.sessionRecord;
  const sorts = path.by === 'prefix' || path.by === 'values';
  // An expression takes the choice from the planner: these rows come by their column and are sorted.
  const at = sorts ? sql`(${t.at} + 0)` : sql`${t.at}`;
  const wanted =
    path.by === 'time'
      ? eq(t.tenant, tenant)
      : path.by === 'value'
        ? and(eq(t.tenant, tenant), eq(t[path.column] as typeof t.traceId, path.value))
        : path.by === 'values'
          ? and(eq(t.tenant, tenant), inArray(t[path.column] as typeof t.traceId, [...path.values]))
          : beginsWith(from, tenant, path.column, path.prefix);
  const older =
    before === undefined ? sql`${at} < ${toMs}` : sql`(${at}, ${t.id}) < (${before.at}, ${before.id})`;
  const columns = {
    ...{ id: t.id, at: t.at, siteId: t.siteId, hostId: t.hostId, kind: t.kind, result: t.result },
    ...{ deviceId: t.deviceId, fromParty: t.fromParty, toParty: t.toParty, traceId: t.traceId },
    ...{ receiver: t.receiver, protocol: t.protocol, warnings: t.warnings },
  };
  // As expressions: the builder takes columns of a table only when it has named the table itself.
  const fields = Object.entries(columns).map(([name, column]) => [name, sql`${column}`.mapWith(column)]);
  return from.db
    .select(Object.fromEntries(fields) as Record<keyof RecordKey, SQL<unknown>>)
    .from(along(from, path))
    .where(and(wanted, sql`${at} >= ${fromMs}`, older))
    .orderBy(desc(at), desc(t.id))
    .limit(limit);
}
