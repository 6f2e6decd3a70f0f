import { Concealer, FRAME_SAMPLES, levelOf, type RingMemory, RingReader } from '../../audio/index.ts';
import type { Voice } from './port.ts';

/** Chosen: so often is looked whether frames lie longer in the ring than they must. */
const LOOK_TICKS = 50;
/** Chosen: with more than this waiting, 160 ms, the oldest go whatever they are: the other worker is ahead, we were late. */
const MOST_WAITING = 8;
/** Chosen: the time axis is only changed where a person cannot hear it. */
const QUIET_DBM0 = -45;

/**
 * Hears what another worker writes: one frame each tick, as fresh as its lateness allows.
 *
 * ```
 *   ring   f5 f6 │ f7          one is taken each tick; it waited up to 20 ms, for the ticks of workers are not the same
 *          empty               the frame before is repeated like a lost one (3 at most); the ring is one frame deeper from now on
 *          f5 f6 f7 …          never fewer than one to spare for a second: a quiet frame is left out
 * ```
 * Both workers keep one clock, so nothing drifts; the depth follows how late their slices are.
 */
export class LinkReceiver implements Voice {
  readonly frame = new Int16Array(FRAME_SAMPLES);
  speaking = false;
  /** Frames left out to catch up, and ticks without one after the first. */
  skipped = 0;
  missed = 0;

  readonly #ring: RingReader;
  readonly #marked: (word: number) => boolean;
  readonly #concealer = new Concealer();
  #begun = false;
  #spare = Number.POSITIVE_INFINITY;
  #ticks = 0;
  #surplus = 0;

  /** @param marked takes the word of each frame, also of those left out; answers whether the frame is sound */
  constructor(memory: RingMemory, marked: (word: number) => boolean) {
    this.#ring = new RingReader(memory);
    this.#marked = marked;
  }

  /** Makes the frame of this tick. */
  pull(): void {
    while (this.#ring.waiting > MOST_WAITING) this.#skip();
    if (!this.#take()) {
      this.#miss();
      return;
    }
    this.#look();
    if (this.#surplus > 0 && this.#ring.waiting > 0 && this.#isQuiet()) {
      this.#surplus--;
      this.#skip();
    }
  }

  /** The next frame of the ring, as it is. */
  #take(): boolean {
    const word = this.#ring.read(this.frame);
    if (word === undefined) return false;
    this.#begun = true;
    this.speaking = this.#marked(word);
    if (this.speaking) this.#concealer.onFrame(this.frame);
    return true;
  }

  /** The frame heard last makes way for the next one. */
  #skip(): void {
    if (this.#take()) this.skipped++;
  }

  #miss(): void {
    if (!this.#begun) return;
    this.missed++;
    this.#spare = 0;
    this.speaking = this.speaking && this.#concealer.lost(this.frame);
  }

  #look(): void {
    this.#spare = Math.min(this.#spare, this.#ring.waiting);
    if (++this.#ticks < LOOK_TICKS) return;
    this.#surplus = this.#spare;
    this.#ticks = 0;
    this.#spare = Number.POSITIVE_INFINITY;
  }

  #isQuiet(): boolean {
    return !this.speaking || levelOf(this.frame) < QUIET_DBM0;
  }
}
