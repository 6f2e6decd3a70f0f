import { CALM_MS } from './overload.ts';

/** A slice that begins later than this counts, unless the setting says otherwise. */
const LATE_MS = 10;
const STRIKES = 3;
const WITHIN_MS = 1_000;

/**
 * Whether a worker keeps up. Nothing but a warning follows from it: why it is late is not known here (`Overload` knows).
 *
 * ```
 *   in time --3 slices more than 10 ms late within 1 s--> late --10 s without a late one--> in time
 * ```
 */
export class LateWatch {
  on = false;
  readonly #lateMs: number;
  readonly #late: number[] = [];
  #lastLateMs = Number.NEGATIVE_INFINITY;

  constructor(lateMs = LATE_MS) {
    this.#lateMs = lateMs;
  }

  /** One slice began; true when `on` has changed. */
  slice(nowMs: number, latenessMs: number): boolean {
    if (latenessMs > this.#lateMs) return this.#strike(nowMs);
    if (!this.on || nowMs - this.#lastLateMs < CALM_MS) return false;
    this.on = false;
    this.#late.length = 0;
    return true;
  }

  #strike(nowMs: number): boolean {
    this.#lastLateMs = nowMs;
    this.#late.push(nowMs);
    if (this.#late.length > STRIKES) this.#late.shift();
    const first = this.#late[0] ?? nowMs;
    if (this.on || this.#late.length < STRIKES || nowMs - first > WITHIN_MS) return false;
    this.on = true;
    return true;
  }
}
