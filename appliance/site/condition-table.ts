import type { Severity } from './gauge.ts';

/** A fault of this host: one alarm per error and service. */
export interface Condition {
  readonly error: string;
  /** Empty: the host as a whole. */
  readonly service: string;
  readonly severity: Severity;
  readonly message: string;
  /** Epoch ms. */
  readonly since: number;
}

/** The event that the receivers of alarms get. */
export interface ConditionEvent extends Condition {
  readonly status: 'raised' | 'cleared';
  /** Changes of this condition that were not reported since the last event. */
  readonly suppressed: number;
}

const REPEAT_MS = 6 * 3_600_000;
const HALF_LIFE_MS = 15 * 60_000;
const FLAP = 1_000;
const UNSTABLE = 3_000;
const CALM = 750;
/** A condition that lasts is reported, however unstable it was. */
const UNBROKEN_MS = 300_000;

interface Entry {
  condition: Condition | undefined;
  /** The state that the receivers believe. */
  isReported: boolean;
  reportedAtMs: number;
  changedAtMs: number;
  penalty: number;
  penaltyAtMs: number;
  unstable: boolean;
  suppressed: number;
}

/**
 * The conditions that hold, and the changes of them that are reported (control plane 7): each once, repeated every 6 h while it
 * lasts, and damped while it flaps. A change adds 1000, which halves in 15 min; above 3000 only the count goes on, below 750
 * changes are reported again. The first alarm is never damped, and one that stays for 5 min is reported. Times are monotonic
 * ms.
 */
export class ConditionTable {
  readonly #entries = new Map<string, Entry>();

  raise(condition: Condition, nowMs: number): ConditionEvent | undefined {
    const entry = this.#entry(condition.error, condition.service);
    const before = entry.condition;
    entry.condition = before === undefined ? condition : { ...condition, since: before.since };
    if (before === undefined) this.#changed(entry, nowMs);
    const worse = before !== undefined && before.severity !== condition.severity;
    if (before !== undefined && !worse) return undefined;
    return this.#tell(entry, nowMs);
  }

  clear(error: string, service: string, nowMs: number): ConditionEvent | undefined {
    const entry = this.#entries.get(key(error, service));
    if (entry?.condition === undefined) return undefined;
    const { condition } = entry;
    entry.condition = undefined;
    entry.changedAtMs = nowMs;
    if (!entry.isReported) {
      entry.suppressed++;
      return undefined;
    }
    entry.isReported = false;
    entry.reportedAtMs = nowMs;
    const { suppressed } = entry;
    entry.suppressed = 0;
    return { ...condition, status: 'cleared', suppressed };
  }

  /** The events that are due by now: repeats, and damped conditions that have lasted. */
  due(nowMs: number): readonly ConditionEvent[] {
    const events: ConditionEvent[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.condition === undefined) continue;
      const owed = entry.isReported
        ? nowMs - entry.reportedAtMs >= REPEAT_MS
        : nowMs - entry.changedAtMs >= UNBROKEN_MS;
      if (owed) events.push(this.#say(entry, entry.condition, nowMs));
    }
    return events;
  }

  /** The conditions that hold now, the oldest first. */
  get holding(): readonly Condition[] {
    return [...this.#entries.values()]
      .flatMap(({ condition }) => (condition === undefined ? [] : [condition]))
      .sort((a, b) => a.since - b.since);
  }

  #entry(error: string, service: string): Entry {
    const known = this.#entries.get(key(error, service));
    if (known !== undefined) return known;
    const made: Entry = {
      condition: undefined,
      isReported: false,
      reportedAtMs: 0,
      changedAtMs: 0,
      penalty: 0,
      penaltyAtMs: 0,
      unstable: false,
      suppressed: 0,
    };
    this.#entries.set(key(error, service), made);
    return made;
  }

  #changed(entry: Entry, nowMs: number): void {
    const decayed = entry.penalty * 0.5 ** ((nowMs - entry.penaltyAtMs) / HALF_LIFE_MS);
    if (decayed < CALM) entry.unstable = false;
    entry.penalty = decayed + FLAP;
    entry.penaltyAtMs = nowMs;
    entry.changedAtMs = nowMs;
    if (entry.penalty > UNSTABLE) entry.unstable = true;
  }

  #tell(entry: Entry, nowMs: number): ConditionEvent | undefined {
    if (entry.condition === undefined) return undefined;
    if (entry.unstable && !entry.isReported) {
      entry.suppressed++;
      return undefined;
    }
    return this.#say(entry, entry.condition, nowMs);
  }

  #say(entry: Entry, condition: Condition, nowMs: number): ConditionEvent {
    const { suppressed } = entry;
    entry.isReported = true;
    entry.reportedAtMs = nowMs;
    entry.suppressed = 0;
    return { ...condition, status: 'raised', suppressed };
  }
}

const key = (error: string, service: string): string => `${error} ${service}`;
