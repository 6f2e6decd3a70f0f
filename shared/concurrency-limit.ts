/** Gives a place back, so that the next work begins. More than once does nothing. */
export type Leave = () => void;

interface Waiting {
  readonly isWanted: () => boolean;
  readonly enter: (leave: Leave | undefined) => void;
}

export interface Waits {
  /** Pieces of work that wait; by default any number. One more sends away the one that has waited longest. */
  readonly most: number;
  /**
   * `newest`: for callers that wait for a limited time. Where more comes than can be done, each piece that is done has waited for moments;
   * in the order in which it came, each would be done when its caller has just given up.
   */
  readonly first: 'oldest' | 'newest';
}

/** Work of which only so much is under way at once; the rest waits, by default in the order in which it came. */
export class ConcurrencyLimit {
  /** Work that was begun elsewhere and is half done without this piece. */
  readonly #urgent = new Set<Waiting>();
  readonly #waiting = new Set<Waiting>();
  readonly #waits: Waits;
  #free: number;

  /** `most`: pieces of work under way at once, 1 or more. */
  constructor(most: number, waits: Waits = { most: Number.POSITIVE_INFINITY, first: 'oldest' }) {
    this.#free = most;
    this.#waits = waits;
  }

  /** Settles as the work does. Work that waits for other work under the same limit may wait for ever. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    if (leave === undefined) throw new Error(`more than ${this.#waits.most} pieces of work wait`);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * A place, from now until it is left. Undefined when too many wait, or when `isWanted` is false at its turn: nothing needs the work
   * any more. Work for callers that have given up would take the time of those that wait behind it, until they give up as well.
   * `isUrgent`: before all that is not, and sent away by none.
   */
  async enter(isWanted: () => boolean = () => true, isUrgent = false): Promise<Leave | undefined> {
    if (this.#free > 0) {
      this.#free--;
      return this.#place();
    }
    return await new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#waiting).add({ isWanted, enter: resolve });
      if (this.#waiting.size > this.#waits.most) this.#makeRoom();
    });
  }

  #place(): Leave {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#left();
    };
  }

  #left(): void {
    const { first } = this.#waits;
    const isTaken =
      this.#takeOf(this.#urgent, this.#urgent) ||
      this.#takeOf(this.#waiting, first === 'oldest' ? this.#waiting : [...this.#waiting].reverse());
    if (!isTaken) this.#free++;
  }

  /** Gives a place to the first one that is wanted. */
  #takeOf(from: Set<Waiting>, inOrder: Iterable<Waiting>): boolean {
    for (const next of inOrder) {
      from.delete(next);
      const isWanted = next.isWanted();
      next.enter(isWanted ? this.#place() : undefined);
      if (isWanted) return true;
    }
    return false;
  }

  /** Those that nothing needs go first, then the one that has waited longest. */
  #makeRoom(): void {
    for (const each of this.#waiting) if (!each.isWanted()) this.#sendAway(each);
    for (const oldest of this.#waiting) {
      if (this.#waiting.size <= this.#waits.most) return;
      this.#sendAway(oldest);
    }
  }

  #sendAway(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.enter(undefined);
  }
}
