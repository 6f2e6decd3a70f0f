import { FRAME_SAMPLES, type FrameSink, powerOf } from '../audio/index.ts';
import { FrequencyBank, GROUP, SUB_BLOCK_SAMPLES, WINDOW_SAMPLES } from './frequency-bank.ts';
import { NONE, SoundTracker } from './sound-tracker.ts';
import { TornMark } from './torn-mark.ts';
import { subBlockLoss } from './window-loss.ts';

/** One frequency to listen for. */
export interface WantedTone {
  readonly hz: number;
  /** Accepted deviation, as a part of 1; default 0.03. Below 100 Hz in any case. */
  readonly deviation?: number;
  /** Shorter sounds are ignored; default 40 ms, at least 25. */
  readonly minMs?: number;
}

/** A single tone in audio. Times are of the stream, as with digits. */
export type DetectedTone =
  | { readonly kind: 'begin'; readonly hz: number; readonly startMs: number }
  | {
      readonly kind: 'end';
      readonly hz: number;
      readonly startMs: number;
      readonly durationMs: number;
      readonly levelDbm0: number;
      readonly torn: boolean;
    };

const BLOCKS_PER_FRAME = FRAME_SAMPLES / SUB_BLOCK_SAMPLES;
const HALF_WINDOW = WINDOW_SAMPLES / 2;
const ENERGY_SHARE = 0.75;
const FLOOR_DBM0 = -36;
const HITS_TO_BEGIN = 4;
const MISSES_TO_END = 5;
const SHORTEST_MS = 25;

/**
 * Hears single tones of a list: handshakes and acknowledges (1400, 2300 Hz), enquiries (1850 Hz), the row and column
 * tones of STMF one after another, call progress tones (400 to 480 Hz). Same windows and edges as the DTMF detector, but
 * each window is tuned to the tone in it: 3 % of 2300 Hz is just where an untuned window of 15 ms is deaf. A tone must
 * stand alone, so a DTMF digit is none. Load only what the call's protocol needs.
 */
export class ToneBank implements FrameSink {
  readonly #wanted: readonly WantedTone[];
  readonly #bank: FrequencyBank;
  readonly #tracker: SoundTracker;
  readonly #torn = new TornMark();
  readonly #floor = 2 * powerOf(FLOOR_DBM0);
  #nextTick = Number.NaN;
  #peak = 0;

  constructor(wanted: readonly WantedTone[], emit: (event: DetectedTone) => void) {
    this.#wanted = wanted;
    const bank = new FrequencyBank(wanted.map(({ hz }) => hz));
    this.#bank = bank;
    const hzOf = (symbol: number) => wanted[symbol]?.hz ?? 0;
    this.#tracker = new SoundTracker({
      hitsToBegin: HITS_TO_BEGIN,
      missesToEnd: MISSES_TO_END,
      minMs: (symbol) => Math.max(SHORTEST_MS, (wanted[symbol]?.minMs ?? 40) - EDGE_TOLERANCE_MS),
      amplitude: (block, symbol) => bank.blockPeak(block, symbol),
      begin: (symbol, startMs) => emit({ kind: 'begin', hz: hzOf(symbol), startMs }),
      end: ({ symbol, startMs, durationMs, lowDbm0, torn }) =>
        emit({ kind: 'end', hz: hzOf(symbol), startMs, durationMs, levelDbm0: lowDbm0, torn }),
    });
  }

  /** The next 20 ms. A tick that does not follow the last one is a break: what sounded has ended. */
  push(frame: Int16Array, tick: number, lost: boolean): void {
    if (tick !== this.#nextTick) {
      this.#tracker.reset();
      this.#bank.reset();
      this.#torn.reset();
    }
    this.#nextTick = tick + 1;
    for (let part = 0; part < BLOCKS_PER_FRAME; part++) {
      const block = tick * BLOCKS_PER_FRAME + part;
      this.#bank.push(block, frame, part * SUB_BLOCK_SAMPLES);
      this.#torn.push(lost);
      this.#tracker.step(block, this.#judge(), this.#peak, 0, this.#torn.touched);
    }
  }

  /** The tone in the current window, or `NONE`; leaves its amplitude in `#peak`. */
  #judge(): number {
    const bank = this.#bank;
    const energy = bank.energy;
    if (energy < this.#floor * HALF_WINDOW * ENERGY_SHARE) return NONE;
    for (let group = 0; group * GROUP < this.#wanted.length; group++) bank.look(group);
    let best = 0;
    let symbol = NONE;
    for (let i = 0; i < this.#wanted.length; i++) {
      const power = bank.bluntPower(i);
      if (power > best) {
        best = power;
        symbol = i;
      }
    }
    const wanted = this.#wanted[symbol];
    if (wanted === undefined) return NONE;
    const known =
      this.#torn.touched && (symbol === this.#tracker.symbol || symbol === this.#tracker.candidate);
    const offset = known ? 0 : bank.bluntOffsetHz(symbol);
    if (Math.abs(offset) > wanted.hz * (wanted.deviation ?? 0.03)) return NONE;
    const loss = subBlockLoss(offset) * HALF_WINDOW;
    const power = bank.tunedPower(symbol, offset) / (loss * loss);
    if (power < this.#floor || (power * HALF_WINDOW) / energy < ENERGY_SHARE) return NONE;
    this.#peak = Math.sqrt(power);
    return symbol;
  }
}

/** A tone of just the minimum length may be measured a little shorter. */
const EDGE_TOLERANCE_MS = 10;
