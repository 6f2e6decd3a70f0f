/** Chosen: a worker with fewer legs never refuses: so few are no load for any machine that we know. */
export const SURE_LEGS = 50;
/** Chosen: of one core (this thread), or of all cores (this process): above it the next leg costs those that run. */
const SATURATED_SHARE = 0.85;
/** Chosen: so much less ends it, so that it does not dance around one figure. */
const RELIEF_SHARE = 0.15;
/** Chosen: a burst of new calls is no load. */
const SATURATED_MS = 3_000;
/** Chosen: as long as that there is room again. */
export const CALM_MS = 10_000;

export interface OverloadSetting {
  readonly sureLegs?: number | undefined;
  readonly saturatedShare?: number | undefined;
}

/**
 * Whether the load of a worker is too much, and is its own.
 *
 * ```
 *   well --50 legs or more, own share of the processor >= 85 % for 3 s--> overloaded
 *     ^                                                                      |
 *     +----- fewer than 50 legs, or own share <= 70 % for 10 s --------------+
 * ```
 * `Chosen:` Calls are refused for the appliance's own load only. A slice that is late is no sign of it: a processor that is stolen by
 * the host of a virtual machine, or taken by other programs, makes an empty worker late too, and a call that is refused gives it
 * nothing back. The processor time that was really used cannot be taken for that of another program.
 */
export class Overload {
  on = false;
  readonly #sureLegs: number;
  readonly #saturatedShare: number;
  /** The condition that ends the present state has held since. */
  #sinceMs: number | undefined;

  constructor({ sureLegs = SURE_LEGS, saturatedShare = SATURATED_SHARE }: OverloadSetting = {}) {
    this.#sureLegs = sureLegs;
    this.#saturatedShare = saturatedShare;
  }

  /** @param ownShare of the processor since the last time, 0 to 1. True when `on` has changed. */
  measured(nowMs: number, ownShare: number, legs: number): boolean {
    const few = legs < this.#sureLegs;
    const turns = this.on
      ? few || ownShare <= this.#saturatedShare - RELIEF_SHARE
      : !few && ownShare >= this.#saturatedShare;
    if (!turns) {
      this.#sinceMs = undefined;
      return false;
    }
    this.#sinceMs ??= nowMs;
    const holdMs = this.on ? (few ? 0 : CALM_MS) : SATURATED_MS;
    if (nowMs - this.#sinceMs < holdMs) return false;
    this.on = !this.on;
    this.#sinceMs = undefined;
    return true;
  }
}
