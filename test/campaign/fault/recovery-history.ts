import type { Verdict } from '#test/support/site-history.ts';
import type { TimedAlarm } from './timed-devices.ts';

/** A fault and its end. Epoch ms. */
export interface FaultSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Recovery {
  readonly alarms: readonly TimedAlarm[];
  readonly faults: readonly FaultSpan[];
  /** So long after its end a fault may still be felt. ms */
  readonly graceMs: number;
  /** An alarm that no fault concerns is acknowledged within this. ms */
  readonly withinMs: number;
}

/** After a fault the site is as before it: an alarm outside of every fault is acknowledged in time. */
export function judgeRecovery({ alarms, faults, graceMs, withinMs }: Recovery): Verdict {
  const isFree = ({ sentMs }: TimedAlarm): boolean =>
    faults.every(({ fromMs, untilMs }) => sentMs + withinMs < fromMs || sentMs > untilMs + graceMs);
  const lastEndMs = Math.max(Number.NEGATIVE_INFINITY, ...faults.map(({ untilMs }) => untilMs + graceMs));
  const waitOf = ({ sentMs, acknowledgedMs = Number.POSITIVE_INFINITY }: TimedAlarm): number =>
    acknowledgedMs - sentMs;
  const free = alarms.filter(isFree);
  const late = free.filter((alarm) => waitOf(alarm) > withinMs);
  const after = free.filter(({ sentMs }) => sentMs > lastEndMs);
  const answered = alarms.filter(({ acknowledgedMs }) => acknowledgedMs !== undefined);
  return {
    figures: {
      'given up': alarms.length - answered.length,
      'longest wait ms': longest(answered.map(waitOf)),
      'longest wait outside ms': longest(free.map(waitOf)),
      'alarms afterwards': after.length,
    },
    violations: [
      ...(faults.length === 0 ? ['there was no fault: nothing was proven'] : []),
      ...(after.length === 0 ? ['no alarm was sent after the last fault: nothing was proven'] : []),
      ...(late.length === 0
        ? []
        : [
            `${late.length} alarms outside of every fault waited longer than ${withinMs} ms: ${late[0]?.reference}`,
          ]),
    ],
  };
}

const longest = (waits: readonly number[]): number => {
  const most = Math.max(0, ...waits);
  return Number.isFinite(most) ? Math.round(most) : -1;
};

/** Several verdicts as one. */
export const together = (...verdicts: readonly Verdict[]): Verdict => ({
  figures: Object.assign({}, ...verdicts.map(({ figures }) => figures)) as Verdict['figures'],
  violations: verdicts.flatMap(({ violations }) => violations),
});
