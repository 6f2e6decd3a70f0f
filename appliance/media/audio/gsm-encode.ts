import { FRAME_SAMPLES } from './frame.ts';
import {
  AT_GAIN,
  AT_LAG,
  FIRST_SUBFRAME,
  LAG_MAX,
  LAG_MIN,
  LTP_DLB,
  LTP_QLB,
  SUBFRAME_PARAMETERS,
  SUBFRAME_SAMPLES,
} from './gsm.codes.ts';
import { abs, add, mult, multR, norm, sub } from './gsm-arithmetic.ts';
import { decodeExcitation } from './gsm-excitation.ts';
import { GSM_FRAME_BYTES, GSM_PARAMETERS, packGsm } from './gsm-frame.ts';
import { ShortTermPredictor } from './gsm-predict.ts';
import { PulseCoder } from './gsm-pulse.ts';
import { Reflection } from './gsm-reflection.ts';

/**
 * GSM 06.10 full rate, encoding (ETSI EN 300 961, 5.2), bit exact; 160 samples to 33 bytes.
 *
 * ```
 *   samples → offset, pre-emphasis → short-term prediction → analysis filter → d
 *   d, 40 at a time → lag and gain → e = d − prediction → pulses → decoded again → the past of the next 40
 * ```
 */
export class GsmEncoder {
  readonly #parameters = new Int16Array(GSM_PARAMETERS);
  readonly #samples = new Int16Array(FRAME_SAMPLES);
  /** Reconstructed residual: 120 samples of the past, then the frame. */
  readonly #past = new Int16Array(LAG_MAX + FRAME_SAMPLES);
  readonly #residual = new Int16Array(SUBFRAME_SAMPLES);
  readonly #excitation = new Int16Array(SUBFRAME_SAMPLES);
  readonly #scaled = new Int16Array(SUBFRAME_SAMPLES);
  readonly #lattice = new Int16Array(8);
  readonly #predictor = new ShortTermPredictor();
  readonly #pulses = new PulseCoder();
  readonly #reflection = new Reflection();
  /** Offset compensation and pre-emphasis: z1, L_z2, mp. */
  #lastInput = 0;
  #lastOutput = 0;
  #emphasis = 0;

  /** Encodes every whole 20 ms of `frame`; answers the bytes written. */
  encode(frame: Int16Array, target: Uint8Array, offset: number): number {
    let written = 0;
    for (let at = 0; at + FRAME_SAMPLES <= frame.length; at += FRAME_SAMPLES) {
      this.#preprocess(frame, at);
      this.#predictor.predict(this.#samples, this.#parameters);
      this.#reflection.forEachStretch(this.#parameters, (coefficients, first, end) => {
        this.#analyse(coefficients, first, end);
      });
      this.#past.copyWithin(0, FRAME_SAMPLES);
      for (let subframe = 0; subframe < 4; subframe++) this.#encodeSubframe(subframe);
      packGsm(this.#parameters, target, offset + written);
      written += GSM_FRAME_BYTES;
    }
    return written;
  }

  /** 5.2.1 to 5.2.3: 13 bits, offset taken out by a recursive filter with 31-bit memory, pre-emphasis. */
  #preprocess(frame: Int16Array, at: number): void {
    for (let k = 0; k < FRAME_SAMPLES; k++) {
      const input = ((frame[at + k] ?? 0) >> 3) << 2;
      const step = (input - this.#lastInput) << 15;
      this.#lastInput = input;
      const high = this.#lastOutput >> 15;
      const low = this.#lastOutput - (high << 15);
      const sum = high * 32_735 + step + multR(low, 32_735);
      this.#lastOutput = Math.min(Math.max(sum, -0x8000_0000), 0x7fff_ffff);
      const emphasized = multR(this.#emphasis, -28_180);
      this.#emphasis = Math.min(this.#lastOutput + 16_384, 0x7fff_ffff) >> 15;
      this.#samples[k] = add(this.#emphasis, emphasized);
    }
  }

  /** Short-term analysis filter, 5.2.10, in place. */
  #analyse(coefficients: Int16Array, first: number, end: number): void {
    const lattice = this.#lattice;
    for (let k = first; k < end; k++) {
      let forward = this.#samples[k] ?? 0;
      let delayed = forward;
      for (let i = 0; i < 8; i++) {
        const held = lattice[i] ?? 0;
        const coefficient = coefficients[i] ?? 0;
        lattice[i] = delayed;
        delayed = add(held, multR(coefficient, forward));
        forward = add(forward, multR(coefficient, held));
      }
      this.#samples[k] = forward;
    }
  }

  #encodeSubframe(subframe: number): void {
    const from = FIRST_SUBFRAME + subframe * SUBFRAME_PARAMETERS;
    const start = LAG_MAX + subframe * SUBFRAME_SAMPLES;
    const past = this.#past;
    const d = this.#samples.subarray(subframe * SUBFRAME_SAMPLES, (subframe + 1) * SUBFRAME_SAMPLES);
    const lag = this.#findLag(d, start, from);
    const gain = LTP_QLB[this.#parameters[from + AT_GAIN] ?? 0] ?? 0;
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) {
      const prediction = multR(gain, past[start + k - lag] ?? 0);
      past[start + k] = prediction;
      this.#residual[k] = sub(d[k] ?? 0, prediction);
    }
    this.#pulses.code(this.#residual, this.#parameters, from);
    decodeExcitation(this.#parameters, from, this.#excitation);
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) {
      past[start + k] = add(this.#excitation[k] ?? 0, past[start + k] ?? 0);
    }
  }

  /** Lag and gain of the long-term predictor, 5.2.11; writes both codes and answers the lag. */
  #findLag(d: Int16Array, start: number, from: number): number {
    let largest = 0;
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) largest = Math.max(largest, abs(d[k] ?? 0));
    const shift = largest === 0 ? 0 : Math.max(0, 6 - norm(largest << 16));
    const scaled = this.#scaled;
    const past = this.#past;
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) scaled[k] = (d[k] ?? 0) >> shift;
    let lag = LAG_MIN;
    let best = 0;
    // Three lags at a time (there are 81), in 32-bit integers: this loop is half of the encoder.
    for (let candidate = LAG_MIN; candidate <= LAG_MAX; candidate += 3) {
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      for (let k = 0, at = start - candidate; k < SUBFRAME_SAMPLES; k++, at++) {
        const value = scaled[k] ?? 0;
        sum0 = (sum0 + Math.imul(value, past[at] ?? 0)) | 0;
        sum1 = (sum1 + Math.imul(value, past[at - 1] ?? 0)) | 0;
        sum2 = (sum2 + Math.imul(value, past[at - 2] ?? 0)) | 0;
      }
      if (sum0 > best) {
        lag = candidate;
        best = sum0;
      }
      if (sum1 > best) {
        lag = candidate + 1;
        best = sum1;
      }
      if (sum2 > best) {
        lag = candidate + 2;
        best = sum2;
      }
    }
    let power = 0;
    for (let k = 0; k < SUBFRAME_SAMPLES; k++) {
      const value = (past[start + k - lag] ?? 0) >> 3;
      power += value * value;
    }
    this.#parameters[from + AT_LAG] = lag;
    this.#parameters[from + AT_GAIN] = gainCode((best << 1) >> (6 - shift), power << 1);
    return lag;
  }
}

/** 5.2.11, the second half: in which of four steps cross-correlation over power lies. */
function gainCode(cross: number, power: number): number {
  if (cross <= 0) return 0;
  if (cross >= power) return 3;
  const shift = norm(power);
  const [numerator, denominator] = [(cross << shift) >> 16, (power << shift) >> 16];
  for (let code = 0; code < 3; code++) if (numerator <= mult(denominator, LTP_DLB[code] ?? 0)) return code;
  return 3;
}
