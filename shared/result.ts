/**
 * Expected failures are values. An exception is a bug and is caught once, in the runtime.
 *
 * `code` is a literal that tables translate (error to SIP status, HTTP status, callback); `reason` is one
 * sentence for a person: what happened and what to do.
 */
export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly reason: string;
  /** JSON pointer, header name or element that is wrong, when there is one. */
  readonly path?: string;
}

export type Result<T, F extends Failure = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: F };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <Code extends string>(
  code: Code,
  reason: string,
  path?: string,
): { readonly ok: false; readonly error: Failure<Code> } => ({
  ok: false,
  error: path === undefined ? { code, reason } : { code, reason, path },
});
