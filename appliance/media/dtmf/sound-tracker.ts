import { dbm0OfPower } from '../audio/index.ts';
import { SUB_BLOCK_MS } from './frequency-bank.ts';

/** No sound in this window. */
export const NONE = -1;

/** How far dating follows a partly filled edge beyond the windows that heard the sound. */
const EDGE_BLOCKS = 3;
/** Below this share of the amplitude an edge sub-block holds noise or leakage, above the other it is filled. */
const EMPTY = 0.2;
const FULL = 0.5;

/** A sound in the making or being heard. */
interface Run {
  symbol: number;
  /** Kept from the beginning: by the time a long sound ends, its first sub-blocks are forgotten. */
  startMs: number;
  firstHit: number;
  lastHit: number;
  hits: number;
  misses: number;
  torn: boolean;
  /** Sums over the inner hits; the first and last windows hold less of the sound. */
  low: number;
  high: number;
  summed: number;
  pendingLow: number;
  pendingHigh: number;
}

/** A sound with its edges. Levels of a single tone stand in `lowDbm0`. */
export interface DetectedSound {
  readonly symbol: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly lowDbm0: number;
  readonly highDbm0: number;
  /** Concealed audio lay inside or at an edge: the length is uncertain by a frame. */
  readonly torn: boolean;
}

export interface TrackerSetting {
  readonly hitsToBegin: number;
  readonly missesToEnd: number;
  /** A sound shorter than this never begins. */
  minMs(symbol: number): number;
  /** Whether what the hits showed suffices to begin; asked at each hit from `hitsToBegin` on. */
  sure?(): boolean;
  /** Amplitude of a sound in one sub-block, in units of `low + high` of a hit. */
  amplitude(block: number, symbol: number): number;
  begin(symbol: number, startMs: number): void;
  end(sound: DetectedSound): void;
}

/**
 * From hits to sounds: when one begins, when it ends, and where its edges were.
 *
 * ```
 *   sound             ██████████████████████
 *   windows        . . h h h h h h h h h . . . . .       h = hit, 15 ms each, every 5 ms
 *                            |                   |
 *                      begin (4 hits)      end (5 misses), both dated back to the edges
 *
 *   silent --4 hits, long enough--> sounding --5 misses, or another sound begins--> silent
 *   torn windows (touching concealed audio) are hits or nothing, never misses
 * ```
 * Edges: the sub-block in the middle of the first and of the last hit is full; how full its outer neighbours are says
 * where in them the sound began or ended.
 */
export class SoundTracker {
  readonly #setting: TrackerSetting;
  #sounding: Run | null = null;
  #candidate: Run | null = null;
  readonly #spare: Run[] = [emptyRun(), emptyRun(), emptyRun()];

  constructor(setting: TrackerSetting) {
    this.#setting = setting;
  }

  /** The sound that sounds now, or `NONE`. */
  get symbol(): number {
    return this.#sounding === null ? NONE : this.#sounding.symbol;
  }

  /** The candidate that may become a sound, or `NONE`. */
  get candidate(): number {
    return this.#candidate === null ? NONE : this.#candidate.symbol;
  }

  /** The stream broke off: what sounded has ended. */
  reset(): void {
    if (this.#sounding !== null) this.#finish(this.#sounding);
    this.#candidate = this.#release(this.#candidate);
  }

  /** One window: the sound in it or `NONE`, its amplitudes (peak), and whether concealed audio touches it. */
  step(block: number, symbol: number, low: number, high: number, torn: boolean): void {
    const sounding = this.#sounding;
    if (sounding !== null) {
      if (symbol === sounding.symbol) hit(sounding, block, low, high);
      else if (!torn) sounding.misses++;
      if (torn) sounding.torn = true;
      if (sounding.misses >= this.#setting.missesToEnd) this.#finish(sounding);
      else if (symbol === sounding.symbol) this.#candidate = this.#release(this.#candidate);
    }
    if (symbol === NONE) {
      if (!torn) this.#candidate = this.#release(this.#candidate);
    } else if (symbol !== this.symbol) {
      this.#consider(block, symbol, low, high, torn);
    }
  }

  #consider(block: number, symbol: number, low: number, high: number, torn: boolean): void {
    if (this.#candidate !== null && this.#candidate.symbol !== symbol) this.#release(this.#candidate);
    if (this.#candidate === null || this.#candidate.symbol !== symbol)
      this.#candidate = this.#take(block, symbol);
    const candidate = this.#candidate;
    hit(candidate, block, low, high);
    if (torn) candidate.torn = true;
    if (candidate.hits < this.#setting.hitsToBegin || this.#setting.sure?.() === false) return;
    candidate.startMs = this.#startOf(candidate);
    if (this.#endOf(candidate) - candidate.startMs < this.#setting.minMs(symbol)) return;
    if (this.#sounding !== null) this.#finish(this.#sounding);
    this.#sounding = candidate;
    this.#candidate = null;
    this.#setting.begin(symbol, candidate.startMs);
  }

  #finish(run: Run): void {
    this.#setting.end({
      symbol: run.symbol,
      startMs: run.startMs,
      durationMs: Math.max(0, this.#endOf(run) - run.startMs),
      lowDbm0: levelOfPeak(lowOf(run)),
      highDbm0: levelOfPeak(highOf(run)),
      torn: run.torn,
    });
    this.#sounding = this.#release(run);
  }

  #startOf(run: Run): number {
    const full = run.firstHit - 1;
    let ms = full * SUB_BLOCK_MS;
    for (let block = full - 1; block >= full - EDGE_BLOCKS; block--) {
      const share = this.#share(run, block);
      ms -= share * SUB_BLOCK_MS;
      if (share < FULL) break;
    }
    return ms;
  }

  #endOf(run: Run): number {
    const full = run.lastHit - 1;
    let ms = (full + 1) * SUB_BLOCK_MS;
    for (let block = full + 1; block <= full + EDGE_BLOCKS; block++) {
      const share = this.#share(run, block);
      ms += share * SUB_BLOCK_MS;
      if (share < FULL) break;
    }
    return ms;
  }

  #share(run: Run, block: number): number {
    const share = this.#setting.amplitude(block, run.symbol) / (lowOf(run) + highOf(run));
    return share < EMPTY ? 0 : share > 1 ? 1 : share;
  }

  #take(block: number, symbol: number): Run {
    const run = this.#spare.pop() ?? emptyRun();
    run.symbol = symbol;
    run.startMs = 0;
    run.firstHit = block;
    run.lastHit = block;
    run.hits = 0;
    run.misses = 0;
    run.torn = false;
    run.low = 0;
    run.high = 0;
    run.summed = 0;
    return run;
  }

  #release(run: Run | null): null {
    if (run !== null) this.#spare.push(run);
    return null;
  }
}

function hit(run: Run, block: number, low: number, high: number): void {
  if (run.hits >= 2) {
    run.low += run.pendingLow;
    run.high += run.pendingHigh;
    run.summed++;
  }
  run.pendingLow = low;
  run.pendingHigh = high;
  run.lastHit = block;
  run.hits++;
  run.misses = 0;
}

const lowOf = (run: Run): number => (run.summed === 0 ? run.pendingLow : run.low / run.summed);
const highOf = (run: Run): number => (run.summed === 0 ? run.pendingHigh : run.high / run.summed);

const levelOfPeak = (peak: number): number => dbm0OfPower((peak * peak) / 2);

const emptyRun = (): Run => ({
  symbol: NONE,
  startMs: 0,
  firstHit: 0,
  lastHit: 0,
  hits: 0,
  misses: 0,
  torn: false,
  low: 0,
  high: 0,
  summed: 0,
  pendingLow: 0,
  pendingHigh: 0,
});
