import { powerOf, SAMPLE_RATE } from '../audio/index.ts';
import { angleOf } from './angle.ts';

/** Audio is looked at in sub-blocks of 5 ms, four to a frame. */
export const SUB_BLOCK_MS = 5;
export const SUB_BLOCK_SAMPLES = 40;
/** A window is three sub-blocks, 15 ms, and moves by one. */
const WINDOW_BLOCKS = 3;
export const WINDOW_SAMPLES = WINDOW_BLOCKS * SUB_BLOCK_SAMPLES;
/** How far back sub-blocks are remembered, for dating edges; a power of two. */
const DEPTH = 16;
const MASK = DEPTH - 1;
/** A sub-block below −48 dBm0 holds nothing that the detectors, with floors of −36, could miss: it counts as silence. */
const QUIET = SUB_BLOCK_SAMPLES * powerOf(-48);
export const HALF_BLOCK = SUB_BLOCK_SAMPLES / 2;
/** Frequencies worked on at once, a group: their sums do not wait for each other. */
export const GROUP = 4;
const EVERY_GROUP = 0xffff_ffff;

/**
 * Amplitudes of the four frequencies of a group in one sub-block, folded at its middle: `folded` holds sum and difference
 * of the samples at each distance, from `from` on; the results go to `re` and `im` from `to` on. Cosines meet the sums,
 * sines the differences.
 */
export type Correlate = (
  folded: Float64Array,
  from: number,
  group: number,
  re: Float64Array,
  im: Float64Array,
  to: number,
) => void;

/**
 * Complex amplitudes of a list of frequencies, per sub-block of 5 ms and per sliding window of 15 ms.
 *
 * ```
 *   sub-block      | k-3 | k-2 | k-1 |  k  |
 *   window k             |<---- 15 ms ---->|      = sum of three, each turned by the phase of its distance
 *   window k-1     |<--------------->|            phase advance from window to window, beyond that of the nominal
 *                                                 frequency, is the frequency offset: 2 pi · offset · 5 ms
 * ```
 * Values are referred to the middle of sub-block or window: there a tone beside the nominal frequency keeps its phase
 * and loses only amplitude, by sinc(offset · length). Unambiguous for offsets below 100 Hz.
 *
 * The values are those of Goertzel's algorithm. Chosen: summed directly, because a short block folds at its middle, which
 * costs a third of the recurrence and leaves the values where they are wanted. And summed only on request: most of what a leg
 * hears is speech, where a look at one group of four ends the matter. `look` and `tune` say what is wanted.
 */
export class FrequencyBank {
  readonly #groups: number;
  readonly #padded: number;
  /** Sub-blocks folded at their middle: sum and difference of the two samples at each distance. */
  readonly #folded = new Float64Array(DEPTH * SUB_BLOCK_SAMPLES);
  readonly #correlate: Correlate;
  /** Turn by one sub-block: e^(jw 40). */
  readonly #turnRe: Float64Array;
  readonly #turnIm: Float64Array;
  readonly #blockRe: Float64Array;
  readonly #blockIm: Float64Array;
  readonly #blockEnergy = new Float64Array(DEPTH);
  /** Per remembered sub-block a bit for each group whose amplitudes are there. */
  readonly #known = new Uint32Array(DEPTH);
  /** Real and imaginary parts of the current window and of the one before, and a bit for each group that is there. */
  readonly #windows: Float64Array;
  /** Where each of them begins: they change places with every sub-block. */
  #window = 0;
  #before: number;
  #tuned = 0;
  #tunedBefore = 0;
  #block = -1;

  /** @param correlate for these frequencies, when there is a faster one than usual */
  constructor(frequenciesHz: readonly number[], correlate = correlatorOf(frequenciesHz)) {
    this.#groups = Math.ceil(frequenciesHz.length / GROUP);
    this.#padded = this.#groups * GROUP;
    const table = (f: (radians: number) => number) =>
      Float64Array.from({ length: this.#padded }, (_, i) => {
        const hz = frequenciesHz[i];
        return hz === undefined ? 0 : f((2 * Math.PI * hz) / SAMPLE_RATE);
      });
    this.#correlate = correlate;
    this.#turnRe = table((w) => Math.cos(w * SUB_BLOCK_SAMPLES));
    this.#turnIm = table((w) => Math.sin(w * SUB_BLOCK_SAMPLES));
    this.#blockRe = new Float64Array(DEPTH * this.#padded);
    this.#blockIm = new Float64Array(DEPTH * this.#padded);
    this.powers = new Float64Array(this.#padded);
    this.#windows = new Float64Array(4 * this.#padded);
    this.#before = 2 * this.#padded;
    this.reset();
  }

  /** Forgets everything, as at the start of a stream. */
  reset(): void {
    this.#blockRe.fill(0);
    this.#blockIm.fill(0);
    this.#blockEnergy.fill(0);
    this.#known.fill(EVERY_GROUP);
    this.#tuned = 0;
  }

  /** Takes sub-block number `block` (counted by the caller, one after the other) from `frame`. */
  push(block: number, frame: Int16Array, from: number): void {
    this.#block = block;
    const before = this.#window;
    this.#window = this.#before;
    this.#before = before;
    this.#tunedBefore = this.#tuned;
    this.#tuned = 0;
    const slot = block & MASK;
    const energy = this.#fold(frame, from, slot * SUB_BLOCK_SAMPLES);
    this.#blockEnergy[slot] = energy;
    if (energy > QUIET) {
      this.#known[slot] = 0;
      return;
    }
    const at = slot * this.#padded;
    this.#blockRe.fill(0, at, at + this.#padded);
    this.#blockIm.fill(0, at, at + this.#padded);
    this.#known[slot] = EVERY_GROUP;
  }

  /** Makes the amplitudes of a group (four frequencies of the list) in the sub-blocks of the current window. */
  look(group: number): void {
    const block = this.#block;
    const bit = 1 << group;
    const known = this.#known;
    for (let k = block - WINDOW_BLOCKS + 1; k <= block; k++) {
      if (((known[k & MASK] ?? 0) & bit) === 0) this.#amplitudes(k & MASK, group);
    }
  }

  /** The same, and then those of the window: `powers`, `re`, `im`, good until the next `push`. */
  tune(group: number): void {
    this.look(group);
    this.#tuned |= 1 << group;
    this.#slide(this.#block, group, this.#window);
  }

  /** The window before, one sub-block earlier: `beforeRe`, `beforeIm`. After `tune`. */
  tuneBefore(group: number): void {
    const bit = 1 << group;
    if ((this.#tunedBefore & bit) !== 0) return;
    this.#tunedBefore |= bit;
    const oldest = (this.#block - WINDOW_BLOCKS) & MASK;
    if (((this.#known[oldest] ?? 0) & bit) === 0) this.#amplitudes(oldest, group);
    this.#slide(this.#block - 1, group, this.#before);
  }

  /** Energy of the current window: sum of squares of its 120 samples. */
  get energy(): number {
    const energy = this.#blockEnergy;
    const block = this.#block;
    return (
      (energy[block & MASK] ?? 0) + (energy[(block - 1) & MASK] ?? 0) + (energy[(block - 2) & MASK] ?? 0)
    );
  }

  /** Squared magnitude of each frequency in the current window. */
  readonly powers: Float64Array;

  re(index: number): number {
    return this.#windows[this.#window + 2 * index] ?? 0;
  }

  im(index: number): number {
    return this.#windows[this.#window + 2 * index + 1] ?? 0;
  }

  beforeRe(index: number): number {
    return this.#windows[this.#before + 2 * index] ?? 0;
  }

  beforeIm(index: number): number {
    return this.#windows[this.#before + 2 * index + 1] ?? 0;
  }

  /** How far a tone lies from the nominal frequency, in Hz, by two amplitudes one sub-block apart. */
  offsetBetween(index: number, re: number, im: number, beforeRe: number, beforeIm: number): number {
    // now · conj(before) · e^(-jw 40)
    const advanceRe = re * beforeRe + im * beforeIm;
    const advanceIm = im * beforeRe - re * beforeIm;
    return this.#hzBeyondNominal(index, advanceRe, advanceIm);
  }

  /** Whether a tone lies within a deviation, given as the tangent of its phase advance; no angle is computed. */
  isWithin(
    index: number,
    tangent: number,
    re: number,
    im: number,
    beforeRe: number,
    beforeIm: number,
  ): boolean {
    const advanceRe = re * beforeRe + im * beforeIm;
    const advanceIm = im * beforeRe - re * beforeIm;
    const turnRe = this.#turnRe[index] ?? 0;
    const turnIm = this.#turnIm[index] ?? 0;
    const restRe = advanceRe * turnRe + advanceIm * turnIm;
    const restIm = advanceIm * turnRe - advanceRe * turnIm;
    return restRe > 0 && Math.abs(restIm) <= restRe * tangent;
  }

  #hzBeyondNominal(index: number, advanceRe: number, advanceIm: number): number {
    const turnRe = this.#turnRe[index] ?? 0;
    const turnIm = this.#turnIm[index] ?? 0;
    const restRe = advanceRe * turnRe + advanceIm * turnIm;
    const restIm = advanceIm * turnRe - advanceRe * turnIm;
    return angleOf(restIm, restRe) / (2 * Math.PI * (SUB_BLOCK_MS / 1_000));
  }

  /** Energy at a frequency in the current window, sub-block by sub-block: blunt, but deaf to no offset below 100 Hz. */
  bluntPower(index: number): number {
    let sum = 0;
    for (let back = 0; back < WINDOW_BLOCKS; back++) {
      const at = ((this.#block - back) & MASK) * this.#padded + index;
      const re = this.#blockRe[at] ?? 0;
      const im = this.#blockIm[at] ?? 0;
      sum += re * re + im * im;
    }
    return sum;
  }

  /** How far a lone tone lies from the nominal frequency, in Hz, by its two phase advances within the window. */
  bluntOffsetHz(index: number): number {
    const old = ((this.#block - 2) & MASK) * this.#padded + index;
    const middle = ((this.#block - 1) & MASK) * this.#padded + index;
    const now = (this.#block & MASK) * this.#padded + index;
    const re = this.#blockRe;
    const im = this.#blockIm;
    const middleRe = re[middle] ?? 0;
    const middleIm = im[middle] ?? 0;
    const advanceRe =
      middleRe * ((re[now] ?? 0) + (re[old] ?? 0)) + middleIm * ((im[now] ?? 0) + (im[old] ?? 0));
    const advanceIm =
      middleRe * ((im[now] ?? 0) - (im[old] ?? 0)) - middleIm * ((re[now] ?? 0) - (re[old] ?? 0));
    return this.#hzBeyondNominal(index, advanceRe, advanceIm);
  }

  /** Squared magnitude of the window, its sub-blocks turned as a tone with this offset needs. */
  tunedPower(index: number, offsetHz: number): number {
    const turn = 2 * Math.PI * offsetHz * (SUB_BLOCK_MS / 1_000);
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    const turnRe = (this.#turnRe[index] ?? 0) * cos - (this.#turnIm[index] ?? 0) * sin;
    const turnIm = (this.#turnIm[index] ?? 0) * cos + (this.#turnRe[index] ?? 0) * sin;
    const old = ((this.#block - 2) & MASK) * this.#padded + index;
    const middle = ((this.#block - 1) & MASK) * this.#padded + index;
    const now = (this.#block & MASK) * this.#padded + index;
    const oldRe = this.#blockRe[old] ?? 0;
    const oldIm = this.#blockIm[old] ?? 0;
    const nowRe = this.#blockRe[now] ?? 0;
    const nowIm = this.#blockIm[now] ?? 0;
    const re = (oldRe + nowRe) * turnRe + (nowIm - oldIm) * turnIm + (this.#blockRe[middle] ?? 0);
    const im = (oldIm + nowIm) * turnRe + (oldRe - nowRe) * turnIm + (this.#blockIm[middle] ?? 0);
    return re * re + im * im;
  }

  /** Amplitude (peak) of a frequency in one remembered sub-block. */
  blockPeak(block: number, index: number): number {
    if (block > this.#block || block <= this.#block - DEPTH) return 0;
    const group = (index / GROUP) | 0;
    if (((this.#known[block & MASK] ?? 0) & (1 << group)) === 0) this.#amplitudes(block & MASK, group);
    const at = (block & MASK) * this.#padded + index;
    return Math.hypot(this.#blockRe[at] ?? 0, this.#blockIm[at] ?? 0) / HALF_BLOCK;
  }

  /** Folds a sub-block into its place; answers its energy. */
  #fold(frame: Int16Array, from: number, to: number): number {
    const folded = this.#folded;
    let twice = 0;
    let at = to;
    for (let i = 0; i < HALF_BLOCK; i++) {
      const after = frame[from + HALF_BLOCK + i] ?? 0;
      const before = frame[from + HALF_BLOCK - 1 - i] ?? 0;
      const sum = after + before;
      const difference = after - before;
      twice += sum * sum + difference * difference;
      folded[at] = sum;
      folded[at + 1] = difference;
      at += 2;
    }
    return twice / 2;
  }

  /** Amplitudes of a group in a remembered sub-block. */
  #amplitudes(slot: number, group: number): void {
    this.#known[slot] = (this.#known[slot] ?? 0) | (1 << group);
    const to = slot * this.#padded + group * GROUP;
    this.#correlate(this.#folded, slot * SUB_BLOCK_SAMPLES, group, this.#blockRe, this.#blockIm, to);
  }

  /** The window that ends with a sub-block, seen from its middle: the oldest turned forward, the newest turned back. */
  #slide(block: number, group: number, to: number): void {
    const window = this.#windows;
    const blockRe = this.#blockRe;
    const blockIm = this.#blockIm;
    const turnsRe = this.#turnRe;
    const turnsIm = this.#turnIm;
    const powers = this.powers;
    let index = group * GROUP;
    let old = ((block - 2) & MASK) * this.#padded + index;
    let middle = ((block - 1) & MASK) * this.#padded + index;
    let now = (block & MASK) * this.#padded + index;
    for (let lane = 0; lane < GROUP; lane++) {
      const turnRe = turnsRe[index] ?? 0;
      const turnIm = turnsIm[index] ?? 0;
      const oldRe = blockRe[old] ?? 0;
      const oldIm = blockIm[old] ?? 0;
      const nowRe = blockRe[now] ?? 0;
      const nowIm = blockIm[now] ?? 0;
      const re = (oldRe + nowRe) * turnRe + (nowIm - oldIm) * turnIm + (blockRe[middle] ?? 0);
      const im = (oldIm + nowIm) * turnRe + (oldRe - nowRe) * turnIm + (blockIm[middle] ?? 0);
      window[to + 2 * index] = re;
      window[to + 2 * index + 1] = im;
      if (block === this.#block) powers[index] = re * re + im * im;
      index++;
      old++;
      middle++;
      now++;
    }
  }
}

/** A cosine or sine of a frequency at the distances 0.5, 1.5 … 19.5 samples from the middle of a sub-block. */
export const waveOf = (hz: number, f: (radians: number) => number): Float64Array =>
  Float64Array.from({ length: HALF_BLOCK }, (_, i) => f((2 * Math.PI * hz * (i + 0.5)) / SAMPLE_RATE));

/** For any frequencies; those that a group lacks have no amplitude. */
function correlatorOf(frequenciesHz: readonly number[]): Correlate {
  const lanes = frequenciesHz.map((hz) => ({ cos: waveOf(hz, Math.cos), sin: waveOf(hz, Math.sin) }));
  return (folded, from, group, re, im, to) => {
    for (let lane = 0; lane < GROUP; lane++) {
      const wave = lanes[group * GROUP + lane];
      if (wave === undefined) return;
      const { cos, sin } = wave;
      let real = 0;
      let imaginary = 0;
      for (let i = 0; i < HALF_BLOCK; i++) {
        real += (folded[from + 2 * i] ?? 0) * (cos[i] ?? 0);
        imaginary -= (folded[from + 2 * i + 1] ?? 0) * (sin[i] ?? 0);
      }
      re[to + lane] = real;
      im[to + lane] = imaginary;
    }
  };
}
