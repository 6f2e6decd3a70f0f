import { FRAME_SAMPLES, SAMPLE_RATE } from '../audio/index.ts';

/**
 * The frequencies of one call progress tone, as an orthonormal basis over a frame: how much of the energy of a frame lies in them,
 * whatever their phases are. 20 ms do not tell 400 and 450 Hz apart; their basis does not need to.
 */
export class ToneSet {
  readonly hz: readonly number[];
  readonly #basis: readonly Float64Array[];

  constructor(hz: readonly number[]) {
    this.hz = hz;
    this.#basis = orthonormal(hz.flatMap((each) => [wave(each, Math.cos), wave(each, Math.sin)]));
  }

  /** Part of the energy of the frame, 0 to 1. @param energy sum of the squares of its samples */
  share(frame: Int16Array, energy: number): number {
    if (energy === 0) return 0;
    let power = 0;
    for (const axis of this.#basis) {
      let sum = 0;
      for (let n = 0; n < FRAME_SAMPLES; n++) sum += (frame[n] ?? 0) * (axis[n] ?? 0);
      power += sum * sum;
    }
    return power / energy;
  }
}

const wave = (hz: number, f: (radians: number) => number): Float64Array =>
  Float64Array.from({ length: FRAME_SAMPLES }, (_, n) => f((2 * Math.PI * hz * n) / SAMPLE_RATE));

/** Gram and Schmidt, for a handful of vectors. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    for (const axis of basis) {
      const along = dot(rest, axis);
      for (let n = 0; n < rest.length; n++) rest[n] = (rest[n] ?? 0) - along * (axis[n] ?? 0);
    }
    const length = Math.sqrt(dot(rest, rest));
    basis.push(rest.map((value) => value / length));
  }
  return basis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}
