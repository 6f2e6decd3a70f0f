/** Random numbers in [0, 1) by xorshift32: the same seed tells the same story. */
export function seeded(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e37_79b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/** Time that moves only from one thing to the next. */
export class SimClock {
  nowMs = 0;
  #order = 0;
  #due: Due[] = [];

  after(ms: number, fire: () => void): () => void {
    const due = { atMs: this.nowMs + Math.max(0, ms), order: this.#order++, fire, cancelled: false };
    let at = this.#due.length;
    while (at > 0) {
      const before = this.#due[at - 1];
      if (
        before === undefined ||
        before.atMs < due.atMs ||
        (before.atMs === due.atMs && before.order < due.order)
      )
        break;
      at--;
    }
    this.#due.splice(at, 0, due);
    return () => {
      due.cancelled = true;
    };
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Everything until `endMs`, promises in between. */
  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      await settled();
      const next = this.#due[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#due.shift();
      if (next.cancelled) continue;
      this.nowMs = next.atMs;
      next.fire();
    }
    this.nowMs = endMs;
  }
}

/** Promises that wait for promises, some deep. */
async function settled(): Promise<void> {
  for (let depth = 0; depth < 24; depth++) await Promise.resolve();
}
