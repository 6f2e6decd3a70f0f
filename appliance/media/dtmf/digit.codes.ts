/** The sixteen digits (ITU-T Q.23): rows are the low group, columns the high group. */
export const LOW_HZ = [697, 770, 852, 941] as const;
export const HIGH_HZ = [1_209, 1_336, 1_477, 1_633] as const;

/** Digit of row × 4 + column. */
export const DIGITS = '123A456B789C*0#D';

/** Digit of a telephone-event code, 0 … 15 (RFC 4733, 3.2). */
export const EVENT_DIGITS = '0123456789*#ABCD';
