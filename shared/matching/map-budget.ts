import { type Failure, fail, ok, type Result } from '../result.ts';
import { extentOf } from './json-extent.ts';

/** Chosen: far above any map written for a purpose, and little enough to be compiled and tried on every event. */
const MOST_PATTERNS = 2_000;
const MOST_INSTRUCTIONS = 20_000;
const MOST_INSERTS = 200;

/** Largest sum of what a rule inserts into one event. */
const MOST_INSERTED_BYTES = 262_144;

/** The limit of one map when it is compiled: `a{900}` is short, and a program of 900 instructions. */
export class MapBudget {
  #patterns = 0;
  #instructions = 0;

  pattern(instructions: number): Result<null, Failure<'patternTooComplex'>> {
    this.#patterns += 1;
    this.#instructions += instructions;
    if (this.#patterns > MOST_PATTERNS)
      return fail('patternTooComplex', `the map has more than ${MOST_PATTERNS} patterns; join some with "|"`);
    if (this.#instructions > MOST_INSTRUCTIONS)
      return fail(
        'patternTooComplex',
        `the patterns up to here compile to more than ${MOST_INSTRUCTIONS} instructions together; ` +
          'use fewer or shorter ones, without large counts of repetition',
      );
    return ok(null);
  }
}

/** Values one template may insert. */
export class InsertBudget {
  #inserts = 0;

  take(count: number): Result<null, Failure<'templateInvalid'>> {
    this.#inserts += count;
    return this.#inserts <= MOST_INSERTS
      ? ok(null)
      : fail('templateInvalid', `more than ${MOST_INSERTS} values are inserted`);
  }
}

/** The bytes inserted into one event, counted before the insertion: a value set first can be inserted again as often. */
export class Filling {
  #left = MOST_INSERTED_BYTES;

  get isOverrun(): boolean {
    return this.#left < 0;
  }

  /** Whether there is room for the value; once there was none nothing more is inserted. */
  take(value: unknown): boolean {
    if (this.isOverrun) return false;
    this.#left -= extentOf(value, this.#left).bytes;
    return !this.isOverrun;
  }
}

export const OVERRUN_REASON = `the rule inserts more than ${MOST_INSERTED_BYTES} bytes into one event; insert fewer or smaller values`;
