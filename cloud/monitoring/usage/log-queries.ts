import type { LogEntry, LogSearch } from '#shared/contract/record/index.ts';
import { LOG_LEVELS, type LogLevel } from '#shared/log.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type EventPlace,
  eventsBetween,
  type LoggedEvent,
  type Page,
  type Store,
} from '../../store/index.ts';

/** Events read at once, and looked at most for one answer: a search for something rare goes on with `next`. */
const READ = 200;
const LOOKED_AT = 5_000;
/** Values to be found are not nested deeper. */
const DEEPEST = 6;

/** Fields that hold a number or the user part of an address. */
const NUMBERS: ReadonlySet<string> = new Set([
  'number',
  'sipFrom',
  'sipTo',
  'fromUser',
  'callingParty',
  'calledParty',
  'callerId',
  'deviceCLI',
  'destination',
]);

/** Events that tell of something lost or shut, and those that only warn. */
const ERRORS: ReadonlySet<string> = new Set([
  'callbackFailed',
  'destinationDown',
  'configRejected',
  'diskPressure',
]);
const WARNINGS: ReadonlySet<string> = new Set([
  'serviceAlarm',
  'authError',
  'unknownDevice',
  'certificateExpiring',
  'clockUnsynchronised',
]);
const SEVERITY: { readonly [severity: string]: LogLevel } = {
  info: 'info',
  warning: 'warn',
  major: 'error',
  critical: 'error',
};

/** Events at the sites of a tenant, as their hosts delivered them. */
export interface LogQueries {
  /**
   * Oldest first, unless the search says otherwise. A page may be shorter than `limit`, even empty, and yet have a `next`. Fails with `invalid` when `after`
   * was not given by this list.
   */
  readonly search: (
    tenant: string,
    search: LogSearch,
    after: string,
    limit: number,
  ) => Promise<Result<Page<LogEntry>>>;
}

export const createLogQueries = (store: Store): LogQueries => ({
  search: async (tenant, search, after, limit) => {
    const begin = placeOf(after);
    if (begin === null)
      return fail(
        'invalid',
        '/nextToken: must be the nextToken of a previous page of this list',
        '/nextToken',
      );
    const { from = 0, to = Number.MAX_SAFE_INTEGER, order } = search;
    const newestFirst = order === 'newest';
    const items: LogEntry[] = [];
    let place: EventPlace | undefined = begin;
    for (let looked = 0; looked < LOOKED_AT; looked += READ) {
      const range = { fromMs: from, toMs: to, newestFirst, ...(place === undefined ? {} : { after: place }) };
      const rows = await eventsBetween(store, tenant, range, mentionsOf(search), READ);
      for (const row of rows) {
        place = { at: row.event.at, id: row.event.id };
        const entry = shown(row);
        if (fits(entry, search)) items.push(entry);
        if (items.length === limit) return ok({ items, next: `${place.at} ${place.id}` });
      }
      if (rows.length < READ) return ok({ items });
    }
    return ok(place === undefined ? { items } : { items, next: `${place.at} ${place.id}` });
  },
});

/** Undefined = from the beginning; null = no place of this list. */
function placeOf(after: string): EventPlace | undefined | null {
  if (after === '') return undefined;
  const [, at, id] = /^(\d{1,15}) ([0-9a-z]{1,64})$/.exec(after) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

/** Texts as they stand in the stored body, for the database to leave out most of what does not fit. */
const mentionsOf = ({ traceId, sessionId, deviceId, number }: LogSearch): string[] => [
  ...[sessionId, deviceId, number].flatMap((value) => (value === undefined ? [] : [JSON.stringify(value)])),
  // A trace stands in the event, or without its hyphens in its traceparent.
  ...(traceId === undefined ? [] : [traceId.slice(0, 8)]),
];

function fits(entry: LogEntry, { traceId, sessionId, deviceId, number, level }: LogSearch): boolean {
  return (
    (level === undefined || LOG_LEVELS.indexOf(entry.level) >= LOG_LEVELS.indexOf(level)) &&
    (traceId === undefined || entry.traceId === traceId) &&
    (sessionId === undefined || entry.sessionId === sessionId) &&
    (deviceId === undefined ||
      holds(entry.details, (name, value) => name === 'deviceId' && value === deviceId)) &&
    (number === undefined || holds(entry.details, (name, value) => NUMBERS.has(name) && value === number))
  );
}

function shown({ event, hostId }: LoggedEvent): LogEntry {
  const { id, at, receivedAt, siteId, lane, type, late } = event;
  const {
    data = {},
    tp,
    estimated,
  } = event.body as {
    data?: Record<string, unknown>;
    tp?: string;
    estimated?: boolean;
  };
  const text = (name: string) => {
    const value = first(data, name);
    return typeof value === 'string' ? { [name]: value } : {};
  };
  const traced = traceOf(tp);
  return {
    id,
    at,
    receivedAt,
    siteId,
    ...(hostId === null ? {} : { hostId }),
    lane,
    type,
    level: levelOf(type, data),
    late,
    ...(estimated === true && { estimated }),
    ...(traced === undefined ? {} : { traceId: traced }),
    ...text('traceId'),
    ...text('sessionId'),
    ...text('deviceId'),
    details: data,
  };
}

/** Trace of a W3C traceparent, in the form of our trace ids. */
function traceOf(tp: string | undefined): string | undefined {
  const hex = /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(tp ?? '')?.[1];
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function levelOf(type: string, data: Record<string, unknown>): LogLevel {
  const stated = LOG_LEVELS.find((level) => level === data.level);
  if (stated !== undefined) return stated;
  if (type === 'monitoringAlarm') {
    const { status, severity } = (data.errorDetails ?? {}) as { status?: unknown; severity?: unknown };
    return status === 'cleared' ? 'info' : (SEVERITY[String(severity)] ?? 'warn');
  }
  const { severity } = (data.errorDetails ?? {}) as { severity?: unknown };
  if (type === 'serviceAlarm' && severity === 'critical') return 'error';
  if (ERRORS.has(type)) return 'error';
  return WARNINGS.has(type) ? 'warn' : 'info';
}

/** The member of that name, nearest to the surface. */
function first(data: unknown, name: string): unknown {
  let found: unknown;
  holds(data, (member, value) => {
    if (member !== name || found !== undefined) return false;
    found = value;
    return true;
  });
  return found;
}

/** Whether a member fits, the outer ones looked at first. */
function holds(data: unknown, isIt: (name: string, value: unknown) => boolean, depth = 0): boolean {
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return false;
  const members = Object.entries(data);
  return (
    members.some(([name, value]) => isIt(name, value)) ||
    members.some(([, value]) => holds(value, isIt, depth + 1))
  );
}
