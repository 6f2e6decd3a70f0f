import { FRAME_SAMPLES, saturate } from './frame.ts';

/**
 * One frame of a conference: everybody's sum is made once in 32 bits, each hears the sum minus the own share.
 *
 * ```
 *   begin   add(a) add(b) add(c)   hear(a) = b + c   hear(b) = a + c   hear(null) = a + b + c
 * ```
 * The sum never clips inside (65,536 full-scale frames fit); only the sum for a participant is saturated. No automatic gain:
 * a quiet talker is mixed quietly. Two parties are a swap of frames and need no mixer.
 */
export class Mixer {
  readonly #sum = new Int32Array(FRAME_SAMPLES);
  #talking = 0;

  begin(): void {
    this.#sum.fill(0);
    this.#talking = 0;
  }

  /** How many frames were added since `begin`. */
  get talking(): number {
    return this.#talking;
  }

  /** Adds what one participant says, of `FRAME_SAMPLES` samples. Gain is applied before, by `applyGain`. */
  add(frame: Int16Array): void {
    const sum = this.#sum;
    for (let i = 0; i < FRAME_SAMPLES; i++) sum[i] = (sum[i] ?? 0) + (frame[i] ?? 0);
    this.#talking++;
  }

  /**
   * Makes the frame that a participant hears.
   *
   * @param own the very frame this participant added, unchanged since, or null for a participant who only listens
   * @returns how many samples were clipped
   */
  hear(own: Int16Array | null, out: Int16Array): number {
    const sum = this.#sum;
    let clipped = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const wanted = (sum[i] ?? 0) - (own === null ? 0 : (own[i] ?? 0));
      const value = saturate(wanted);
      if (value !== wanted) clipped++;
      out[i] = value;
    }
    return clipped;
  }
}
