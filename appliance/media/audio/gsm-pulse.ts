import { saturate } from './frame.ts';
import { APCM_NRFAC, AT_GRID, AT_MAXIMUM, AT_PULSE, PULSES, RPE_H, SUBFRAME_SAMPLES } from './gsm.codes.ts';
import { abs, add, mult, word } from './gsm-arithmetic.ts';
import { exponentOf, mantissaOf } from './gsm-excitation.ts';

const [H0, H1, , H3, H4, H5] = RPE_H;

/** Regular pulse excitation: which 13 of 40 samples stand for a subframe, and their codes (5.2.13 to 5.2.15). */
export class PulseCoder {
  /** Five zeros, the subframe, five zeros: the filter reaches over both ends. */
  readonly #padded = new Int16Array(SUBFRAME_SAMPLES + 10);
  readonly #weighted = new Int16Array(SUBFRAME_SAMPLES);

  /** Writes grid, block maximum and pulses of the subframe at `from`. */
  code(residual: Int16Array, parameters: Int16Array, from: number): void {
    this.#weight(residual);
    const grid = this.#chooseGrid();
    parameters[from + AT_GRID] = grid;
    this.#quantize(grid, parameters, from);
  }

  /** 5.2.13; the filter is symmetric, two of its taps are zero. */
  #weight(residual: Int16Array): void {
    const e = this.#padded;
    e.set(residual, 5);
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) {
      let sum = 4_096 + Math.imul((e[k] ?? 0) + (e[k + 10] ?? 0), H0);
      sum += Math.imul((e[k + 1] ?? 0) + (e[k + 9] ?? 0), H1);
      sum += Math.imul((e[k + 3] ?? 0) + (e[k + 7] ?? 0), H3);
      sum += Math.imul((e[k + 4] ?? 0) + (e[k + 6] ?? 0), H4);
      sum += Math.imul(e[k + 5] ?? 0, H5);
      this.#weighted[k] = saturate(sum >> 13);
    }
  }

  /** 5.2.14: the grid with most energy, the first of equals. */
  #chooseGrid(): number {
    let best = 0;
    let bestEnergy = -1;
    for (let grid = 0; grid < 4; grid++) {
      let energy = 0;
      for (let i = 0; i < PULSES; i++) {
        const value = (this.#weighted[grid + 3 * i] ?? 0) >> 2;
        energy += value * value;
      }
      if (energy > bestEnergy) {
        best = grid;
        bestEnergy = energy;
      }
    }
    return best;
  }

  /** 5.2.15. */
  #quantize(grid: number, parameters: Int16Array, from: number): void {
    let largest = 0;
    for (let i = 0; i < PULSES; i++) largest = Math.max(largest, abs(this.#weighted[grid + 3 * i] ?? 0));
    const step = Math.min(6, 32 - Math.clz32(largest >> 9));
    const maximum = add(largest >> (step + 5), step << 3);
    parameters[from + AT_MAXIMUM] = maximum;
    const shift = 6 - exponentOf(maximum);
    const factor = APCM_NRFAC[mantissaOf(maximum)] ?? 0;
    for (let i = 0; i < PULSES; i++) {
      const value = word((this.#weighted[grid + 3 * i] ?? 0) << shift);
      parameters[from + AT_PULSE + i] = (mult(value, factor) >> 12) + 4;
    }
  }
}
