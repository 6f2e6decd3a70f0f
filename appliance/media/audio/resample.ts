import { saturate } from './frame.ts';

/** Zero crossings of the sinc under the window, at the lower of the two rates. */
const CROSSINGS = 32;
/** Chosen: pass band to 3.4 kHz at 8 kHz output, with the edge of the band 4.3 kHz away by more than 70 dB. */
const CUTOFF = 0.93;
const KAISER_BETA = 7;

/**
 * From one sample rate to another: polyphase FIR, Kaiser-windowed sinc, any two rates.
 *
 * ```
 *   input    |  |  |  |  |  |  |          out[n] stands between inputs at n · from / to; the fraction chooses one of
 *   output   |    |    |    |    |        `to / gcd` rows of coefficients
 * ```
 * Blocks of any length go in; what belongs to later inputs waits. Made for prompts: once per prompt, then cached; not
 * for the path of a leg. `flush` lets the last half window out, so that the result is as long as the source.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  readonly #rows: Float32Array;
  /** The last `taps − 1` inputs, then the block being worked on. */
  #line: Float32Array;
  #held: number;
  /** Where the next output stands: index into the line of its first tap, and its row. */
  #at = 0;
  #row = 0;

  constructor(fromHz: number, toHz: number) {
    const divisor = gcd(fromHz, toHz);
    this.#up = toHz / divisor;
    this.#down = fromHz / divisor;
    this.#taps = 2 * Math.ceil((CROSSINGS / 2) * Math.max(1, fromHz / toHz));
    this.#rows = coefficients(this.#up, this.#taps, Math.min(1, toHz / fromHz) * CUTOFF);
    this.#line = new Float32Array(this.#taps);
    // Half a window of silence in front: the first output stands exactly on the first input.
    this.#held = this.#taps / 2 - 1;
  }

  /** The most samples `push` can write for a block of this length. */
  room(length: number): number {
    return Math.ceil(((length + this.#taps) * this.#up) / this.#down) + 1;
  }

  /** Takes a block; answers how many samples were written to `out`. */
  push(input: Int16Array, out: Int16Array): number {
    this.#append(input);
    const end = this.#held - this.#taps;
    let count = 0;
    while (this.#at <= end) {
      out[count++] = saturate(Math.round(this.#weigh()));
      this.#row += this.#down;
      this.#at += Math.floor(this.#row / this.#up);
      this.#row %= this.#up;
    }
    const used = Math.min(this.#at, this.#held);
    this.#line.copyWithin(0, used, this.#held);
    this.#held -= used;
    this.#at -= used;
    return count;
  }

  /** The end of the source: lets out what still waits. */
  flush(out: Int16Array): number {
    return this.push(new Int16Array(this.#taps / 2), out);
  }

  #append(input: Int16Array): void {
    const needed = this.#held + input.length;
    if (needed > this.#line.length) {
      const longer = new Float32Array(needed);
      longer.set(this.#line.subarray(0, this.#held));
      this.#line = longer;
    }
    this.#line.set(input, this.#held);
    this.#held = needed;
  }

  #weigh(): number {
    const row = this.#row * this.#taps;
    let sum = 0;
    for (let i = 0; i < this.#taps; i++) sum += (this.#rows[row + i] ?? 0) * (this.#line[this.#at + i] ?? 0);
    return sum;
  }
}

/** Resamples a whole recording. */
export function resample(input: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return input.slice();
  const resampler = new Resampler(fromHz, toHz);
  const out = new Int16Array(resampler.room(input.length) + resampler.room(0));
  const count = resampler.push(input, out);
  const total = count + resampler.flush(out.subarray(count));
  return out.slice(0, Math.min(total, Math.ceil((input.length * toHz) / fromHz)));
}

/** One row per position between two inputs; each row sums to 1, so that the rows cannot modulate the level. */
function coefficients(rows: number, taps: number, cutoff: number): Float32Array {
  const table = new Float32Array(rows * taps);
  const half = taps / 2;
  for (let row = 0; row < rows; row++) {
    const line = Float64Array.from({ length: taps }, (_, i) => {
      const distance = i - (half - 1) - row / rows;
      return sinc(distance * cutoff) * kaiser(distance / half);
    });
    const sum = line.reduce((total, value) => total + value, 0);
    for (const [i, value] of line.entries()) table[row * taps + i] = value / sum;
  }
  return table;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number): number =>
  Math.abs(x) > 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);

/** Modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
