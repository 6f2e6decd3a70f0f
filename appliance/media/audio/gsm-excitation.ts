import { APCM_FAC, AT_GRID, AT_MAXIMUM, AT_PULSE, PULSES, SUBFRAME_SAMPLES } from './gsm.codes.ts';
import { add, multR } from './gsm-arithmetic.ts';

/** Exponent and mantissa of a coded block maximum (5.2.15). */
export function exponentOf(maximum: number): number {
  let exponent = maximum > 15 ? (maximum >> 3) - 1 : 0;
  let mantissa = maximum - (exponent << 3);
  if (mantissa === 0) return -4;
  while (mantissa <= 7) {
    mantissa = (mantissa << 1) | 1;
    exponent--;
  }
  return exponent;
}

export function mantissaOf(maximum: number): number {
  let mantissa = maximum > 15 ? (maximum & 7) | 8 : maximum;
  if (mantissa === 0) return 7;
  while (mantissa <= 7) mantissa = (mantissa << 1) | 1;
  return mantissa - 8;
}

/**
 * The 40 samples of excitation that 13 pulses on a grid stand for (5.2.16, 5.2.17).
 *
 * @param parameters of the whole frame; the subframe begins at `from`
 */
export function decodeExcitation(parameters: Int16Array, from: number, out: Int16Array): void {
  const maximum = parameters[from + AT_MAXIMUM] ?? 0;
  const factor = APCM_FAC[mantissaOf(maximum)] ?? 0;
  const shift = 6 - exponentOf(maximum);
  const rounding = shift > 0 ? 1 << (shift - 1) : 0;
  const grid = parameters[from + AT_GRID] ?? 0;
  out.fill(0, 0, SUBFRAME_SAMPLES);
  for (let i = 0; i < PULSES; i++) {
    const pulse = (2 * (parameters[from + AT_PULSE + i] ?? 0) - 7) << 12;
    out[grid + 3 * i] = add(multR(factor, pulse), rounding) >> shift;
  }
}
