/** Gives a place back, so that the next work begins. More than once does nothing. */
export type Leave = () => void;

interface Waiting {
  readonly isWanted: () => boolean;
  readonly enter: (leave: Leave | undefined) => void;
}

/** Work of which only so much is under way at once; the rest waits in the order in which it came. */
export class ConcurrencyLimit {
  readonly #waiting = new Set<Waiting>();
  readonly #mostWaiting: number;
  #free: number;

  /** `most`: pieces of work under way at once, 1 or more. `mostWaiting`: pieces that wait; by default any number. */
  constructor(most: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#free = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Settles as the work does. Work that waits for other work under the same limit may wait for ever. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    if (leave === undefined) throw new Error(`more than ${this.#mostWaiting} pieces of work wait`);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * A place, from now until it is left. Undefined when too many wait, or when `isWanted` is false at its turn: nothing needs the work
   * any more. Work for callers that have given up would take the time of those that wait behind it, until they give up as well.
   */
  async enter(isWanted: () => boolean = () => true): Promise<Leave | undefined> {
    if (this.#free > 0) {
      this.#free--;
      return this.#place();
    }
    if (this.#waiting.size >= this.#mostWaiting) this.#dropUnwanted();
    if (this.#waiting.size >= this.#mostWaiting) return undefined;
    return await new Promise((resolve) => this.#waiting.add({ isWanted, enter: resolve }));
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
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      const isWanted = next.isWanted();
      next.enter(isWanted ? this.#place() : undefined);
      if (isWanted) return;
    }
    this.#free++;
  }

  #dropUnwanted(): void {
    for (const each of this.#waiting) {
      if (each.isWanted()) continue;
      this.#waiting.delete(each);
      each.enter(undefined);
    }
  }
}
