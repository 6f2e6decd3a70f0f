import type { Failure, Result } from '#shared/result.ts';

/** One outgoing POST. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the look-up to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface PostAnswer {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * - `addressRefused`: not https, port below 1024 other than 443, or an address that decisions 4.1 forbids.
 * - `unreachable`: name not found, connection refused, no route, TLS not established.
 * - `connectionLost`: the connection broke after the request was begun; a repeat with the same key is safe.
 * - `timeout`, `redirectRefused`, `tooLarge` (answer over 256 KiB), `malformed` (the answer is not HTTP, or not what its
 *   Content-Encoding says).
 */
export type PostFailureCode =
  | 'addressRefused'
  | 'unreachable'
  | 'connectionLost'
  | 'timeout'
  | 'redirectRefused'
  | 'tooLarge'
  | 'malformed';

export type PostResult = Result<PostAnswer, Failure<PostFailureCode>>;

/** Sends JSON to a customer's endpoint; never throws. */
export type PostJson = (request: PostRequest) => Promise<PostResult>;
