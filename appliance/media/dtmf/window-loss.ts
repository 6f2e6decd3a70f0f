import { SAMPLE_RATE } from '../audio/index.ts';
import { SUB_BLOCK_MS, SUB_BLOCK_SAMPLES, WINDOW_SAMPLES } from './frequency-bank.ts';

/** The table reaches beyond the largest distance between two DTMF tones; a step of 1 Hz is good to 0.0001. */
const HIGHEST_HZ = 1_200;
const WINDOW_S = WINDOW_SAMPLES / SAMPLE_RATE;

const exactLoss = (hz: number): number => {
  const x = Math.PI * hz * WINDOW_S;
  return Math.abs(x) < 1e-6 ? 1 : Math.sin(x) / x;
};
const TABLE = Float64Array.from({ length: HIGHEST_HZ + 2 }, (_, hz) => exactLoss(hz));

/** The share that a window of 15 ms leaves of the amplitude of a tone that lies `hz` beside its frequency: sinc(hz · 15 ms). */
export function windowLoss(hz: number): number {
  const distance = Math.abs(hz);
  if (!(distance <= HIGHEST_HZ)) return exactLoss(hz);
  const below = distance | 0;
  const loss = TABLE[below] ?? 0;
  return loss + ((TABLE[below + 1] ?? 0) - loss) * (distance - below);
}

/** The same for one sub-block. */
export const subBlockLoss = (hz: number): number => windowLoss((hz * SUB_BLOCK_SAMPLES) / WINDOW_SAMPLES);

/** Tangent of the phase advance that an offset makes from window to window; for offsets below 50 Hz. */
export const tangentOf = (hz: number): number => Math.tan((2 * Math.PI * hz * SUB_BLOCK_MS) / 1_000);
