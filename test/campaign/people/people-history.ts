import type { Verdict } from '#test/support/site-history.ts';

/** One call that a person got. Times are monotonic ms. */
export interface PersonCall {
  /** Receiver of the alarm, which the person sees as its caller. */
  readonly alarm: string;
  readonly person: string;
  /** Start of the appliance whose call it is, counted from 1. */
  readonly life: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A step of a list as the application heard it. */
export interface ReportedStep {
  readonly sessionId: string;
  readonly step: string;
  readonly attempt: unknown;
  /** Idempotency-Key. */
  readonly key: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** Time without the control plane, epoch ms. */
export interface Absence {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PeopleHistory {
  /** Sessions of the alarms that their units have as acknowledged, by receiver. */
  readonly alarms: ReadonlyMap<string, string>;
  /** Receivers whose people never accept: their alarms come to the alarm queue. */
  readonly queued: readonly string[];
  readonly calls: readonly PersonCall[];
  readonly reported: readonly ReportedStep[];
  /** Sessions in the alarm queue when the appliance had started for the last time, one for each row. */
  readonly waiting: readonly string[];
  /** Sessions that a person of the queue has taken, spoken for and cleared. */
  readonly taken: readonly string[];
  readonly away: readonly Absence[];
}

/** A host has its line back within so long of a start of the control plane, which it tries again in growing steps. */
const LINE_BACK_MS = 30_000;

/**
 * The promises: the list of an acknowledged alarm goes on after each start until a person has cleared it, or it waits in the alarm
 * queue, once, or has ended unanswered while the control plane was away; within one life of the appliance no person has two calls of one alarm at once; an accept comes to the application under one id.
 */
export function judgePeople({
  alarms,
  queued,
  calls,
  reported,
  waiting,
  taken,
  away,
}: PeopleHistory): Verdict {
  const names = [...alarms.keys()];
  const sessionOf = (name: string): string => alarms.get(name) ?? '';
  const isCleared = (name: string): boolean =>
    reported.some(({ sessionId, step }) => sessionId === sessionOf(name) && step === 'cleared');
  const forgotten = names.filter((name) => !queued.includes(name) && !isCleared(name));
  const isWithout = (atMs: number): boolean =>
    away.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs + LINE_BACK_MS);
  const unanswered = queued.filter((name) =>
    reported.some(
      ({ sessionId, step, atMs }) =>
        sessionId === sessionOf(name) && step === 'unanswered' && isWithout(atMs),
    ),
  );
  const isInQueue = (name: string): boolean => !unanswered.includes(name);
  const missing = queued.filter((name) => isInQueue(name) && !waiting.includes(sessionOf(name)));
  const doubled = queued.filter((name) => waiting.filter((one) => one === sessionOf(name)).length > 1);
  const lost = queued.filter((name) => isInQueue(name) && !taken.includes(sessionOf(name)));
  const atOnce = calls.filter((call, index) => calls.some((other, at) => at > index && overlap(call, other)));
  const accepts = reported.filter(({ step }) => step === 'accepted');
  const keys = new Map<string, Set<string>>();
  for (const { sessionId, attempt, key } of accepts) {
    const name = `${sessionId} ${String(attempt)}`;
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  const twice = [...keys].filter(([, each]) => each.size > 1).map(([name]) => name);
  return {
    figures: {
      alarms: names.length,
      calls: calls.length,
      'accepts told': keys.size,
      'accepts told again, same id': accepts.length - keys.size,
      forgotten: forgotten.length,
      'two calls at once': atOnce.length,
      'accepted twice, other id': twice.length,
      'not in the queue': missing.length,
      'twice in the queue': doubled.length,
      'not taken from the queue': lost.length,
      'unanswered without the control plane': unanswered.length,
    },
    violations: [
      ...sentence('lists ended without a person', forgotten),
      ...sentence(
        'calls to a person who had one of the same alarm',
        atOnce.map(({ alarm, person }) => `${alarm}/${person}`),
      ),
      ...sentence('accepts told under different ids', twice),
      ...sentence('alarms that no person accepted, and not in the alarm queue', missing),
      ...sentence('alarms twice in the alarm queue', doubled),
      ...sentence('alarms of the alarm queue that could not be taken and cleared', lost),
    ],
  };
}

const overlap = (one: PersonCall, other: PersonCall): boolean =>
  one.alarm === other.alarm &&
  one.person === other.person &&
  one.life === other.life &&
  one.fromMs < other.toMs &&
  other.fromMs < one.toMs;

const sentence = (fault: string, which: readonly string[]): string[] =>
  which.length === 0 ? [] : [`${which.length} ${fault}: ${which.slice(0, 5).join(' ')}`];
