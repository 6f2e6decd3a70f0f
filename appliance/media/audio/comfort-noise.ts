import { fail, ok, type Result } from '#shared/result.ts';
import { dbm0OfPower } from './level.ts';
import { NoiseSource } from './noise.ts';

/** Mean square of 0 dBov: a full-scale square wave (RFC 3389, 3). */
const POWER_0_DBOV = 32_768 * 32_768;

/** Level of a comfort noise payload (RFC 3389, 3.1): first byte, 0 … 127 below overload; models behind it are allowed. */
export function readComfortNoise(
  payload: Uint8Array,
  offset: number,
  length: number,
): Result<{ readonly levelDbm0: number }> {
  const level = payload[offset];
  if (length < 1 || level === undefined) return fail('Malformed', 'A comfort noise packet without a level.');
  return ok({ levelDbm0: dbm0OfPower(POWER_0_DBOV * 10 ** (-(level & 0x7f) / 10)) });
}

/**
 * The noise a peer describes instead of sending silence.
 *
 * Chosen: the spectrum of RFC 3389 3.2 is not rebuilt; white noise of the right level is what keeps a line from
 * sounding dead. A new level is reached over five frames, so that it is not heard as a step.
 */
export class ComfortNoise {
  readonly #noise: NoiseSource;
  #levelDbm0 = Number.NaN;
  #targetDbm0 = Number.NaN;

  constructor(seed: number) {
    this.#noise = new NoiseSource(seed);
  }

  /** A comfort noise packet arrived. */
  describe(levelDbm0: number): void {
    this.#targetDbm0 = levelDbm0;
    if (Number.isNaN(this.#levelDbm0)) this.#levelDbm0 = levelDbm0;
  }

  /** The peer speaks again without comfort noise being known, or the stream begins again. */
  reset(): void {
    this.#levelDbm0 = Number.NaN;
    this.#targetDbm0 = Number.NaN;
  }

  /** The next frame of noise; false as long as none was described. */
  pull(out: Int16Array): boolean {
    if (Number.isNaN(this.#targetDbm0)) return false;
    this.#levelDbm0 += (this.#targetDbm0 - this.#levelDbm0) / 5;
    this.#noise.fill(out, this.#levelDbm0);
    return true;
  }
}
