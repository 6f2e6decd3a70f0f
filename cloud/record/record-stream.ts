import type { RecordFilter, ShownRecord } from '#shared/contract/session-record/index.ts';
import type { Result } from '#shared/result.ts';
import { type Following, TenantFollowers } from '#shared/tenant-followers.ts';
import { notedRecord, recordsOf, type SessionRecordRow, type Store } from '../store/index.ts';
import { fits } from './filter.ts';
import { shownRecord } from './shown-record.ts';

/** `reset`: records were missed, the list has them; `beat`: nothing new; `over`: the end. */
export type RecordEvent =
  | { readonly event: 'record'; readonly id: string; readonly data: ShownRecord }
  | { readonly event: 'reset'; readonly id: string; readonly data: Record<string, never> }
  | { readonly event: 'beat' | 'over' };

export type RecordFollower = Following<RecordEvent>;

interface FollowRequest {
  readonly filter: RecordFilter;
  readonly whole: boolean;
  /** The follower was there before: it has missed what came meanwhile. */
  readonly again: boolean;
  /** It has asked for nothing in a minute. */
  readonly onFrozen: () => void;
}

/** Records that wait for a slow reader; with one more it is sent to the list. */
const MOST_WAITING = 1_000;
const FROZEN_BEATS = 4;

/** Follows the records of tenants as they come. */
export class RecordStream {
  readonly #followers = new TenantFollowers<RecordEvent, Follower>();

  /** Fails with `tooManyRequests`. */
  listen(tenant: string, request: FollowRequest): Result<RecordFollower> {
    return this.#followers.join(tenant, () => new Follower(request));
  }

  /** Rows that were committed. */
  add(tenant: string, rows: readonly SessionRecordRow[]): void {
    for (const follower of this.#followers.of(tenant)) follower.add(rows);
  }

  /** Whether any stream of this tenant is read here. */
  isFollowed(tenant: string): boolean {
    return this.#followers.has(tenant);
  }

  /** Records of a tenant, or of all, were missed. */
  reset(tenant?: string): void {
    for (const follower of tenant === undefined ? this.#followers.all() : this.#followers.of(tenant))
      follower.missed();
  }

  /** Every 15 s. */
  beat(): void {
    this.#followers.beat();
  }

  close(): void {
    this.#followers.close();
  }
}

class Follower {
  readonly #request: FollowRequest;
  #waiting: RecordEvent[] = [];
  #over = false;
  #idleBeats = 0;
  #wake: (() => void) | undefined;

  constructor(request: FollowRequest) {
    this.#request = request;
    if (request.again) this.#reset();
  }

  add(rows: readonly SessionRecordRow[]): void {
    const { filter, whole } = this.#request;
    for (const row of rows)
      if (fits(row, filter))
        this.#waiting.push({ event: 'record', id: row.id, data: shownRecord(row, whole) });
    if (this.#waiting.length > MOST_WAITING) this.#reset();
    this.#wake?.();
  }

  missed(): void {
    this.#reset();
    this.#wake?.();
  }

  async next(): Promise<RecordEvent> {
    this.#idleBeats = 0;
    for (;;) {
      if (this.#over) return { event: 'over' };
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  beat(): void {
    if (this.#wake === undefined) {
      this.#idleBeats += 1;
      if (this.#idleBeats >= FROZEN_BEATS) this.#request.onFrozen();
      return;
    }
    this.#waiting.push({ event: 'beat' });
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  #reset(): void {
    this.#waiting = [{ event: 'reset', id: 'reset', data: {} }];
  }
}

/** Rows that one look reads. */
const BATCH = 500;

/**
 * Tells the streams of this replica of records that another replica has taken. Gives the function that ends it. Where a reading
 * fails, followers are sent to the list.
 */
export function followReplicas(
  store: Store,
  stream: Pick<RecordStream, 'add' | 'reset' | 'isFollowed'>,
): () => void {
  const announce = async (tenant: string, ids: readonly string[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += BATCH)
      stream.add(tenant, await recordsOf(store, tenant, ids.slice(at, at + BATCH)));
  };
  return store.onNotice((notices, isRemote) => {
    if (!isRemote) return;
    const records = [...notices].flatMap((notice) => notedRecord(notice) ?? []);
    for (const [tenant, its] of Map.groupBy(records, (record) => record.tenant))
      if (stream.isFollowed(tenant))
        void announce(
          tenant,
          its.map(({ id }) => id),
        ).catch(() => stream.reset(tenant));
  });
}
