import { dbm0OfPower, SILENCE_DBM0 } from '../../audio/index.ts';

/** Every so many ticks a frame is measured: enough for an average, cheap enough for a thousand legs. */
const EVERY = 8;

/** Average level of what passed, taken from samples of it. */
export class LevelSample {
  /** Mean squares of the measured frames, and their number. */
  sum = 0;
  frames = 0;

  push(frame: Int16Array, tick: number): void {
    if (tick % EVERY !== 0) return;
    let sum = 0;
    for (let i = 0; i < frame.length; i++) {
      const sample = frame[i] ?? 0;
      sum += sample * sample;
    }
    this.sum += sum / frame.length;
    this.frames++;
  }

  get dbm0(): number {
    return this.frames === 0 ? SILENCE_DBM0 : dbm0OfPower(this.sum / this.frames);
  }
}
