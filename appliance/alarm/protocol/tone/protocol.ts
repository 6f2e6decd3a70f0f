import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { ToneProfile } from './profile.ts';

/** A string that was read. */
export interface ToneFrame {
  /** The symbols that the check covers; '' = the protocol has no check. */
  readonly checked: string;
  /** As received; '' = it is missing. */
  readonly check: string;
  /** null: acknowledged and logged, no alarm. */
  readonly event: AlarmEvent | null;
  readonly withdraws: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** The named functions of a tone protocol, beside its profile. */
export interface ToneProtocol {
  /** Value of `protocol` in the API. */
  readonly name: string;
  readonly profile: ToneProfile;
  /** Whether a string that begins like this can be of this protocol: decides between those that are tried. */
  readonly leads: (line: string) => boolean;
  /** Symbols of the whole string, judged by its beginning; undefined = not known. */
  readonly wholeLength: (line: string) => number | undefined;
  readonly read: (line: string) => Result<ToneFrame, Failure<'Malformed'>>;
}
