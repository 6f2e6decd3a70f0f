import { powerOf, SAMPLE_RATE } from '../audio/index.ts';

/** Audio is looked at in sub-blocks of 5 ms, four to a frame. */
export const SUB_BLOCK_MS = 5;
export const SUB_BLOCK_SAMPLES = 40;
/** A window is three sub-blocks, 15 ms, and moves by one. */
const WINDOW_BLOCKS = 3;
export const WINDOW_SAMPLES = WINDOW_BLOCKS * SUB_BLOCK_SAMPLES;
const WINDOW_S = WINDOW_SAMPLES / SAMPLE_RATE;
/** How far back sub-blocks are remembered, for dating edges; a power of two. */
const DEPTH = 16;
const MASK = DEPTH - 1;
/** A sub-block below −48 dBm0 holds nothing that the detectors, with floors of −36, could miss: it counts as silence. */
const QUIET = SUB_BLOCK_SAMPLES * powerOf(-48);
const HALF_BLOCK = SUB_BLOCK_SAMPLES / 2;
/** Frequencies worked on at once: their sums do not wait for each other. */
const LANES = 4;
/** Cosine and sine for each of them. */
const ROW = 2 * LANES;

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
 * costs a third of the recurrence and leaves the values where they are wanted.
 */
export class FrequencyBank {
  readonly #count: number;
  readonly #padded: number;
  /** The sub-block folded at its middle: sums and differences of the samples at equal distance. */
  readonly #sums = new Float64Array(HALF_BLOCK);
  readonly #differences = new Float64Array(HALF_BLOCK);
  /** Per four frequencies, per distance from the middle: cos and −sin of each. */
  readonly #waves: Float64Array;
  /** Turn by one sub-block: e^(jw 40). */
  readonly #turnRe: Float64Array;
  readonly #turnIm: Float64Array;
  readonly #blockRe: Float64Array;
  readonly #blockIm: Float64Array;
  readonly #blockEnergy = new Float64Array(DEPTH);
  /** The current window and the one before. */
  readonly #windowRe: readonly [Float64Array, Float64Array];
  readonly #windowIm: readonly [Float64Array, Float64Array];
  #side: 0 | 1 = 0;
  #block = -1;
  /** Quiet sub-blocks in a row. */
  #quiet = 0;

  constructor(frequenciesHz: readonly number[]) {
    this.#count = frequenciesHz.length;
    this.#padded = Math.ceil(this.#count / LANES) * LANES;
    const table = (f: (radians: number) => number) =>
      Float64Array.from({ length: this.#padded }, (_, i) => {
        const hz = frequenciesHz[i];
        return hz === undefined ? 0 : f((2 * Math.PI * hz) / SAMPLE_RATE);
      });
    this.#waves = waves(frequenciesHz, this.#padded);
    this.#turnRe = table((w) => Math.cos(w * SUB_BLOCK_SAMPLES));
    this.#turnIm = table((w) => Math.sin(w * SUB_BLOCK_SAMPLES));
    this.#blockRe = new Float64Array(DEPTH * this.#padded);
    this.#blockIm = new Float64Array(DEPTH * this.#padded);
    this.powers = new Float64Array(this.#padded);
    this.#windowRe = [new Float64Array(this.#padded), new Float64Array(this.#padded)];
    this.#windowIm = [new Float64Array(this.#padded), new Float64Array(this.#padded)];
  }

  /** Forgets everything, as at the start of a stream. */
  reset(): void {
    this.#blockRe.fill(0);
    this.#blockIm.fill(0);
    this.#blockEnergy.fill(0);
    this.powers.fill(0);
    this.#quiet = 0;
    for (const side of [0, 1] as const) {
      this.#windowRe[side].fill(0);
      this.#windowIm[side].fill(0);
    }
  }

  /** Takes sub-block number `block` (counted by the caller, one after the other) from `frame`. */
  push(block: number, frame: Int16Array, from: number): void {
    this.#block = block;
    if (this.#load(frame, from) > QUIET) {
      this.#quiet = 0;
      for (let first = 0; first < this.#padded; first += LANES) this.#correlate(first);
    } else {
      this.#quiet++;
      const at = (block & MASK) * this.#padded;
      this.#blockRe.fill(0, at, at + this.#padded);
      this.#blockIm.fill(0, at, at + this.#padded);
    }
    // Once both windows hold nothing, they need not be made again.
    if (this.#quiet <= WINDOW_BLOCKS + 1) this.#slide();
  }

  /** Energy of the current window: sum of squares of its 120 samples. */
  get energy(): number {
    let sum = 0;
    for (let back = 0; back < WINDOW_BLOCKS; back++)
      sum += this.#blockEnergy[(this.#block - back) & MASK] ?? 0;
    return sum;
  }

  /** Squared magnitude of each frequency in the current window. */
  readonly powers: Float64Array;

  re(index: number): number {
    return this.#windowRe[this.#side][index] ?? 0;
  }

  im(index: number): number {
    return this.#windowIm[this.#side][index] ?? 0;
  }

  /** How far a tone lies from the nominal frequency, in Hz, by the phase advance from the window before. */
  offsetHz(index: number): number {
    const before = this.#side === 0 ? 1 : 0;
    return this.offsetBetween(
      index,
      this.re(index),
      this.im(index),
      this.#windowRe[before][index] ?? 0,
      this.#windowIm[before][index] ?? 0,
    );
  }

  /** The same between two given amplitudes, one sub-block apart. */
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
    return Math.atan2(restIm, restRe) / (2 * Math.PI * (SUB_BLOCK_MS / 1_000));
  }

  beforeRe(index: number): number {
    return this.#windowRe[this.#side === 0 ? 1 : 0][index] ?? 0;
  }

  beforeIm(index: number): number {
    return this.#windowIm[this.#side === 0 ? 1 : 0][index] ?? 0;
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
    const at = (block & MASK) * this.#padded + index;
    return Math.hypot(this.#blockRe[at] ?? 0, this.#blockIm[at] ?? 0) / (SUB_BLOCK_SAMPLES / 2);
  }

  /** Folds the sub-block; answers its energy. */
  #load(frame: Int16Array, from: number): number {
    const sums = this.#sums;
    const differences = this.#differences;
    let energy = 0;
    for (let i = 0; i < HALF_BLOCK; i++) {
      const after = frame[from + HALF_BLOCK + i] ?? 0;
      const before = frame[from + HALF_BLOCK - 1 - i] ?? 0;
      energy += after * after + before * before;
      sums[i] = after + before;
      differences[i] = after - before;
    }
    this.#blockEnergy[this.#block & MASK] = energy;
    return energy;
  }

  /** Amplitudes of four frequencies: cosines meet the sums, sines the differences. */
  #correlate(first: number): void {
    const sums = this.#sums;
    const differences = this.#differences;
    const wave = this.#waves;
    let re0 = 0;
    let im0 = 0;
    let re1 = 0;
    let im1 = 0;
    let re2 = 0;
    let im2 = 0;
    let re3 = 0;
    let im3 = 0;
    let at = first * 2 * HALF_BLOCK;
    for (let i = 0; i < HALF_BLOCK; i++) {
      const sum = sums[i] ?? 0;
      const difference = differences[i] ?? 0;
      re0 += sum * (wave[at] ?? 0);
      im0 += difference * (wave[at + 1] ?? 0);
      re1 += sum * (wave[at + 2] ?? 0);
      im1 += difference * (wave[at + 3] ?? 0);
      re2 += sum * (wave[at + 4] ?? 0);
      im2 += difference * (wave[at + 5] ?? 0);
      re3 += sum * (wave[at + 6] ?? 0);
      im3 += difference * (wave[at + 7] ?? 0);
      at += ROW;
    }
    const target = (this.#block & MASK) * this.#padded + first;
    this.#blockRe[target] = re0;
    this.#blockRe[target + 1] = re1;
    this.#blockRe[target + 2] = re2;
    this.#blockRe[target + 3] = re3;
    this.#blockIm[target] = im0;
    this.#blockIm[target + 1] = im1;
    this.#blockIm[target + 2] = im2;
    this.#blockIm[target + 3] = im3;
  }

  /** The window in the middle of k-1: block k-2 turned forward, block k turned back. */
  #slide(): void {
    this.#side = this.#side === 0 ? 1 : 0;
    const windowRe = this.#windowRe[this.#side];
    const windowIm = this.#windowIm[this.#side];
    const blockRe = this.#blockRe;
    const blockIm = this.#blockIm;
    const old = ((this.#block - 2) & MASK) * this.#padded;
    const middle = ((this.#block - 1) & MASK) * this.#padded;
    const now = (this.#block & MASK) * this.#padded;
    const turnsRe = this.#turnRe;
    const turnsIm = this.#turnIm;
    const powers = this.powers;
    for (let i = 0; i < this.#count; i++) {
      const turnRe = turnsRe[i] ?? 0;
      const turnIm = turnsIm[i] ?? 0;
      const oldRe = blockRe[old + i] ?? 0;
      const oldIm = blockIm[old + i] ?? 0;
      const nowRe = blockRe[now + i] ?? 0;
      const nowIm = blockIm[now + i] ?? 0;
      const re = (oldRe + nowRe) * turnRe + (nowIm - oldIm) * turnIm + (blockRe[middle + i] ?? 0);
      const im = (oldIm + nowIm) * turnRe + (oldRe - nowRe) * turnIm + (blockIm[middle + i] ?? 0);
      windowRe[i] = re;
      windowIm[i] = im;
      powers[i] = re * re + im * im;
    }
  }
}

/** Cosines and sines at the distances 0.5, 1.5 … 19.5 samples from the middle, four frequencies beside each other. */
function waves(frequenciesHz: readonly number[], padded: number): Float64Array {
  const table = new Float64Array(padded * 2 * HALF_BLOCK);
  for (const [index, hz] of frequenciesHz.entries()) {
    const group = index - (index % LANES);
    for (let i = 0; i < HALF_BLOCK; i++) {
      const angle = (2 * Math.PI * hz * (i + 0.5)) / SAMPLE_RATE;
      const at = group * 2 * HALF_BLOCK + i * ROW + 2 * (index % LANES);
      table[at] = Math.cos(angle);
      table[at + 1] = -Math.sin(angle);
    }
  }
  return table;
}

/** Tangent of the phase advance that an offset makes from window to window; for offsets below 50 Hz. */
export const tangentOf = (hz: number): number => Math.tan((2 * Math.PI * hz * SUB_BLOCK_MS) / 1_000);

/** What one sub-block leaves of a tone that lies `hz` beside its frequency. */
export const subBlockLoss = (hz: number): number => windowLoss((hz * SUB_BLOCK_SAMPLES) / WINDOW_SAMPLES);

/** What a window of `WINDOW_S` seconds leaves of a tone that lies `hz` beside its frequency. */
export function windowLoss(hz: number): number {
  const x = Math.PI * hz * WINDOW_S;
  return Math.abs(x) < 1e-6 ? 1 : Math.sin(x) / x;
}
