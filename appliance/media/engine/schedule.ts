/** 20 ms are cut into four slices. */
export const SLICES = 4;
export const SLICE_MS = 5;
/** Chosen: so many ticks are caught up in a row; what is beyond them is left out. */
const CAUGHT_UP_TICKS = 5;

/**
 * When slices are due, against an absolute schedule: lateness of one never moves the next.
 *
 * ```
 *   start + 5 ms × n        n: slices done        late by up to 5 ticks: they run one after another
 *                                                 by more: whole ticks are left out first, time leaps
 * ```
 */
export class SliceSchedule {
  /** Ticks left out so far. */
  skippedTicks = 0;
  readonly #startMs: number;
  #done = 0;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** How many whole ticks must be left out before the next slice: 0, unless we are far too late. */
  overdueTicks(nowMs: number): number {
    const due = Math.floor((nowMs - this.#startMs) / SLICE_MS) - this.#done;
    const excess = due - CAUGHT_UP_TICKS * SLICES;
    if (excess <= 0) return 0;
    const ticks = Math.ceil(excess / SLICES);
    this.#done += ticks * SLICES;
    this.skippedTicks += ticks;
    return ticks;
  }

  /** How late the next slice would begin now; negative: not yet. */
  latenessMs(nowMs: number): number {
    return nowMs - this.#startMs - this.#done * SLICE_MS;
  }

  ran(): void {
    this.#done++;
  }
}
