import type { JournalWrite } from './journal.ts';
import type { OutboxRow } from './row.ts';

/** Commits that are kept in memory at most. */
export const RING_COMMITS = 1_000;

/**
 * What could not be written: held in memory while the disk is gone, in the order in which it came, and written when it is
 * back. Full, it takes nothing more: what is let go of would be the oldest alarm.
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

/** Rows of a commit that must still reach somebody, whatever became of the disk. */
export const deliverable = (writes: readonly JournalWrite[]): readonly OutboxRow[] =>
  writes.flatMap((write) => (write.kind === 'outbox' && write.row.dest !== 'cloud' ? [write.row] : []));
