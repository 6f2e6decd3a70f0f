import { saturate } from './frame.ts';

/** The fixed point of GSM 06.10, section 5.1: 16-bit words that saturate, 32-bit long words. */

export const add = (a: number, b: number): number => saturate(a + b);
export const sub = (a: number, b: number): number => saturate(a - b);

/** Product of two fractions, cut. */
export const mult = (a: number, b: number): number => Math.imul(a, b) >> 15;

/** Product of two fractions, rounded. (−1 times −1 does not occur where this is used.) */
export const multR = (a: number, b: number): number => (Math.imul(a, b) + 16_384) >> 15;

export const abs = (a: number): number => (a < 0 ? (a === -32_768 ? 32_767 : -a) : a);

/** Left shifts that bring a positive long word to 2^30 or above. */
export const norm = (a: number): number => Math.clz32(a) - 1;

/** Quotient of two positive words, numerator not above denominator, by 15 steps of long division. */
export function div(numerator: number, denominator: number): number {
  let rest = numerator;
  let quotient = 0;
  for (let k = 0; k < 15; k++) {
    quotient <<= 1;
    rest <<= 1;
    if (rest >= denominator) {
      rest -= denominator;
      quotient++;
    }
  }
  return quotient;
}

/** Keeps the low 16 bits, with sign: what storing into a word does. */
export const word = (a: number): number => (a << 16) >> 16;
