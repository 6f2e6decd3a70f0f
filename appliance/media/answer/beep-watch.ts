import { FRAME_MS } from '../audio/index.ts';

/** Frequencies of a beep, Hz: above the call progress tones, below the answer of a fax and of STMF. */
const LOWEST_HZ = 500;
const HIGHEST_HZ = 2_300;
/** `Chosen:` one sine holds so much of the energy; two of DTMF and a vowel do not. */
const SHARE = 0.9;
/** `Chosen:` a beep keeps its frequency within this part, and its level within 4 dB; a whistle and a vowel glide. */
const GLIDE = 0.02;
const SWING_DB = 4;
/** `Chosen:` mailboxes beep for 0.2 to 1 s; fax (ITU-T T.30: 2.6 s) is longer, the pips of a clock are shorter. */
const SHORTEST_MS = 140;
const LONGEST_MS = 1_500;
/** `Chosen:` a machine records after its beep: so long it is quiet. A row of beeps and an announcement go on sooner. */
const QUIET_MS = 1_200;
/** Frames at an edge that are neither tone nor quiet. */
const MOST_EDGE_FRAMES = 1;

/** A single tone that a machine records behind: one, constant, and quiet after it. */
export class BeepWatch {
  /** The tone that sounds: its frames, first frequency and level. */
  #frames = 0;
  #hz = 0;
  #dbm0 = 0;
  #edges = 0;
  /** A beep has ended, and it has been quiet for so long since, ms; NaN: none has. */
  #quietMs = Number.NaN;
  #lengthMs = 0;

  /** A tone sounds now. */
  get isTone(): boolean {
    return this.#frames > 2;
  }

  /** The next 20 ms. Answers how long ago the beep began, ms, once it is certain. */
  push(hz: number, share: number, dbm0: number, isQuiet: boolean): number | undefined {
    const isPure = !isQuiet && share >= SHARE && hz >= LOWEST_HZ && hz <= HIGHEST_HZ;
    if (isPure && this.#goesOn(hz, dbm0)) {
      this.#frames++;
      this.#edges = 0;
      return undefined;
    }
    if (this.#frames > 0) this.#ends(isPure || isQuiet);
    if (isPure) {
      // Another tone follows: a row of tones is no beep.
      this.#quietMs = Number.NaN;
      this.#frames = 1;
      this.#hz = hz;
      this.#dbm0 = dbm0;
      return undefined;
    }
    return this.#waits(isQuiet);
  }

  #goesOn(hz: number, dbm0: number): boolean {
    return (
      this.#frames > 0 &&
      Math.abs(hz - this.#hz) <= this.#hz * GLIDE &&
      (Math.abs(dbm0 - this.#dbm0) <= SWING_DB || this.#frames === 1)
    );
  }

  /** @param isSharp its end is the end of the frame; otherwise the next one may tell */
  #ends(isSharp: boolean): void {
    if (!isSharp && ++this.#edges <= MOST_EDGE_FRAMES) return;
    const lengthMs = this.#frames * FRAME_MS;
    const isBeep = isSharp && lengthMs >= SHORTEST_MS && lengthMs <= LONGEST_MS;
    this.#frames = 0;
    this.#edges = 0;
    this.#lengthMs = lengthMs;
    this.#quietMs = isBeep ? 0 : Number.NaN;
  }

  #waits(isQuiet: boolean): number | undefined {
    if (Number.isNaN(this.#quietMs) || this.#frames > 0) return undefined;
    if (!isQuiet) {
      this.#quietMs = Number.NaN;
      return undefined;
    }
    this.#quietMs += FRAME_MS;
    if (this.#quietMs < QUIET_MS) return undefined;
    const agoMs = this.#quietMs + this.#lengthMs;
    this.#quietMs = Number.NaN;
    return agoMs;
  }
}
