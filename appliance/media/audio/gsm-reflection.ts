import { LAR_B, LAR_INVA, LAR_MIC } from './gsm.codes.ts';
import { abs, add, multR, sub, word } from './gsm-arithmetic.ts';

/** Where the interpolation of the coefficients changes (5.2.9.1), as pairs of first sample and end. */
const STRETCHES = [
  [0, 13],
  [13, 27],
  [27, 40],
  [40, 160],
] as const;

/**
 * Reflection coefficients of a frame, as encoder and decoder both have them: coded log area ratios → ratios →
 * interpolated with the frame before over the first 40 samples → coefficients (5.2.8, 5.2.9).
 */
export class Reflection {
  #previous = new Int16Array(8);
  #current = new Int16Array(8);
  readonly #coefficients = new Int16Array(8);

  /** Runs a filter over the four stretches of a frame. */
  forEachStretch(
    coded: Int16Array,
    filter: (coefficients: Int16Array, first: number, end: number) => void,
  ): void {
    [this.#previous, this.#current] = [this.#current, this.#previous];
    decodeRatios(coded, this.#current);
    for (const [index, [first, end]] of STRETCHES.entries()) {
      for (let i = 0; i < 8; i++) {
        const ratio = interpolate(index, this.#previous[i] ?? 0, this.#current[i] ?? 0);
        this.#coefficients[i] = coefficientOf(ratio);
      }
      filter(this.#coefficients, first, end);
    }
  }
}

/** 5.2.8. */
function decodeRatios(coded: Int16Array, ratios: Int16Array): void {
  for (let i = 0; i < 8; i++) {
    const shifted = word(add(coded[i] ?? 0, LAR_MIC[i] ?? 0) << 10);
    const half = multR(LAR_INVA[i] ?? 0, sub(shifted, (LAR_B[i] ?? 0) << 1));
    ratios[i] = add(half, half);
  }
}

/** 5.2.9.1: three quarters old, half and half, three quarters new, new. */
function interpolate(stretch: number, previous: number, current: number): number {
  if (stretch === 0) return add(add(previous >> 2, current >> 2), previous >> 1);
  if (stretch === 1) return add(previous >> 1, current >> 1);
  if (stretch === 2) return add(add(previous >> 2, current >> 2), current >> 1);
  return current;
}

/** 5.2.9.2. */
function coefficientOf(ratio: number): number {
  const size = abs(ratio);
  const value = size < 11_059 ? size << 1 : size < 20_070 ? size + 11_059 : add(size >> 2, 26_112);
  return ratio < 0 ? -value : value;
}
