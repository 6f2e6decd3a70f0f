import type { FeedScope } from '#shared/contract/feed/index.ts';
import type { Failure, Result } from '#shared/result.ts';

/** `unreachable`: try again. `notModified`: nothing newer. `damaged`: came as signed and cannot be used. */
export type Fetched<T> = Result<T, Failure<'unreachable' | 'notModified' | 'damaged'>>;

/** Where configuration comes from: the cloud, later also a peer or a stick with the same signed bytes. */
export interface FeedSource {
  /** Compact JWS of the twin. */
  readonly twin: () => Promise<Fetched<string>>;
  /**
   * Compact JWS of the manifest that leads from `since` to the newest revision; 0 = everything. `has`: the revision in force
   * here, from which on the source may say that much was meant to go.
   */
  readonly manifest: (scope: FeedScope, since: number, has?: number) => Promise<Fetched<string>>;
  /** Text of one page, its hash checked and unpacked. */
  readonly page: (page: { readonly sha256: string; readonly size: number }) => Promise<Fetched<string>>;
  /** Key statements, the oldest first, by which a key not yet known may be believed; absent: this source has none. */
  readonly keys?: () => Promise<Fetched<readonly string[]>>;
  /** Bytes of a prompt file to a new file at `path`, their hash checked; absent: this source has none. */
  readonly save?: (
    file: { readonly sha256: string; readonly size: number },
    path: string,
  ) => Promise<Fetched<null>>;
}

/** Payload of a compact JWS whose signature is by a pinned key and whose `typ` is as expected; else undefined. */
export type VerifySigned = (compact: string, typ: string) => Promise<unknown>;
