import { IdFilter } from './id-filter.ts';

/** Chosen: 256 kB for each table. */
const FILTER_BITS = 2 ** 21;
/** Ids that a filter of this size takes: then it says yes of one in a hundred that it does not have. */
const MOST_IDS = 200_000;

/**
 * Says without a read that a table has no row of an id. A row came in this life of the program, and its id was added, or before it:
 * ids begin with their time, so that one behind the newest of the earlier lives is none of theirs.
 *
 * Chosen: each alarm asks for two ids that are new. The reads cost a fifteenth of it, and more with every level of the index.
 */
export class WrittenIds {
  /** The table has to be asked for ids up to this one. */
  #askedUpTo: string;
  #newest: string;
  #filter = new IdFilter(FILTER_BITS);
  #added = 0;
  readonly #mostIds: number;

  /** `newest`: the largest id in the table. `mostIds` is for tests. */
  constructor(newest: string, mostIds = MOST_IDS) {
    this.#askedUpTo = newest;
    this.#newest = newest;
    this.#mostIds = mostIds;
  }

  /** A row with this id goes to the table. */
  add(id: string): void {
    if (this.#added === this.#mostIds) this.#beginAgain();
    this.#added++;
    this.#filter.add(id);
    if (id > this.#newest) this.#newest = id;
  }

  /** False: the table has no row with this id. */
  mayHave(id: string): boolean {
    return id <= this.#askedUpTo || this.#filter.mayHave(id);
  }

  /** The ids so far are those of an earlier life from now on. */
  #beginAgain(): void {
    this.#askedUpTo = this.#newest;
    this.#filter = new IdFilter(FILTER_BITS);
    this.#added = 0;
  }
}
