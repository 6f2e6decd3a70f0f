import type { Operations } from '#shared/client/index.ts';

type Count = Operations['getRecordByDomainCount']['answer']['counts'][number];

export interface HourBar {
  /** Begin, epoch ms. */
  readonly hour: number;
  readonly good: number;
  /** Refused, unanswered, failed or interrupted. */
  readonly bad: number;
  /** Share of the highest bar, 0 to 1. */
  readonly goodShare: number;
  readonly badShare: number;
}

const HOUR_MS = 3_600_000;
/** Thirty days and one hour. */
const MOST_BARS = 721;
const GOOD: ReadonlySet<string> = new Set(['done', 'running']);

/** A bar for each hour of a range, also for hours without a session. `from` and `to`: epoch ms. */
export function hourBars(counts: readonly Count[], from: number, to: number): readonly HourBar[] {
  const begin = Math.max(from - (from % HOUR_MS), to - (to % HOUR_MS) - (MOST_BARS - 1) * HOUR_MS);
  const sums = new Map<number, { good: number; bad: number }>();
  for (const { hour, result, amount } of counts) {
    const sum = sums.get(hour) ?? { good: 0, bad: 0 };
    sum[GOOD.has(result) ? 'good' : 'bad'] += amount;
    sums.set(hour, sum);
  }
  const hours: number[] = [];
  for (let hour = begin; hour < to; hour += HOUR_MS) hours.push(hour);
  const most = Math.max(1, ...hours.map((hour) => total(sums.get(hour))));
  return hours.map((hour) => {
    const { good = 0, bad = 0 } = sums.get(hour) ?? {};
    return { hour, good, bad, goodShare: good / most, badShare: bad / most };
  });
}

const total = (sum: { readonly good: number; readonly bad: number } | undefined): number =>
  (sum?.good ?? 0) + (sum?.bad ?? 0);
