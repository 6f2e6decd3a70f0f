import { RE2JS } from 're2js';
import { type Failure, fail, ok, type Result } from '../result.ts';
import { compilePattern, type PatternFailure, SUBJECT_MAX_LENGTH } from './pattern.ts';

/** A text in which the first find of a user's pattern is replaced; unchanged where nothing is found. */
export type Rewrite = (text: string) => string;

export type RewriteFailure = PatternFailure | Failure<'rewriteInvalid'>;

/** `$$` is a dollar sign; `$` before anything else is one too, as in JavaScript. */
const REFERENCE = /\$(\$|[1-9]\d?)/g;

/**
 * Compiles match and replacement (voiceCallSipFromUserMatch and voiceCallSipFromUserRewrite). `$1` to `$99` insert a
 * group; a group the pattern has not is refused, since JavaScript would call `$1` itself. Linear in the text.
 */
export function compileRewrite(match: string, replacement: string): Result<Rewrite, RewriteFailure> {
  const pattern = compilePattern(match);
  if (!pattern.ok) return pattern;
  const compiled = RE2JS.compile(match);
  const groups = compiled.groupCount();
  for (const [reference, name = ''] of replacement.matchAll(REFERENCE)) {
    if (name !== '$' && Number(name) > groups)
      return fail('rewriteInvalid', `names ${reference}, and the match has ${groups} groups`);
  }
  return ok((text) =>
    text.length > SUBJECT_MAX_LENGTH ? text : compiled.matcher(text).replaceFirst(replacement),
  );
}

/** Longest destination a rewrite makes, in characters; no number and no address is longer. */
export const DESTINATION_MAX_LENGTH = 512;

/**
 * A destination in place of the one that was called (`destinationRewrite`): `$1` stands for what was called. Where that
 * would be longer than a destination can be, what was called stays.
 */
export function rewrittenDestination(rewrite: string, called: string): string {
  const inserts = rewrite.split('$1').length - 1;
  const length = rewrite.length + inserts * (called.length - 2);
  return length > DESTINATION_MAX_LENGTH ? called : rewrite.replaceAll('$1', () => called);
}
