import { saturate } from './frame.ts';

/** Factor of a gain in dB. */
export const factorOf = (gainDb: number): number => 10 ** (gainDb / 20);

/**
 * Amplifies a frame in place; what does not fit saturates.
 *
 * @returns how many samples were clipped
 */
export function applyGain(frame: Int16Array, factor: number): number {
  if (factor === 1) return 0;
  let clipped = 0;
  for (let i = 0; i < frame.length; i++) {
    const wanted = Math.round((frame[i] ?? 0) * factor);
    const value = saturate(wanted);
    if (value !== wanted) clipped++;
    frame[i] = value;
  }
  return clipped;
}
