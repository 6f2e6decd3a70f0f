import type { Failure } from '#shared/result.ts';
import type { FieldIndex } from './field-index.ts';

/** The readable part of a broken request: enough to answer it with 400 when a Via could be read. */
export interface Kept {
  /** '' when the broken message is a response, which is never answered. */
  readonly method: string;
  readonly fields: FieldIndex;
}

/** The bytes are no message we can use. `path` names the header field or part that is wrong. */
export interface Malformed extends Failure<'Malformed' | 'UnknownVersion' | 'TooLarge'> {
  readonly kept?: Kept;
}
