import { FRAME_SAMPLES } from './frame.ts';
import {
  AT_GAIN,
  AT_LAG,
  FIRST_SUBFRAME,
  LAG_MAX,
  LAG_MIN,
  LTP_QLB,
  SUBFRAME_PARAMETERS,
  SUBFRAME_SAMPLES,
} from './gsm.codes.ts';
import { add, multR, sub } from './gsm-arithmetic.ts';
import { decodeExcitation } from './gsm-excitation.ts';
import { GSM_FRAME_BYTES, GSM_PARAMETERS, unpackGsm } from './gsm-frame.ts';
import { Reflection } from './gsm-reflection.ts';

/**
 * GSM 06.10 full rate, decoding (ETSI EN 300 961, 5.3), bit exact; 33 bytes to 160 samples.
 *
 * ```
 *   parameters → pulses on a grid → + long-term prediction → short-term synthesis → de-emphasis → samples
 *                                     ^ last 120 samples        ^ eight reflection coefficients
 * ```
 */
export class GsmDecoder {
  readonly #parameters = new Int16Array(GSM_PARAMETERS);
  readonly #excitation = new Int16Array(SUBFRAME_SAMPLES);
  /** 120 samples of the past, then the frame. */
  readonly #residual = new Int16Array(LAG_MAX + FRAME_SAMPLES);
  readonly #lattice = new Int16Array(9);
  readonly #reflection = new Reflection();
  #lag = LAG_MIN;
  #deemphasis = 0;

  /** Decodes the frames in `length` bytes; stops before one that is cut short or has no signature. */
  decode(source: Uint8Array, offset: number, length: number, out: Int16Array): number {
    let written = 0;
    for (let at = 0; at + GSM_FRAME_BYTES <= length; at += GSM_FRAME_BYTES) {
      if (!unpackGsm(source, offset + at, this.#parameters)) break;
      this.#decodeFrame(out, written);
      written += FRAME_SAMPLES;
    }
    return written;
  }

  #decodeFrame(out: Int16Array, at: number): void {
    this.#residual.copyWithin(0, FRAME_SAMPLES);
    for (let subframe = 0; subframe < 4; subframe++) this.#predict(subframe);
    this.#reflection.forEachStretch(this.#parameters, (coefficients, first, end) => {
      this.#synthesize(coefficients, first, end, out, at);
    });
  }

  /** Long-term synthesis, 5.3.2. */
  #predict(subframe: number): void {
    const from = FIRST_SUBFRAME + subframe * SUBFRAME_PARAMETERS;
    const lag = this.#parameters[from + AT_LAG] ?? 0;
    if (lag >= LAG_MIN && lag <= LAG_MAX) this.#lag = lag;
    const gain = LTP_QLB[this.#parameters[from + AT_GAIN] ?? 0] ?? 0;
    decodeExcitation(this.#parameters, from, this.#excitation);
    const start = LAG_MAX + subframe * SUBFRAME_SAMPLES;
    const residual = this.#residual;
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) {
      const prediction = multR(gain, residual[start + k - this.#lag] ?? 0);
      residual[start + k] = add(this.#excitation[k] ?? 0, prediction);
    }
  }

  /** Short-term synthesis, 5.3.4, and post-processing, 5.3.5 to 5.3.7. */
  #synthesize(coefficients: Int16Array, first: number, end: number, out: Int16Array, at: number): void {
    const lattice = this.#lattice;
    const residual = this.#residual;
    let deemphasis = this.#deemphasis;
    for (let k = first; k < end; k++) {
      let sample = residual[LAG_MAX + k] ?? 0;
      // A coefficient is never −1 (5.2.9.2), so the products need no saturation.
      for (let i = 7; i >= 0; i--) {
        const coefficient = coefficients[i] ?? 0;
        const held = lattice[i] ?? 0;
        sample = sub(sample, multR(coefficient, held));
        lattice[i + 1] = add(held, multR(coefficient, sample));
      }
      lattice[0] = sample;
      deemphasis = add(sample, multR(deemphasis, 28_180));
      out[at + k] = add(deemphasis, deemphasis) & 0xfff8;
    }
    this.#deemphasis = deemphasis;
  }
}
