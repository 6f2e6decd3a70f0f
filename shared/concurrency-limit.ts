/** Work of which only so much is under way at once; the rest waits in the order in which it came. */
export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `most`: pieces of work under way at once, 1 or more. */
  constructor(most: number) {
    this.#free = most;
  }

  /** Settles as the work does. Work that waits for other work under the same limit may wait for ever. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
