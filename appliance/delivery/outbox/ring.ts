import type { JournalWrite } from './journal.ts';
import type { OutboxRow } from './row.ts';

/** Commits that are kept in memory at most. */
export const RING_COMMITS = 1_000;

/**
 * Commits that could not be written: the ring holds them in memory while the disk fails, in their order, and they are written
 * when it works again. A full ring takes nothing more: it would have to drop the oldest alarm.
 */
export class CommitRing {
  #held: (readonly JournalWrite[])[] = [];

  get size(): number {
    return this.#held.length;
  }

  /** False: there is no room. */
  hold(writes: readonly JournalWrite[]): boolean {
    if (this.#held.length >= RING_COMMITS) return false;
    this.#held.push(writes);
    return true;
  }

  /** The oldest commits, to be written now; what then fails comes back by `restore`. */
  take(most: number): readonly (readonly JournalWrite[])[] {
    return this.#held.splice(0, most);
  }

  restore(commits: readonly (readonly JournalWrite[])[]): void {
    this.#held.unshift(...commits);
  }
}

/** Rows of a commit that must still reach a receiver, whatever the state of the disk. */
export const deliverable = (writes: readonly JournalWrite[]): readonly OutboxRow[] =>
  writes.flatMap((write) => (write.kind === 'outbox' && write.row.dest !== 'cloud' ? [write.row] : []));
