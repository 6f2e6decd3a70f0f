import { FRAME_SAMPLES } from './frame.ts';
import { LAR_A, LAR_B, LAR_MAC, LAR_MIC } from './gsm.codes.ts';
import { abs, add, div, mult, multR, norm } from './gsm-arithmetic.ts';

/**
 * Linear prediction of a frame: autocorrelation, Schur recursion, log area ratios, their codes (5.2.4 to 5.2.7).
 */
export class ShortTermPredictor {
  readonly #correlation = new Int32Array(9);
  readonly #scaled = new Int16Array(FRAME_SAMPLES);
  readonly #reflection = new Int16Array(8);
  readonly #k = new Int16Array(9);
  readonly #p = new Int16Array(9);

  /**
   * @param samples the pre-processed frame; comes back with the bits lost that scaling cost, as the standard has it
   * @param coded takes the eight coded log area ratios in its first places
   */
  predict(samples: Int16Array, coded: Int16Array): void {
    this.#correlate(samples);
    this.#recurse();
    for (let i = 0; i < 8; i++) coded[i] = codeRatio(ratioOf(this.#reflection[i] ?? 0), i);
  }

  /** 5.2.4. */
  #correlate(samples: Int16Array): void {
    let largest = 0;
    for (let k = 0; k < FRAME_SAMPLES; k++) largest = Math.max(largest, abs(samples[k] ?? 0));
    const shift = largest === 0 ? 0 : 4 - norm(largest << 16);
    const scaled = this.#scaled;
    scaled.set(samples);
    if (shift > 0) {
      const factor = 16_384 >> (shift - 1);
      for (let k = 0; k < FRAME_SAMPLES; k++) {
        const value = multR(samples[k] ?? 0, factor);
        scaled[k] = value;
        samples[k] = value << shift;
      }
    }
    for (let lag = 0; lag <= 8; lag++) {
      let sum = 0;
      for (let i = lag; i < FRAME_SAMPLES; i++) {
        sum = (sum + Math.imul(scaled[i] ?? 0, scaled[i - lag] ?? 0)) | 0;
      }
      this.#correlation[lag] = sum << 1;
    }
  }

  /** 5.2.5, the Schur recursion with 16-bit words. */
  #recurse(): void {
    const reflection = this.#reflection.fill(0);
    const energy = this.#correlation[0] ?? 0;
    if (energy === 0) return;
    const k = this.#k;
    const p = this.#p;
    const shift = norm(energy);
    for (let i = 0; i <= 8; i++) {
      p[i] = ((this.#correlation[i] ?? 0) << shift) >> 16;
      k[i] = p[i] ?? 0;
    }
    for (let n = 0; n < 8; n++) {
      const power = p[0] ?? 0;
      const cross = p[1] ?? 0;
      const size = abs(cross);
      if (power < size) return;
      const quotient = size === 0 ? 0 : div(size, power);
      const value = cross > 0 ? -quotient : quotient;
      reflection[n] = value;
      p[0] = add(power, multR(cross, value));
      for (let m = 1; m < 8 - n; m++) {
        const above = p[m + 1] ?? 0;
        const beside = k[m] ?? 0;
        p[m] = add(above, multR(beside, value));
        k[m] = add(beside, multR(above, value));
      }
    }
  }
}

/** 5.2.6: a piecewise linear stand-in for the logarithm. */
function ratioOf(reflection: number): number {
  const size = abs(reflection);
  const ratio = size < 22_118 ? size >> 1 : size < 31_130 ? size - 11_059 : (size - 26_112) << 2;
  return reflection < 0 ? -ratio : ratio;
}

/** 5.2.7. */
function codeRatio(ratio: number, index: number): number {
  const [lowest, highest] = [LAR_MIC[index] ?? 0, LAR_MAC[index] ?? 0];
  const level = add(add(mult(LAR_A[index] ?? 0, ratio), LAR_B[index] ?? 0), 256) >> 9;
  return Math.min(Math.max(level, lowest), highest) - lowest;
}
