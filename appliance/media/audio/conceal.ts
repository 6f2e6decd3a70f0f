import { FRAME_SAMPLES } from './frame.ts';

/** Chosen: after three repeats a voice sounds like a robot; silence is better. */
const REPEATS = 3;

/**
 * Fills holes: the last frame again, fading, then silence.
 *
 * ```
 *   heard   heard   lost      lost      lost      lost      heard
 *     1       1    1 … 2/3  2/3 … 1/3  1/3 … 0     0          1       gain
 * ```
 * For a detector the fade does no harm in the first repeat (−3.5 dB at its end); `plain` keeps the level instead.
 */
export class Concealer {
  readonly #last = new Int16Array(FRAME_SAMPLES);
  #repeats = REPEATS;

  /** A frame that arrived. */
  onFrame(frame: Int16Array): void {
    this.#last.set(frame);
    this.#repeats = 0;
  }

  /**
   * Makes up a frame.
   *
   * @param plain repeat without fade, for legs whose frames go to a detector
   * @returns false when only silence is left
   */
  lost(out: Int16Array, plain = false): boolean {
    if (this.#repeats >= REPEATS) {
      out.fill(0);
      return false;
    }
    const slope = plain ? 0 : 1 / (REPEATS * FRAME_SAMPLES);
    const gain = plain ? 1 : 1 - this.#repeats / REPEATS;
    for (let i = 0; i < FRAME_SAMPLES; i++) out[i] = Math.round((this.#last[i] ?? 0) * (gain - i * slope));
    this.#repeats++;
    return true;
  }
}
