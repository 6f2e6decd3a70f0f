import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { type Failure, ok, type Result } from '../result.ts';

/** Longest pattern a customer may write, in characters. */
const PATTERN_MAX_LENGTH = 512;
/** Largest compiled program, in instructions: bounds the work of one character of input. */
const PATTERN_MAX_PROGRAM = 1000;
/** Longest text a pattern is asked about; a longer one matches nothing. */
export const SUBJECT_MAX_LENGTH = 256;

/** A user's regular expression, compiled once. */
export interface Pattern {
  readonly source: string;
  /** Size of the compiled program: what one character of input costs at most. */
  readonly instructions: number;
  /** Unanchored find, like `RegExp.prototype.test`. Linear in the length of the text. */
  test(subject: string): boolean;
}

/** `position` counts UTF-16 units from the start of the pattern. */
export interface PatternFailure extends Failure<'patternTooLong' | 'patternInvalid' | 'patternTooComplex'> {
  readonly position: number;
}

/**
 * Compiles RE2 syntax: no look-around, no back-references, hence no pattern that never ends. The same library
 * in the same version decides in the cloud and on the appliance.
 */
export function compilePattern(source: string): Result<Pattern, PatternFailure> {
  if (source.length > PATTERN_MAX_LENGTH) {
    const reason = `the pattern has ${source.length} characters, at most ${PATTERN_MAX_LENGTH} are allowed`;
    return refuse('patternTooLong', reason, PATTERN_MAX_LENGTH);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return syntaxFailure(source, error);
    if (error instanceof RE2JSException) return refuse('patternInvalid', error.message, 0);
    throw error;
  }
  const size = compiled.programSize();
  if (size > PATTERN_MAX_PROGRAM) {
    const reason = `the pattern compiles to ${size} instructions, at most ${PATTERN_MAX_PROGRAM} are allowed`;
    return refuse('patternTooComplex', reason, 0);
  }
  return ok({
    source,
    instructions: size,
    // A find by `test` would build an automaton that keeps up to 8 MiB for each pattern; this keeps nothing.
    test: (subject) => subject.length <= SUBJECT_MAX_LENGTH && compiled.matcher(subject).find(),
  });
}

/**
 * The library names the offending piece but not its place: the place is where that piece stands first. A
 * piece it leaves empty is the backslash at the end.
 */
function syntaxFailure(source: string, error: RE2JSSyntaxException) {
  const piece = typeof error.input === 'string' ? error.input : '';
  const position = piece === '' ? source.length - 1 : Math.max(0, source.indexOf(piece));
  return refuse('patternInvalid', `${error.error} at position ${position}: ${piece}`, position);
}

function refuse(code: PatternFailure['code'], reason: string, position: number) {
  return { ok: false, error: { code, reason, position } } as const;
}
