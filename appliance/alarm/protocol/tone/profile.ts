import type { CheckMethod, CheckTable } from './check-method.ts';
import type { StmfTimes, Tone } from './tone.ts';

/**
 * How a tone protocol goes: a profile is data, and an integrator corrects digits and times by changing values. Times
 * are ms. A tenant and a destination may replace any value.
 */
export interface ToneProfile {
  /** A tone of the device that selects the protocol before anything is asked. */
  readonly enquiry?: { readonly hz: number; readonly minMs: number };
  readonly trigger: {
    /** The tones that ask the device for its string; empty = the device begins by itself. */
    readonly send: readonly Tone[];
    /** Between answering and asking, and start to start between two requests. */
    readonly waitBeforeMs: number;
    readonly repeatEveryMs: number;
    readonly max: number;
  };
  readonly collect: {
    /** The digits before and behind the string on the line; '' = nothing. */
    readonly start: string;
    readonly end: string;
    readonly alphabet: string;
    /** Pause that ends the string, and the shorter one once every symbol is in. */
    readonly interDigitMs: number;
    readonly fullWaitMs?: number;
    /** Longer tones are no symbols. */
    readonly maxToneMs?: number;
    /** Without a valid string this long after the last request, the protocol has failed. */
    readonly overallMs: number;
    /** Silence after a bad string, in which the device may repeat by itself. */
    readonly quietAfterBadMs: number;
  };
  /** A device may say its string in sequential tones; absent = the protocol has none. */
  readonly stmf?: StmfTimes;
  readonly check: CheckSetting;
  /** Said once the event is stored. */
  readonly ack: readonly Tone[];
  /** Time from the end of the string to the acknowledge; later none is said. Absent = `ACK_WITHIN_MS`. */
  readonly ackWithinMs?: number;
  /** Asks for the string again; absent = silence does. */
  readonly nak?: readonly Tone[];
  /** Pause between the acknowledge and speech. */
  readonly settleMs: number;
}

/**
 * The budget of storing (protocols 2.1). A BS 8521 device waits 570 ms: 170 of them pass where the pause has to end the
 * string, and the line has the rest. The wait of other devices is a guess, and none is known to wait less.
 */
export const ACK_WITHIN_MS = 200;

/** The handling of a string whose check digits are wrong. */
export interface CheckSetting {
  /**
   * `verify`: asked for again `maxRejects` times, then taken with a warning; `warn`: taken with a warning; `ignore`:
   * not looked at; `learn`: not looked at, and every method is tried so that the right one can be found.
   */
  readonly policy: 'verify' | 'warn' | 'ignore' | 'learn';
  readonly method: CheckMethod;
  readonly table?: CheckTable;
  readonly maxRejects: number;
}

/** How check digits of what we send are made. */
export interface SentCheck extends Pick<CheckSetting, 'method' | 'table'> {
  /** Two symbols that stand there where the method makes none; absent = 00. */
  readonly fixed?: string;
}

/** A profile with a tenant's changes, later ones winning; groups of values are changed value by value. */
export function changedProfile<P extends ToneProfile>(
  profile: P,
  ...changes: readonly ToneProfileChange[]
): P {
  let changed = profile;
  for (const { trigger, collect, check, ...rest } of changes) {
    changed = {
      ...changed,
      ...rest,
      trigger: { ...changed.trigger, ...trigger },
      collect: { ...changed.collect, ...collect },
      check: { ...changed.check, ...check },
    };
  }
  return changed;
}

/** The changes of a tenant's own profile. */
export type ToneProfileChange = Partial<Omit<ToneProfile, 'trigger' | 'collect' | 'check'>> & {
  readonly trigger?: Partial<ToneProfile['trigger']>;
  readonly collect?: Partial<ToneProfile['collect']>;
  readonly check?: Partial<ToneProfile['check']>;
};
