import type { UsageData } from '#shared/contract/feed/index.ts';
import type { UsageEntry, UsageInterval } from '#shared/contract/record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Page, type Store, type UsageHourRow, usageBetween } from '../../store/index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The usage of a tenant, by interval. */
export interface UsageQueries {
  /** Intervals that begin before `toMs`, from the one that holds `fromMs` on, those without use too. */
  readonly list: (
    tenant: string,
    span: { readonly fromMs: number | undefined; readonly toMs: number; readonly interval: UsageInterval },
    after: string,
    limit: number,
  ) => Promise<Result<Page<UsageEntry>>>;
}

export const createUsageQueries = (store: Store): UsageQueries => ({
  list: async (tenant, { fromMs, toMs, interval }, after, limit) => {
    if (!/^\d{0,15}$/.test(after))
      return fail(
        'invalid',
        '/nextToken: must be the nextToken of a previous page of this list',
        '/nextToken',
      );
    const items: UsageEntry[] = [];
    let from = beginOf(after === '' ? (fromMs ?? Math.max(0, toMs - 30 * DAY_MS)) : Number(after), interval);
    for (; from < toMs && items.length < limit; from = endOf(from, interval))
      items.push(
        entryOf(from, endOf(from, interval), await usageBetween(store, tenant, from, endOf(from, interval))),
      );
    return ok(from < toMs ? { items, next: String(from) } : { items });
  },
});

function beginOf(at: number, interval: UsageInterval): number {
  if (interval === 'hour') return at - (at % HOUR_MS);
  if (interval === 'day') return at - (at % DAY_MS);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function endOf(from: number, interval: UsageInterval): number {
  if (interval === 'hour') return from + HOUR_MS;
  if (interval === 'day') return from + DAY_MS;
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function entryOf(
  from: number,
  to: number,
  rows: readonly Omit<UsageHourRow, 'tenant' | 'hour'>[],
): UsageEntry {
  const sum = (kind: string): number =>
    rows.reduce((total, row) => (row.kind === kind ? total + row.amount : total), 0);
  return {
    from,
    to,
    calls: sum('call'),
    minutes: Math.round(sum('callSecond') / 6) / 10,
    alarms: rows
      .filter(({ kind }) => kind === 'alarm')
      .map(({ protocol, result, amount }) => ({ protocol, result, count: amount })),
    recordings: sum('recording'),
    callbacks: sum('callback'),
  };
}

/** The counts of a host, as they are added up: in the hour its span began. `behindMs`: its clock was so much behind then. */
export const usageRows = (tenant: string, { from, counts }: UsageData, behindMs = 0): UsageHourRow[] =>
  counts.map(({ of, protocol, result, n }) => ({
    tenant,
    hour: beginOf(Math.max(0, from + behindMs), 'hour'),
    kind: of,
    protocol,
    result,
    amount: n,
  }));
