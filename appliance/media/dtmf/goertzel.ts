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
/** Recurrences run four at a time: one alone would wait for its own result at every sample. */
const LANES = 4;

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
 */
export class GoertzelBank {
  readonly #count: number;
  readonly #padded: number;
  readonly #input = new Float64Array(SUB_BLOCK_SAMPLES);
  /** 2 cos w, and e^(-jw) for the last step of the recurrence. */
  readonly #coefficient: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  /** Turn to the middle of the sub-block: e^(-jw 19.5). */
  readonly #middleRe: Float64Array;
  readonly #middleIm: Float64Array;
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

  constructor(frequenciesHz: readonly number[]) {
    this.#count = frequenciesHz.length;
    this.#padded = Math.ceil(this.#count / LANES) * LANES;
    const table = (f: (radians: number) => number) =>
      Float64Array.from({ length: this.#padded }, (_, i) => {
        const hz = frequenciesHz[i];
        return hz === undefined ? 0 : f((2 * Math.PI * hz) / SAMPLE_RATE);
      });
    const middle = (SUB_BLOCK_SAMPLES - 1) / 2;
    this.#coefficient = table((w) => 2 * Math.cos(w));
    this.#cos = table((w) => Math.cos(w));
    this.#sin = table((w) => -Math.sin(w));
    this.#middleRe = table((w) => Math.cos(w * middle));
    this.#middleIm = table((w) => -Math.sin(w * middle));
    this.#turnRe = table((w) => Math.cos(w * SUB_BLOCK_SAMPLES));
    this.#turnIm = table((w) => Math.sin(w * SUB_BLOCK_SAMPLES));
    this.#blockRe = new Float64Array(DEPTH * this.#padded);
    this.#blockIm = new Float64Array(DEPTH * this.#padded);
    this.#windowRe = [new Float64Array(this.#padded), new Float64Array(this.#padded)];
    this.#windowIm = [new Float64Array(this.#padded), new Float64Array(this.#padded)];
  }

  /** Forgets everything, as at the start of a stream. */
  reset(): void {
    this.#blockRe.fill(0);
    this.#blockIm.fill(0);
    this.#blockEnergy.fill(0);
    for (const side of [0, 1] as const) {
      this.#windowRe[side].fill(0);
      this.#windowIm[side].fill(0);
    }
  }

  /** Takes sub-block number `block` (counted by the caller, one after the other) from `frame`. */
  push(block: number, frame: Int16Array, from: number): void {
    this.#block = block;
    if (this.#load(frame, from) > QUIET) {
      for (let first = 0; first < this.#padded; first += LANES) this.#recur(first);
    } else {
      const at = (block & MASK) * this.#padded;
      this.#blockRe.fill(0, at, at + this.#padded);
      this.#blockIm.fill(0, at, at + this.#padded);
    }
    this.#slide();
  }

  /** Energy of the current window: sum of squares of its 120 samples. */
  get energy(): number {
    let sum = 0;
    for (let back = 0; back < WINDOW_BLOCKS; back++)
      sum += this.#blockEnergy[(this.#block - back) & MASK] ?? 0;
    return sum;
  }

  /** Squared magnitude of a frequency in the current window. */
  power(index: number): number {
    const re = this.re(index);
    const im = this.im(index);
    return re * re + im * im;
  }

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

  /** Answers the energy. */
  #load(frame: Int16Array, from: number): number {
    let energy = 0;
    for (let i = 0; i < SUB_BLOCK_SAMPLES; i++) {
      const sample = frame[from + i] ?? 0;
      this.#input[i] = sample;
      energy += sample * sample;
    }
    this.#blockEnergy[this.#block & MASK] = energy;
    return energy;
  }

  /** Four frequencies at once: s0 = x + 2 cos w · s1 − s2. */
  #recur(first: number): void {
    const input = this.#input;
    const c0 = this.#coefficient[first] ?? 0;
    const c1 = this.#coefficient[first + 1] ?? 0;
    const c2 = this.#coefficient[first + 2] ?? 0;
    const c3 = this.#coefficient[first + 3] ?? 0;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    let b3 = 0;
    for (let i = 0; i < SUB_BLOCK_SAMPLES; i++) {
      const x = input[i] ?? 0;
      const n0 = x + c0 * a0 - b0;
      const n1 = x + c1 * a1 - b1;
      const n2 = x + c2 * a2 - b2;
      const n3 = x + c3 * a3 - b3;
      b0 = a0;
      b1 = a1;
      b2 = a2;
      b3 = a3;
      a0 = n0;
      a1 = n1;
      a2 = n2;
      a3 = n3;
    }
    this.#finish(first, a0, b0);
    this.#finish(first + 1, a1, b1);
    this.#finish(first + 2, a2, b2);
    this.#finish(first + 3, a3, b3);
  }

  #finish(index: number, last: number, previous: number): void {
    const re = last - previous * (this.#cos[index] ?? 0);
    const im = -previous * (this.#sin[index] ?? 0);
    const turnRe = this.#middleRe[index] ?? 0;
    const turnIm = this.#middleIm[index] ?? 0;
    const at = (this.#block & MASK) * this.#padded + index;
    this.#blockRe[at] = re * turnRe - im * turnIm;
    this.#blockIm[at] = re * turnIm + im * turnRe;
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
    for (let i = 0; i < this.#count; i++) {
      const turnRe = this.#turnRe[i] ?? 0;
      const turnIm = this.#turnIm[i] ?? 0;
      const oldRe = blockRe[old + i] ?? 0;
      const oldIm = blockIm[old + i] ?? 0;
      const nowRe = blockRe[now + i] ?? 0;
      const nowIm = blockIm[now + i] ?? 0;
      windowRe[i] = (oldRe + nowRe) * turnRe + (nowIm - oldIm) * turnIm + (blockRe[middle + i] ?? 0);
      windowIm[i] = (oldIm + nowIm) * turnRe + (oldRe - nowRe) * turnIm + (blockIm[middle + i] ?? 0);
    }
  }
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
