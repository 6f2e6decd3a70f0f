/** Packets remembered behind the highest (RFC 3711, 3.3.2 asks for 64 at least). */
const REPLAY_WINDOW = 128;
const WORDS = REPLAY_WINDOW / 32;

/**
 * Which of the last 128 packet numbers were seen; numbers do not wrap (up to 2^48).
 *
 * ```
 *   forgotten: old |<------ 128, one bit each ------> highest|  ahead: new
 * ```
 */
export class ReplayWindow {
  readonly #bits = new Int32Array(WORDS);
  #highest = -1;

  /** The highest number marked, −1 before the first. */
  get highest(): number {
    return this.#highest;
  }

  /** Asks without changing anything. */
  check(index: number): 'new' | 'seen' | 'old' {
    if (index > this.#highest) return 'new';
    if (index <= this.#highest - REPLAY_WINDOW || index < 0) return 'old';
    const at = index % REPLAY_WINDOW;
    return (this.#bits[at >> 5] ?? 0) & (1 << (at & 31)) ? 'seen' : 'new';
  }

  /** Remembers a number that `check` called new. */
  mark(index: number): void {
    if (index > this.#highest) {
      if (index - this.#highest >= REPLAY_WINDOW) this.#bits.fill(0);
      else for (let skipped = this.#highest + 1; skipped < index; skipped++) this.#set(skipped, false);
      this.#highest = index;
    }
    this.#set(index, true);
  }

  #set(index: number, seen: boolean): void {
    const at = index % REPLAY_WINDOW;
    const bit = 1 << (at & 31);
    const word = this.#bits[at >> 5] ?? 0;
    this.#bits[at >> 5] = seen ? word | bit : word & ~bit;
  }
}
