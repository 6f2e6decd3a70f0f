import type { Operations } from '#shared/client/index.ts';
import { csvText } from '#shared/contract/record/index.ts';
import type { Series } from '../../component/chart/series.ts';

export type UsageEntry = Operations['getProvisioningUsage']['answer']['entries'][number];

/** Time spans of the page: their intervals, and how many of them. */
export const SPANS = {
  days: { interval: 'day', count: 31 },
  year: { interval: 'month', count: 12 },
  years: { interval: 'month', count: 36 },
} as const;
export type UsageSpan = keyof typeof SPANS;

const DAY_MS = 86_400_000;

/** Begin of the first interval of a span that ends with the one of `nowMs`; intervals begin in UTC, as those of the API. */
export function beginOf(span: UsageSpan, nowMs: number): number {
  const { interval, count } = SPANS[span];
  const date = new Date(nowMs);
  if (interval === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1);
  return nowMs - (nowMs % DAY_MS) - (count - 1) * DAY_MS;
}

/** Alarms of each interval by protocol, or by result, under the names that `nameOf` gives. */
export function alarmSeries(
  entries: readonly UsageEntry[],
  by: 'protocol' | 'result',
  nameOf: (word: string) => string,
): readonly Series[] {
  const words = [...new Set(entries.flatMap(({ alarms }) => alarms.map((each) => each[by])))];
  return words.map((word) => ({
    name: nameOf(word),
    values: entries.map(({ alarms }) =>
      alarms.reduce((total, each) => (each[by] === word ? total + each.count : total), 0),
    ),
  }));
}

export const alarmsOf = ({ alarms }: UsageEntry): number =>
  alarms.reduce((total, { count }) => total + count, 0);

/** Nothing at all was used in these intervals. */
export const isUnused = (entries: readonly UsageEntry[]): boolean =>
  entries.every(
    (entry) => entry.calls + entry.minutes + alarmsOf(entry) + entry.recordings + entry.callbacks === 0,
  );

/** Usage for a spreadsheet: an interval a line, times in UTC (ISO 8601), alarms of each protocol and result in a column. */
export function usageAsCsv(entries: readonly UsageEntry[]): string {
  const kinds = [
    ...new Set(
      entries.flatMap(({ alarms }) => alarms.map(({ protocol, result }) => `${protocol} ${result}`)),
    ),
  ].toSorted();
  const head = ['from', 'to', 'calls', 'minutes', 'recordings', 'callbacks', 'alarms'];
  const rows = entries.map((entry) => [
    new Date(entry.from).toISOString(),
    new Date(entry.to).toISOString(),
    ...[entry.calls, entry.minutes, entry.recordings, entry.callbacks, alarmsOf(entry)].map(String),
    ...kinds.map((kind) =>
      String(
        entry.alarms.reduce(
          (total, { protocol, result, count }) => (`${protocol} ${result}` === kind ? total + count : total),
          0,
        ),
      ),
    ),
  ]);
  return csvText([[...head, ...kinds.map((kind) => `alarms ${kind}`)], ...rows]);
}
