import type { Verdict } from '#test/support/site-history.ts';

/** One alarm of a known device. Times in ms since it was sent; undefined: never. */
export interface KnownAlarm {
  readonly reference: string;
  readonly durableMs: number | undefined;
  readonly deliveredMs: number | undefined;
  readonly acknowledgedMs: number | undefined;
}

export interface FloodHistory {
  readonly known: readonly KnownAlarm[];
  /** Alarms of strangers that came to the application, and the most that their budget allows. */
  readonly strangersDelivered: number;
  readonly strangersAllowed: number;
  /** Messages of strangers, and the answers to them that say that they are not taken. */
  readonly strangersSent: number;
  readonly strangersRefused: number;
  /** Refused and uncounted messages that the log or a platform alarm speaks of. */
  readonly saidOfStrangers: number;
  /** p99 while strangers send elsewhere, on this machine and now. ms */
  readonly quiet: { readonly durableMs: number; readonly deliveredMs: number };
  /** Processor time of the appliance meanwhile, and how long it was ready to run while other programs had the processors. ms */
  readonly processor: { readonly tookMs: number; readonly waitedMs: number };
}

/** p99 of a known device under a flood. ms */
const DURABLE_MS = 200;
const REPORTED_MS = 500;
/** A machine that has other work delays by itself: so many times its own p99 is allowed beyond the promise. */
const BUSY = 2;

/**
 * Nothing a stranger sends delays a known device, and nothing is dropped silently. The delay of the
 * machine itself is measured with strangers that send elsewhere.
 */
export function judgeFlood(history: FloodHistory): Verdict {
  const { known, quiet, processor } = history;
  const machine = {
    durableMs: BUSY * quiet.durableMs + processor.waitedMs,
    deliveredMs: BUSY * quiet.deliveredMs + processor.waitedMs,
  };
  const lost = known.filter(({ deliveredMs: reportedMs }) => reportedMs === undefined);
  const unanswered = known.filter(({ acknowledgedMs }) => acknowledgedMs === undefined);
  const durable = p99(known.map(({ durableMs }) => durableMs ?? Number.POSITIVE_INFINITY));
  const reported = p99(known.map(({ deliveredMs: reportedMs }) => reportedMs ?? Number.POSITIVE_INFINITY));
  const beyond = Math.max(0, Math.round(history.strangersDelivered - history.strangersAllowed));
  const violations: string[] = [];
  if (known.length === 0) violations.push('no known device sent an alarm: nothing was proven');
  if (history.strangersSent === 0) violations.push('no stranger sent anything: nothing was proven');
  if (lost.length > 0)
    violations.push(
      `${lost.length} alarms of known devices were never at the application: ${lost[0]?.reference}`,
    );
  if (unanswered.length > 0) violations.push(`${unanswered.length} alarms of known devices were given up`);
  if (durable > DURABLE_MS + machine.durableMs)
    violations.push(
      `durable after ${durable} ms at p99, more than ${DURABLE_MS} (and ${machine.durableMs} of the machine)`,
    );
  if (reported > REPORTED_MS + machine.deliveredMs)
    violations.push(
      `told after ${reported} ms at p99, more than ${REPORTED_MS} (and ${machine.deliveredMs} of the machine)`,
    );
  if (beyond > 0) violations.push(`${beyond} alarms of strangers beyond their budget were told`);
  if (history.strangersRefused > 0 && history.saidOfStrangers === 0)
    violations.push(
      `${history.strangersRefused} messages of strangers were refused, and no log line and no alarm says so`,
    );
  return {
    figures: {
      known: known.length,
      lost: lost.length,
      'durable p99 ms': finite(durable),
      'told p99 ms': finite(reported),
      'longest wait ms': finite(
        Math.max(0, ...known.map(({ deliveredMs: reportedMs }) => reportedMs ?? Number.POSITIVE_INFINITY)),
      ),
      'processor ms': processor.tookMs,
      'waited for it ms': processor.waitedMs,
      strangers: history.strangersSent,
      refused: history.strangersRefused,
      'strangers told': history.strangersDelivered,
      'beyond budget': beyond,
    },
    violations,
  };
}

/** The value that one in a hundred exceeds; 0 of none. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
  return Math.round(value);
}

const finite = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms) : -1);
