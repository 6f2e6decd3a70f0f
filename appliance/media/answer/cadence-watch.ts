import { FRAME_MS } from '../audio/index.ts';
import type { CadencePart } from '../dtmf/index.ts';

/** A frame as a cadence sees it: its tone, a pause, or anything else. */
export type CadenceFrame = 'on' | 'off' | 'other';

/** `Chosen:` networks allow 10 % around each time (ITU-T E.180); frames of 20 ms add one of them. */
const PART = 0.15;
const FRAME_SLACK_MS = FRAME_MS;
/** `Chosen:` a tone may begin and end inside a frame, which is then neither; two in a row are no tone of a network. */
const MOST_EDGE_FRAMES = 1;
/**
 * `Chosen:` four tones with three pauses of the country are busy. Speech, music and a single beep are no such row; with 250 ms it
 * is known after 1.8 s, with 500 ms after 3.5 s.
 */
const BUSY_TONES = 4;
/** `Chosen:` so much of the long pause of ringback is enough, ms. */
const RINGBACK_PAUSE_MS = 1_500;

/**
 * Follows the tones and pauses of one frequency (or pair) and compares them with the cadences of the countries that use it.
 *
 * ```
 *   on  ████    ████    ████    ████              ████████
 *   off     ····    ····    ····                          ·········· 1.5 s
 *                                   busy                            ringback
 * ```
 */
export class CadenceWatch {
  readonly #busy: readonly (readonly CadencePart[])[];
  readonly #ringback: readonly (readonly CadencePart[])[];
  /** Lengths of the tones and pauses so far, ms, in turn; the first one is a tone. */
  #parts: number[] = [];
  #onMs = 0;
  #offMs = 0;
  #edges = 0;

  /** Both: one period of each cadence with these frequencies. */
  constructor(busy: readonly (readonly CadencePart[])[], ringback: readonly (readonly CadencePart[])[]) {
    this.#busy = busy;
    this.#ringback = ringback;
  }

  /** The next 20 ms. */
  push(frame: CadenceFrame): 'busy' | 'ringback' | undefined {
    if (frame === 'on') return this.#on();
    if (frame === 'off') return this.#off();
    if (this.#onMs + this.#offMs > 0 && ++this.#edges > MOST_EDGE_FRAMES) this.#forget();
    return undefined;
  }

  #on(): undefined {
    if (this.#offMs > 0) {
      this.#parts.push(this.#offMs + this.#edges * (FRAME_MS / 2));
      this.#offMs = 0;
    }
    this.#onMs += FRAME_MS;
    this.#edges = 0;
    return undefined;
  }

  #off(): 'busy' | 'ringback' | undefined {
    if (this.#onMs > 0) {
      this.#parts.push(this.#onMs + this.#edges * (FRAME_MS / 2));
      this.#onMs = 0;
      this.#edges = 0;
      this.#offMs = FRAME_MS;
      return this.#isBusy() ? this.#reported('busy') : undefined;
    }
    if (this.#parts.length === 0) return undefined;
    this.#edges = 0;
    this.#offMs += FRAME_MS;
    if (this.#offMs < RINGBACK_PAUSE_MS) return undefined;
    if (this.#isRingback()) return this.#reported('ringback');
    // Nothing else has such a long pause.
    this.#forget();
    return undefined;
  }

  #reported<T>(what: T): T {
    this.#forget();
    return what;
  }

  #forget(): void {
    this.#parts = [];
    this.#onMs = 0;
    this.#offMs = 0;
    this.#edges = 0;
  }

  /** The last four tones; the first of them may have begun before the answer. */
  #isBusy(): boolean {
    const last = this.#parts.slice(1 - 2 * BUSY_TONES);
    if (last.length < 2 * BUSY_TONES - 1) return false;
    return this.#busy.some(([on, off]) =>
      last.every((ms, place) => {
        const wanted = (place % 2 === 0 ? on : off)?.ms ?? 0;
        return place === 0 ? ms <= most(wanted) : isAbout(ms, wanted);
      }),
    );
  }

  /** One whole burst, with nothing before it. */
  #isRingback(): boolean {
    return this.#ringback.some((period) => {
      const burst = period.slice(0, -1);
      return (
        this.#parts.length >= burst.length &&
        this.#parts.slice(-burst.length).every((ms, place) => isAbout(ms, burst[place]?.ms ?? 0))
      );
    });
  }
}

const most = (wanted: number): number => wanted * (1 + PART) + FRAME_SLACK_MS;
const isAbout = (ms: number, wanted: number): boolean =>
  ms <= most(wanted) && ms >= wanted * (1 - PART) - FRAME_SLACK_MS;
