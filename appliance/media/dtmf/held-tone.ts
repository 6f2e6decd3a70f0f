import { peakOf, SAMPLE_RATE, saturate } from '../audio/index.ts';
import { DIGITS, HIGH_HZ, LOW_HZ } from './digit.codes.ts';

const LOW_DBM0 = -9;
const HIGH_DBM0 = -7;
const PEAK_LOW = peakOf(LOW_DBM0);
const PEAK_HIGH = peakOf(HIGH_DBM0);
const NEVER = Number.POSITIVE_INFINITY;

interface Held {
  readonly low: number;
  readonly high: number;
  /** Samples; infinite until `release`. */
  length: number;
  readonly pause: number;
}

/**
 * DTMF whose length is not known when it begins: a digit relayed while the key is still down.
 *
 * ```
 *   idle --press--> sounding --release(80 ms): ends at sample 640, or now when that is over--> pause --> next, or idle
 * ```
 */
export class HeldTone {
  readonly #queue: Held[] = [];
  #sample = 0;

  get idle(): boolean {
    return this.#queue.length === 0;
  }

  /** Begins a digit as soon as those before it are over. Anything but a digit is ignored. */
  press(digit: string, pauseMs: number): void {
    const index = DIGITS.indexOf(digit.toUpperCase());
    const [lowHz, highHz] = [LOW_HZ[index >> 2], HIGH_HZ[index & 3]];
    if (index < 0 || lowHz === undefined || highHz === undefined) return;
    const radians = (2 * Math.PI) / SAMPLE_RATE;
    const pause = (pauseMs * SAMPLE_RATE) / 1_000;
    this.#queue.push({ low: lowHz * radians, high: highHz * radians, length: NEVER, pause });
  }

  /** The oldest digit still held is this long. */
  release(durationMs: number): void {
    const held = this.#queue.find(({ length }) => length === NEVER);
    if (held === undefined) return;
    const sounded = held === this.#queue[0] ? this.#sample : 0;
    held.length = Math.max(sounded, Math.round((durationMs * SAMPLE_RATE) / 1_000));
  }

  /** Nothing sounds any more. */
  stop(): void {
    this.#queue.length = 0;
    this.#sample = 0;
  }

  /** Fills a frame, with silence where no digit sounds; false, and `out` untouched, when idle. */
  pull(out: Int16Array): boolean {
    if (this.idle) return false;
    for (let i = 0; i < out.length; i++) out[i] = this.#next();
    return true;
  }

  #next(): number {
    const held = this.#queue[0];
    if (held === undefined) return 0;
    const n = this.#sample++;
    const value =
      n < held.length ? PEAK_LOW * Math.sin(held.low * n) + PEAK_HIGH * Math.sin(held.high * n) : 0;
    if (n + 1 >= held.length + held.pause) {
      this.#queue.shift();
      this.#sample = 0;
    }
    return saturate(Math.round(value));
  }
}
