/**
 * Levels. 0 dBm0 is the sine that lies 3.14 dB under the overload point of A-law (ITU-T G.711, table 5); mu-law puts it
 * 3.17 dB under its own, so one constant serves both within 0.1 dB.
 */
const OVERLOAD_DBM0 = 3.14;

/** Peak of a 0 dBm0 sine in Int16. */
const PEAK_0_DBM0 = 32_768 * 10 ** (-OVERLOAD_DBM0 / 20);
const POWER_0_DBM0 = (PEAK_0_DBM0 * PEAK_0_DBM0) / 2;

/** The level of digital silence: nothing in a telephone network is quieter. */
export const SILENCE_DBM0 = -96;

/** Peak value in Int16 of a sine with this level. */
export const peakOf = (levelDbm0: number): number => PEAK_0_DBM0 * 10 ** (levelDbm0 / 20);

/** Level of a mean square value of Int16 samples. */
export const dbm0OfPower = (meanSquare: number): number =>
  meanSquare <= 0 ? SILENCE_DBM0 : Math.max(SILENCE_DBM0, 10 * Math.log10(meanSquare / POWER_0_DBM0));

/** Mean square value of Int16 samples at this level. */
export const powerOf = (levelDbm0: number): number => POWER_0_DBM0 * 10 ** (levelDbm0 / 10);

/** Mean square of a frame. */
function meanSquare(frame: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i++) {
    const sample = frame[i] ?? 0;
    sum += sample * sample;
  }
  return frame.length === 0 ? 0 : sum / frame.length;
}

/** Level of one frame in dBm0. */
export const levelOf = (frame: Int16Array): number => dbm0OfPower(meanSquare(frame));

/** Follows the level of a stream: the current one, and what the whole stream had. */
export class LevelMeter {
  readonly #weight: number;
  #current = 0;
  #sum = 0;
  #frames = 0;
  #peak = 0;

  /** @param frames over about how many frames the current level is averaged; 1 follows each frame */
  constructor(frames = 10) {
    this.#weight = 1 / frames;
  }

  push(frame: Int16Array): void {
    const power = meanSquare(frame);
    this.#current = this.#frames === 0 ? power : this.#current + (power - this.#current) * this.#weight;
    this.#sum += power;
    this.#frames++;
    for (let i = 0; i < frame.length; i++) {
      const magnitude = Math.abs(frame[i] ?? 0);
      if (magnitude > this.#peak) this.#peak = magnitude;
    }
  }

  get currentDbm0(): number {
    return dbm0OfPower(this.#current);
  }

  /** Mean over everything pushed. */
  get averageDbm0(): number {
    return this.#frames === 0 ? SILENCE_DBM0 : dbm0OfPower(this.#sum / this.#frames);
  }

  /** Level of a sine with the largest sample seen as its peak. */
  get peakDbm0(): number {
    return dbm0OfPower((this.#peak * this.#peak) / 2);
  }
}
