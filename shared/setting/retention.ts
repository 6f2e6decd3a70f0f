import { fail, ok, type Result } from '#shared/result.ts';

/** How long each class of data is kept, in days (control plane, section 12). */
export interface Retention {
  /** Deliveries and reports about calls, services and hosts. */
  readonly calls: number;
  /** Alarms, their events and sessions. */
  readonly alarms: number;
  /** Recordings, counted from their end. */
  readonly recordings: number;
  /** Changes, reads, exports and erasures with their authors. */
  readonly audit: number;
  /** Traces, and notes that only help to find a fault. */
  readonly logs: number;
}

export const DEFAULT_RETENTION: Retention = {
  calls: 90,
  alarms: 730,
  recordings: 30,
  audit: 730,
  logs: 14,
};

/** The audit log is kept two years at least, whatever is set. */
const LEAST_AUDIT = 730;
/** A hundred years. */
const MOST = 36_500;
/** A host keeps what the cloud has acknowledged for 72 h; a shorter time would take rows that are still compared. */
const LEAST = 4;

const EXAMPLE = 'write for example calls=90,alarms=730,recordings=30,audit=730,logs=14 (days)';
const wrong = (reason: string) => fail('configurationWrong', `${reason}; ${EXAMPLE}`);

export const retentionText = (kept: Retention): string =>
  Object.entries(kept)
    .map(([name, days]) => `${name}=${days}`)
    .join(',');

/** `calls=90,logs=14`, days by class; a class that is not named keeps its default. */
export function retention(written: string): Result<Retention> {
  const kept: Record<keyof Retention, number> = { ...DEFAULT_RETENTION };
  const named = new Set<string>();
  for (const each of written.split(',')) {
    const [, name = '', days = ''] = /^\s{0,9}([a-z]{1,20})=(\d{1,6})\s{0,9}$/.exec(each) ?? [];
    if (!isClass(name) || named.has(name)) return wrong(`"${each}" is not CLASS=DAYS, each class once`);
    const count = Number(days);
    if (count < LEAST || count > MOST) return wrong(`"${each}" must be ${LEAST} to ${MOST} days`);
    if (name === 'audit' && count < LEAST_AUDIT)
      return wrong(`"${each}": the audit log is kept ${LEAST_AUDIT} days at least`);
    named.add(name);
    kept[name] = count;
  }
  return ok(Object.freeze(kept));
}

const isClass = (name: string): name is keyof Retention => Object.hasOwn(DEFAULT_RETENTION, name);
