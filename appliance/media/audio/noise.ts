import { saturate } from './frame.ts';
import { powerOf } from './level.ts';

/**
 * White noise that is the same for the same seed (xorshift, 32 bits): good to the ear, and a test can hear it twice.
 */
export class NoiseSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** The next value, even over −1 … 1; its mean square is 1/3. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x / 0x8000_0000;
  }

  /** Fills a frame with noise of this level. */
  fill(out: Int16Array, levelDbm0: number): void {
    const scale = Math.sqrt(3 * powerOf(levelDbm0));
    for (let i = 0; i < out.length; i++) out[i] = saturate(Math.round(this.next() * scale));
  }
}
