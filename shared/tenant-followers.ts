import { fail, ok, type Result } from './result.ts';

/** One reader of a stream of a tenant. */
interface Follower<Event> {
  /** Resolves with the next event; the reader asks again for each. */
  next(): Promise<Event>;
  /** Every 15 s. */
  beat(): void;
  /** Ends the stream of this reader. */
  end(): void;
}

/** A stream as its reader has it. */
export interface Following<Event> {
  readonly next: () => Promise<Event>;
  readonly close: () => void;
}

const MOST_FOLLOWERS = 100;

/** The readers of a stream, by tenant. A tenant without readers costs nothing. */
export class TenantFollowers<Event, Each extends Follower<Event>> {
  readonly #followers = new Map<string, Set<Each>>();

  has(tenant: string): boolean {
    return this.#followers.has(tenant);
  }

  all(): Iterable<Each> {
    return [...this.#followers.values()].flatMap((followers) => [...followers]);
  }

  of(tenant: string): Iterable<Each> {
    return this.#followers.get(tenant) ?? [];
  }

  /** Open readers of all tenants. */
  get size(): number {
    return [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Fails with `tooManyRequests`. */
  join(tenant: string, open: () => Each): Result<Following<Event>> {
    const followers = this.#followers.get(tenant) ?? new Set<Each>();
    if (followers.size >= MOST_FOLLOWERS)
      return fail(
        'tooManyRequests',
        `The stream is not opened: the tenant has ${MOST_FOLLOWERS} open streams, the most that it can have. Close one of them.`,
      );
    const follower = open();
    followers.add(follower);
    this.#followers.set(tenant, followers);
    return ok({
      next: () => follower.next(),
      close: () => {
        follower.end();
        followers.delete(follower);
        if (followers.size === 0) this.#followers.delete(tenant);
      },
    });
  }

  /** Every 15 s. */
  beat(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) follower.beat();
  }

  close(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) follower.end();
  }
}
