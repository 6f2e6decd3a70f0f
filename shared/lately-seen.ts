/** Names that were seen within a time, each since it was last added. */
export class LatelySeen {
  /** In the order of their times, ms. */
  readonly #atMs = new Map<string, number>();
  readonly #forMs: number;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  has(name: string, nowMs: number): boolean {
    this.#forget(nowMs);
    return this.#atMs.has(name);
  }

  add(name: string, nowMs: number): void {
    this.#forget(nowMs);
    this.#atMs.delete(name);
    this.#atMs.set(name, nowMs);
  }

  #forget(nowMs: number): void {
    for (const [name, atMs] of this.#atMs) {
      if (nowMs - atMs < this.#forMs) return;
      this.#atMs.delete(name);
    }
  }
}
