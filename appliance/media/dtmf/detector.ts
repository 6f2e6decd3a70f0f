import { dbm0OfPower, FRAME_SAMPLES, type FrameSink, powerOf } from '../audio/index.ts';
import { DIGITS, HIGH_HZ, LOW_HZ } from './digit.codes.ts';
import { correlateDtmf } from './dtmf-correlate.ts';
import { FrequencyBank, GROUP, SUB_BLOCK_SAMPLES, WINDOW_SAMPLES } from './frequency-bank.ts';
import type { DetectorProfile } from './profile.ts';
import { NONE, SoundTracker } from './sound-tracker.ts';
import { TornMark } from './torn-mark.ts';
import { tangentOf, windowLoss } from './window-loss.ts';

/** A digit in audio. Times are of the stream: tick × 20 ms and parts of it; a negative start lies before the first. */
export type DetectedDigit =
  | { readonly kind: 'begin'; readonly digit: string; readonly startMs: number }
  | {
      readonly kind: 'end';
      readonly digit: string;
      readonly startMs: number;
      readonly durationMs: number;
      readonly lowDbm0: number;
      readonly highDbm0: number;
      /** High group over low group. */
      readonly twistDb: number;
      /** The level beside the two tones where they stood clearest, dBm0. */
      readonly noiseDbm0: number;
      /** Concealed audio lay inside or at an edge: the length is uncertain by a frame. */
      readonly torn: boolean;
    };

const FREQUENCIES = [...LOW_HZ, ...HIGH_HZ];
const BLOCKS_PER_FRAME = FRAME_SAMPLES / SUB_BLOCK_SAMPLES;
const HALF_WINDOW = WINDOW_SAMPLES / 2;

/**
 * Hears DTMF digits (ITU-T Q.23, Q.24; ETSI ES 201 235-3): one per listening leg, fed with every frame.
 *
 * Each 15 ms window must pass, in this order: level, one clear winner per group, frequency of both tones by phase
 * advance, twist, share of all energy. Magnitudes alone cannot tell 1.5 % from 3.5 % off; the phase can. Before twist and
 * share are taken, each tone is freed from what the other leaks into its filter, at the frequencies just estimated.
 * `SoundTracker` makes digits of the windows. A digit begins to be reported 30 ms after its onset.
 */
export class DtmfDetector implements FrameSink {
  readonly #profile: DetectorProfile;
  readonly #bank = new FrequencyBank(FREQUENCIES, correlateDtmf);
  readonly #tracker: SoundTracker;
  readonly #torn = new TornMark();
  /** Per frequency: the deviation accepted. */
  readonly #tangents: readonly number[];
  readonly #floor: number;
  readonly #groupGap: number;
  readonly #twist: number;
  #nextTick = Number.NaN;
  /** The symbol of the last window, and by how much its windows in a row hold more than the share to begin, summed. */
  #shown = NONE;
  #surplus = 0;
  /** By symbol: least power beside the tones in a window since the digit began, mean square. */
  readonly #residues = new Float64Array(DIGITS.length);
  /** Concealed audio touches the current window. */
  #touched = false;
  /** Amplitudes of the last window that passed, freed from leakage. */
  #low = 0;
  #high = 0;

  constructor(profile: DetectorProfile, emit: (event: DetectedDigit) => void) {
    this.#profile = profile;
    this.#tangents = FREQUENCIES.map((hz) => tangentOf(hz * profile.deviation));
    this.#floor = 2 * powerOf(profile.floorDbm0);
    this.#groupGap = 10 ** (-profile.groupGapDb / 10);
    this.#twist = 10 ** (profile.twistDb / 10);
    this.#tracker = new SoundTracker({
      hitsToBegin: profile.hitsToBegin,
      missesToEnd: profile.missesToEnd,
      minMs: () => profile.minMs,
      sure: () => this.#surplus >= 0,
      amplitude: (block, symbol) =>
        this.#bank.blockPeak(block, symbol >> 2) + this.#bank.blockPeak(block, 4 + (symbol & 3)),
      begin: (symbol, startMs) => {
        this.#residues[symbol] = Number.POSITIVE_INFINITY;
        emit({ kind: 'begin', digit: digitOf(symbol), startMs });
      },
      end: ({ symbol, startMs, durationMs, lowDbm0, highDbm0, torn }) =>
        emit({
          kind: 'end',
          digit: digitOf(symbol),
          startMs,
          durationMs,
          lowDbm0,
          highDbm0,
          twistDb: highDbm0 - lowDbm0,
          noiseDbm0: dbm0OfPower(finite(this.#residues[symbol])),
          torn,
        }),
    });
  }

  /** The next 20 ms. A tick that does not follow the last one is a break: what sounded has ended. */
  push(frame: Int16Array, tick: number, lost: boolean): void {
    if (tick !== this.#nextTick) this.#restart();
    this.#nextTick = tick + 1;
    for (let part = 0; part < BLOCKS_PER_FRAME; part++) {
      const block = tick * BLOCKS_PER_FRAME + part;
      this.#bank.push(block, frame, part * SUB_BLOCK_SAMPLES);
      this.#torn.push(lost);
      this.#touched = this.#torn.touched;
      const symbol = this.#judge();
      if (symbol === NONE && !this.#touched) this.#shown = NONE;
      this.#tracker.step(block, symbol, this.#low, this.#high, this.#touched);
    }
  }

  #restart(): void {
    this.#tracker.reset();
    this.#bank.reset();
    this.#torn.reset();
    this.#shown = NONE;
  }

  /** The digit in the current window, or `NONE`; leaves its amplitudes in `#low` and `#high`. */
  #judge(): number {
    const energy = this.#bank.energy;
    if (energy < this.#floor * HALF_WINDOW) return NONE;
    // The high group first: where speech has nothing to show there, the low one is never looked at.
    const column = this.#winner(1);
    if (column < 0) return NONE;
    const row = this.#winner(0);
    if (row < 0) return NONE;
    const symbol = row * 4 + (column - GROUP);
    const share = this.#share(row, column, energy, symbol);
    if (share < this.#profile.energyShare) return NONE;
    if (symbol !== this.#shown) {
      this.#shown = symbol;
      this.#surplus = 0;
    }
    const residue = (Math.max(0, 1 - share) * energy) / WINDOW_SAMPLES;
    if (residue < (this.#residues[symbol] ?? 0)) this.#residues[symbol] = residue;
    // The content of concealed audio says nothing about the sound.
    if (!this.#touched) this.#surplus += share - this.#profile.beginShare;
    return symbol;
  }

  /** The strongest tone of a group, or −1 when another comes too near. */
  #winner(group: number): number {
    this.#bank.tune(group);
    const powers = this.#bank.powers;
    const first = group * GROUP;
    let best = 0;
    let second = 0;
    let index = -1;
    for (let i = first; i < first + GROUP; i++) {
      const power = powers[i] ?? 0;
      if (power > best) {
        second = best;
        best = power;
        index = i;
      } else if (power > second) second = power;
    }
    return second <= best * this.#groupGap ? index : -1;
  }

  /** The share of the energy the two tones hold, or 0 when frequency, twist or level forbid them. */
  #share(row: number, column: number, energy: number, symbol: number): number {
    const bank = this.#bank;
    const lowHz = FREQUENCIES[row] ?? 0;
    const highHz = FREQUENCIES[column] ?? 0;
    const lowLimit = lowHz * this.#profile.deviation;
    const highLimit = highHz * this.#profile.deviation;
    // A torn window has a leap of phase in it: for the digit already heard the frequency is taken as known.
    const known = this.#touched && (symbol === this.#tracker.symbol || symbol === this.#tracker.candidate);
    const lowRe = bank.re(row);
    const lowIm = bank.im(row);
    const highRe = bank.re(column);
    const highIm = bank.im(column);
    if (!known) {
      bank.tuneBefore(0);
      bank.tuneBefore(1);
    }
    const oldLowRe = known ? 0 : bank.beforeRe(row);
    const oldLowIm = known ? 0 : bank.beforeIm(row);
    const oldHighRe = known ? 0 : bank.beforeRe(column);
    const oldHighIm = known ? 0 : bank.beforeIm(column);
    const lowOffset = known ? 0 : bank.offsetBetween(row, lowRe, lowIm, oldLowRe, oldLowIm);
    const highOffset = known ? 0 : bank.offsetBetween(column, highRe, highIm, oldHighRe, oldHighIm);
    // Leakage shifts the first estimate by less than 12 Hz within the twist allowed.
    if (Math.abs(lowOffset) > lowLimit + 12 || Math.abs(highOffset) > highLimit + 12) return 0;
    const lowSelf = windowLoss(lowOffset);
    const highSelf = windowLoss(highOffset);
    const distance = highHz + highOffset - lowHz - lowOffset;
    const lowIntoHigh = windowLoss(distance - highOffset);
    const highIntoLow = windowLoss(distance + lowOffset);
    const scale = 1 / (HALF_WINDOW * (lowSelf * highSelf - lowIntoHigh * highIntoLow));
    const aRe = (lowRe * highSelf - highRe * highIntoLow) * scale;
    const aIm = (lowIm * highSelf - highIm * highIntoLow) * scale;
    const bRe = (highRe * lowSelf - lowRe * lowIntoHigh) * scale;
    const bIm = (highIm * lowSelf - lowIm * lowIntoHigh) * scale;
    if (!known) {
      const low = bank.isWithin(
        row,
        this.#tangents[row] ?? 0,
        aRe,
        aIm,
        oldLowRe * highSelf - oldHighRe * highIntoLow,
        oldLowIm * highSelf - oldHighIm * highIntoLow,
      );
      if (!low) return 0;
      const high = bank.isWithin(
        column,
        this.#tangents[column] ?? 0,
        bRe,
        bIm,
        oldHighRe * lowSelf - oldLowRe * lowIntoHigh,
        oldHighIm * lowSelf - oldLowIm * lowIntoHigh,
      );
      if (!high) return 0;
    }
    const lowPower = aRe * aRe + aIm * aIm;
    const highPower = bRe * bRe + bIm * bIm;
    if (lowPower < this.#floor || highPower < this.#floor) return 0;
    if (lowPower > highPower * this.#twist || highPower > lowPower * this.#twist) return 0;
    this.#low = Math.sqrt(lowPower);
    this.#high = Math.sqrt(highPower);
    // The two together: their own energies, and what they have in common within a window this short.
    const common = 2 * (aRe * bRe + aIm * bIm) * windowLoss(distance);
    return ((lowPower + highPower + common) * HALF_WINDOW) / energy;
  }
}

/** Nothing is known of a digit too short to be looked at after its begin. */
const finite = (power: number | undefined): number =>
  power === undefined || power === Number.POSITIVE_INFINITY ? 0 : power;

const digitOf = (symbol: number): string => DIGITS[symbol] ?? '';
