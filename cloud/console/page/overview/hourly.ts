import { decimal } from '../../component/wording/figure.ts';

const HOUR_MS = 3_600_000;

/** Number of sessions that began in an hour (`GET /record/{domain}/count`). */
export interface HourCount {
  /** Begin of the hour, epoch ms. */
  readonly hour: number;
  readonly kind: string;
  readonly result: string;
  readonly amount: number;
}

export interface Hour {
  readonly hour: number;
  readonly alarms: number;
  readonly calls: number;
  /** Alarms and calls that failed, were interrupted or were accepted by no person. */
  readonly bad: number;
}

const CALLS = new Set(['call', 'mediaService', 'cloudUserAgent']);
const BAD = new Set(['failed', 'interrupted', 'unanswered']);

/** So many hours up to the one of `nowMs`, the oldest first; an hour without a session is there too. */
export function hourly(counts: readonly HourCount[], hours: number, nowMs: number): Hour[] {
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const found = Map.groupBy(counts, ({ hour }) => hour);
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - (hours - 1 - index) * HOUR_MS;
    const sum = { hour, alarms: 0, calls: 0, bad: 0 };
    for (const { kind, result, amount } of found.get(hour) ?? []) {
      const isAlarm = kind === 'alarm';
      if (!isAlarm && !CALLS.has(kind)) continue;
      if (isAlarm) sum.alarms += amount;
      else sum.calls += amount;
      if (BAD.has(result)) sum.bad += amount;
    }
    return sum;
  });
}

/** The upper end of a scale for `most`: 1, 2 or 5 times a power of ten. */
export function scaleEnd(most: number): number {
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

/** `310 ms`, `4.2 s`, `3 min`: a duration by its size. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${decimal(ms / 1_000, 1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
