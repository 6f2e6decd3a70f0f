/** Tables and frame layout of GSM 06.10 full rate (ETSI EN 300 961), named as there. No logic. */

/** Log area ratios, table 4.1: A, B, MIC, MAC; INVA is 1/A, table 4.2. */
export const LAR_A = [20_480, 20_480, 20_480, 20_480, 13_964, 15_360, 8_534, 9_036] as const;
export const LAR_B = [0, 0, 2_048, -2_560, 94, -1_792, -341, -1_144] as const;
export const LAR_MIC = [-32, -32, -16, -16, -8, -8, -4, -4] as const;
export const LAR_MAC = [31, 31, 15, 15, 7, 7, 3, 3] as const;
export const LAR_INVA = [13_107, 13_107, 13_107, 13_107, 19_223, 17_476, 31_454, 29_708] as const;

/** Long-term predictor gain: decision levels and quantized values, tables 4.3a and 4.3b. */
export const LTP_DLB = [6_554, 16_384, 26_214, 32_767] as const;
export const LTP_QLB = [3_277, 11_469, 21_299, 32_767] as const;

/** Weighting filter of the residual, table 4.4. */
export const RPE_H = [-134, -374, 0, 2_054, 5_741, 8_192, 5_741, 2_054, 0, -374, -134] as const;

/** Normalized inverse mantissa and mantissa of the block maximum, tables 4.5 and 4.6. */
export const APCM_NRFAC = [29_128, 26_215, 23_832, 21_846, 20_165, 18_725, 17_476, 16_384] as const;
export const APCM_FAC = [18_431, 20_479, 22_527, 24_575, 26_623, 28_671, 30_719, 32_767] as const;

const SUBFRAME_BITS = [7, 2, 2, 6, ...new Array<number>(13).fill(3)];

/**
 * Width of each parameter of a frame in the order of RFC 3551 table 2: eight log area ratios, then four times
 * lag (Nc), gain (bc), grid (Mc), block maximum (xmaxc), 13 pulses (xMc). 260 bits behind the signature 0xD.
 */
export const PARAMETER_BITS: Uint8Array = Uint8Array.from([
  6,
  6,
  5,
  5,
  4,
  4,
  3,
  3,
  ...SUBFRAME_BITS,
  ...SUBFRAME_BITS,
  ...SUBFRAME_BITS,
  ...SUBFRAME_BITS,
]);

/** Where the parts of a subframe stand among its 17 parameters. */
export const SUBFRAME_PARAMETERS = 17;
export const FIRST_SUBFRAME = 8;
export const AT_LAG = 0;
export const AT_GAIN = 1;
export const AT_GRID = 2;
export const AT_MAXIMUM = 3;
export const AT_PULSE = 4;

export const PULSES = 13;
export const SUBFRAME_SAMPLES = 40;
export const LAG_MIN = 40;
export const LAG_MAX = 120;
