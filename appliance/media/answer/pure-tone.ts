import { SAMPLE_RATE } from '../audio/index.ts';

/** The one sine that a frame holds most of. Each frame fills it again. */
export interface Sinusoid {
  hz: number;
  /** Part of the energy of the frame that it holds, 0 to 1. */
  share: number;
}

/**
 * Finds the strongest sine of a frame. A sine obeys x[n] + x[n−2] = 2 cos(w) x[n−1]: the least squares of that give its frequency,
 * and one correlation there (Goertzel) its part of the energy. Two or more sines have a low share.
 */
export function strongestSine(frame: Int16Array, into: Sinusoid): void {
  let cross = 0;
  let square = 0;
  let energy = 0;
  const length = frame.length;
  for (let n = 0; n < length; n++) {
    const now = frame[n] ?? 0;
    energy += now * now;
    if (n < 2) continue;
    const middle = frame[n - 1] ?? 0;
    cross += middle * (now + (frame[n - 2] ?? 0));
    square += middle * middle;
  }
  const turn = square === 0 ? 0 : cross / square;
  if (energy === 0 || Math.abs(turn) >= 2) {
    into.hz = 0;
    into.share = 0;
    return;
  }
  let before = 0;
  let last = 0;
  for (let n = 0; n < length; n++) {
    const next = (frame[n] ?? 0) + turn * last - before;
    before = last;
    last = next;
  }
  const power = last * last + before * before - turn * last * before;
  into.hz = (Math.acos(turn / 2) * SAMPLE_RATE) / (2 * Math.PI);
  into.share = (2 * power) / (length * energy);
}
