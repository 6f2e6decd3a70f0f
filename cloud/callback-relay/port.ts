import type { RestAuthenticationEntry } from '#shared/contract/provisioning/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Log } from '#shared/log.ts';
import type { Result } from '#shared/result.ts';
import type { Store } from '../store/index.ts';

export interface RelayPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

export interface RelayAnswer {
  readonly status: number;
  readonly retryAfterS?: number;
}

export interface RelayPort {
  readonly store: Store;
  /** The name of this replica, by which it claims deliveries. */
  readonly replica: string;
  readonly nowMs: () => number;
  readonly random: RandomBytes;
  /** A number in [0, 1). */
  readonly chance: () => number;
  readonly sha256: (text: string) => string;
  /** Bearer token for the claims; fails when the secret does not fit its type. */
  readonly signJwt: (
    entry: RestAuthenticationEntry,
    claims: Readonly<Record<string, unknown>>,
  ) => Promise<Result<string>>;
  /** Fails when there was no answer, or the address must not be called. */
  readonly post: (request: RelayPost) => Promise<Result<RelayAnswer>>;
  readonly log: Log;
}
