interface Waiting {
  readonly dueMs: number;
  readonly called: (has: boolean) => void;
}

/** A few places for work that must not crowd out other work; who finds none waits for its turn. */
export class Places {
  #free: number;
  readonly #waiting = new Set<Waiting>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a place to `leave`; false: none came free before `dueMs` (monotonic). */
  take(dueMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((called) => this.#waiting.add({ dueMs, called }));
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else this.#end(next, true);
  }

  /** Those who have waited long enough go without. */
  advance(nowMs: number): void {
    for (const each of this.#waiting) if (each.dueMs <= nowMs) this.#end(each, false);
  }

  get nextDueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const each of this.#waiting) dueMs = Math.min(dueMs, each.dueMs);
    return dueMs;
  }

  #end(waiting: Waiting, has: boolean): void {
    this.#waiting.delete(waiting);
    waiting.called(has);
  }
}
