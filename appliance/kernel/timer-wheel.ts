/** A running timer: what `start` answers and `stop` takes. */
export interface Timer<Key, Name> {
  /** Whose timer. */
  readonly key: Key;
  /** Which of its timers. */
  readonly name: Name;
  readonly dueMs: number;
}

interface Entry<Key, Name> extends Timer<Key, Name> {
  slot: number;
  previous: Entry<Key, Name> | undefined;
  next: Entry<Key, Name> | undefined;
}

const STOPPED = -1;

/**
 * Timers of a hundred thousand transactions: start and stop cost the same whatever is running.
 *
 * ```
 *   slot 0   1   2   3  …  2047      each 16 ms wide, a chain of timers in each; a round is 32.8 s, so that
 *        |   |       |               the longest usual timer (64 × T1 = 32 s) is looked at once
 *        t   t       t─t─t
 * ```
 * Pure: it knows no clock. Due times are exact; the slots only say where to look.
 */
export class TimerWheel<Key, Name> {
  readonly #slots: (Entry<Key, Name> | undefined)[];
  readonly #slotMs: number;
  readonly #started: ((dueMs: number) => void) | undefined;
  #nowMs: number;
  #size = 0;
  /** Never later than the earliest due time; undefined: not known, look. */
  #earliestMs: number | undefined;

  /** `started` hears of each due time when its timer is started. */
  constructor(nowMs: number, started?: (dueMs: number) => void, slotMs = 16, slots = 2_048) {
    this.#slots = new Array<Entry<Key, Name> | undefined>(slots).fill(undefined);
    this.#slotMs = slotMs;
    this.#started = started;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#size;
  }

  /** Starts a timer; one that is already due fires at the next `advance`. */
  start(key: Key, name: Name, dueMs: number): Timer<Key, Name> {
    const slot = this.#slotOf(Math.max(dueMs, this.#nowMs));
    const next = this.#slots[slot];
    const entry: Entry<Key, Name> = { key, name, dueMs, slot, previous: undefined, next };
    if (next !== undefined) next.previous = entry;
    this.#slots[slot] = entry;
    if (this.#size === 0 || (this.#earliestMs !== undefined && dueMs < this.#earliestMs))
      this.#earliestMs = dueMs;
    this.#size++;
    this.#started?.(dueMs);
    return entry;
  }

  /** Stops a timer; one that fired or was stopped before is left alone. */
  stop(timer: Timer<Key, Name>): void {
    const entry = timer as Entry<Key, Name>;
    if (entry.slot !== STOPPED) this.#unlink(entry);
  }

  /**
   * Takes out every timer due at `nowMs`, earliest first, and those of one due time in the order in which they were started.
   * A clock that went back takes out nothing.
   */
  advance(nowMs: number): readonly Timer<Key, Name>[] {
    if (nowMs < this.#nowMs) return [];
    const first = Math.floor(this.#nowMs / this.#slotMs);
    const last = Math.min(Math.floor(nowMs / this.#slotMs), first + this.#slots.length - 1);
    this.#nowMs = nowMs;
    if (this.#size === 0 || (this.#earliestMs !== undefined && this.#earliestMs > nowMs)) return [];
    const due: Entry<Key, Name>[] = [];
    for (let tick = first; tick <= last; tick++) {
      let entry = this.#slots[tick % this.#slots.length];
      while (entry !== undefined) {
        const { next } = entry;
        if (entry.dueMs <= nowMs) {
          this.#unlink(entry);
          due.push(entry);
        }
        entry = next;
      }
    }
    this.#earliestMs = undefined;
    // Each chain begins with the timer that was started last.
    return due.reverse().sort((a, b) => a.dueMs - b.dueMs);
  }

  /** When to call `advance` next; undefined when nothing runs. May be early after a `stop`, never late. */
  nextDueMs(): number | undefined {
    if (this.#size === 0) return undefined;
    this.#earliestMs ??= this.#findEarliest();
    return this.#earliestMs;
  }

  #findEarliest(): number {
    const first = Math.floor(this.#nowMs / this.#slotMs);
    let earliest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#slots.length; i++) {
      // Timers of this round in the nearest filled slot come before all others.
      if (earliest < (first + i) * this.#slotMs) break;
      for (
        let entry = this.#slots[(first + i) % this.#slots.length];
        entry !== undefined;
        entry = entry.next
      ) {
        if (entry.dueMs < earliest) earliest = entry.dueMs;
      }
    }
    return earliest;
  }

  #slotOf(dueMs: number): number {
    return Math.floor(dueMs / this.#slotMs) % this.#slots.length;
  }

  #unlink(entry: Entry<Key, Name>): void {
    if (entry.previous === undefined) this.#slots[entry.slot] = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next !== undefined) entry.next.previous = entry.previous;
    entry.slot = STOPPED;
    entry.previous = undefined;
    entry.next = undefined;
    this.#size--;
  }
}
