/** An announcement as it was read. Times are those of the clock of the database, epoch ms. */
export interface Announcement<T> {
  readonly id: string;
  readonly at: number;
  readonly body: T;
}

/** The result of a look at the announcements. */
export interface Look<T> {
  /** Those that were not known before, oldest first. */
  readonly fresh: readonly Announcement<T>[];
  /** The look before is so long ago that some may be missed: everything has to be compared with its rows. */
  readonly missed: boolean;
}

/**
 * Announcements are read again as long as they are young, and given once: a number that was taken first may be committed
 * last, so no number tells where to go on. `windowMs`: how far back each look reads; longer than a transaction lasts, so
 * that one that was written before a look and committed behind it is found by the next one.
 */
export class AnnouncementWindow<T> {
  readonly #windowMs: number;
  /** Known ids, with their times. */
  readonly #known = new Map<string, number>();
  #lookedAt: number | undefined;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** `databaseMs`: when they were read. A look that failed is none. */
  look(databaseMs: number, read: readonly Announcement<T>[]): Look<T> {
    const missed = this.#lookedAt !== undefined && databaseMs - this.#lookedAt > this.#windowMs / 2;
    this.#lookedAt = databaseMs;
    const fresh = read
      .filter(({ id }) => !this.#known.has(id))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    for (const { id, at } of fresh) this.#known.set(id, at);
    for (const [id, at] of this.#known) if (at < databaseMs - 2 * this.#windowMs) this.#known.delete(id);
    return { fresh, missed };
  }
}
