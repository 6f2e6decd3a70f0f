import { HIGH_HZ, LOW_HZ } from './digit.codes.ts';
import { type Correlate, HALF_BLOCK, waveOf } from './frequency-bank.ts';

/** Waves of one tone of the low group, then of the one at the same place of the high group. */
const pair = (place: number, f: (radians: number) => number): Float64Array => {
  const [low = 0, high = 0] = [LOW_HZ[place], HIGH_HZ[place]];
  return Float64Array.from([...waveOf(low, f), ...waveOf(high, f)]);
};
const cos0 = pair(0, Math.cos);
const sin0 = pair(0, Math.sin);
const cos1 = pair(1, Math.cos);
const sin1 = pair(1, Math.sin);
const cos2 = pair(2, Math.cos);
const sin2 = pair(2, Math.sin);
const cos3 = pair(3, Math.cos);
const sin3 = pair(3, Math.sin);

/**
 * The sums of `FrequencyBank` for the eight DTMF frequencies. Written apart because the compiler knows these tables and
 * their lengths: half the time of tables that come with each bank, and every listening leg pays it 200 times a second.
 */
export const correlateDtmf: Correlate = (folded, from, group, re, im, to) => {
  let re0 = 0;
  let im0 = 0;
  let re1 = 0;
  let im1 = 0;
  let re2 = 0;
  let im2 = 0;
  let re3 = 0;
  let im3 = 0;
  const first = group === 0 ? 0 : HALF_BLOCK;
  let sample = from;
  for (let i = 0; i < HALF_BLOCK; i++) {
    const sum = folded[sample] ?? 0;
    const difference = folded[sample + 1] ?? 0;
    sample += 2;
    const at = first + i;
    re0 += sum * (cos0[at] ?? 0);
    im0 -= difference * (sin0[at] ?? 0);
    re1 += sum * (cos1[at] ?? 0);
    im1 -= difference * (sin1[at] ?? 0);
    re2 += sum * (cos2[at] ?? 0);
    im2 -= difference * (sin2[at] ?? 0);
    re3 += sum * (cos3[at] ?? 0);
    im3 -= difference * (sin3[at] ?? 0);
  }
  re[to] = re0;
  re[to + 1] = re1;
  re[to + 2] = re2;
  re[to + 3] = re3;
  im[to] = im0;
  im[to + 1] = im1;
  im[to + 2] = im2;
  im[to + 3] = im3;
};
