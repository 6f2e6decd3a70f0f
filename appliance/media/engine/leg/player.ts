import { applyGain, FRAME_SAMPLES } from '../../audio/index.ts';
import type { DigitMode, Phrase, PhraseResult, PlayPlan, PreparedPrompt } from '../../control/index.ts';
import { PCMA, PCMU } from '../packet/payload.ts';
import {
  LiveRendition,
  type PlayOutlet,
  PromptRendition,
  promptRendition,
  type Rendition,
  renditionOf,
  SilenceRendition,
  volumeOf,
} from './phrase.ts';

/** Until `supply` says what it is. */
const AWAITING: Rendition = { left: Number.POSITIVE_INFINITY, waiting: true, read: () => 0 };

/**
 * Plays a list of phrases, exact to the sample: the next begins where the last ended, inside a frame if need be.
 *
 * ```
 *   phrase 1 | pause | phrase 1 again | phrase 2 | … | last |  pause of the loop  | phrase 1 …
 *   enter --over--> repeat left: pause, enter again;  else completed: next phrase;  after the last: loop or done
 *   awaited --supply(prompt)--> enter        awaited --supply(null)--> error: next phrase
 * ```
 */
export class Player {
  readonly #phrases: readonly Phrase[];
  readonly #loopPauseMs: number | undefined;
  readonly #mode: DigitMode;
  readonly #outlet: PlayOutlet;
  readonly #results: (PhraseResult | undefined)[] = [];
  readonly #supplied = new Map<string, PreparedPrompt | null>();
  #index = -1;
  #round = 0;
  #rendition: Rendition | null = null;
  #pause: SilenceRendition | null = null;
  #volume = 1;
  #done = false;
  /** Samples since the list began: a loop of nothing ends. */
  #played = 0;

  constructor({ phrases, loop }: PlayPlan, outlet: PlayOutlet, mode: DigitMode = 'auto') {
    this.#phrases = phrases;
    this.#loopPauseMs = loop?.pauseMs;
    this.#outlet = outlet;
    this.#mode = mode;
  }

  get done(): boolean {
    return this.#done;
  }

  /** The phrase at hand is a tone or digits. */
  get isTone(): boolean {
    const kind = this.#phrases[this.#index]?.kind;
    return !this.#done && (kind === 'tone' || kind === 'digits');
  }

  /** Nothing is heard of it: the phrase at hand has not come yet. */
  get isWaiting(): boolean {
    return this.#rendition === AWAITING;
  }

  /** A program speaks by it, and says nothing now. */
  get isQuiet(): boolean {
    if (this.#index < 0) this.#settle();
    return this.#rendition instanceof LiveRendition && this.#rendition.isQuiet;
  }

  /** The result of each phrase; in a loop, of its running round. */
  get results(): readonly PhraseResult[] {
    return this.#phrases.map((_, index) => this.#results[index] ?? 'interrupted');
  }

  /** Brings what an `awaited` phrase of this name plays. */
  supply(name: string, prompt: PreparedPrompt | null): void {
    this.#supplied.set(name, prompt);
    const phrase = this.#phrases[this.#index];
    if (this.#rendition === AWAITING && phrase?.kind === 'awaited' && phrase.name === name) this.#enter();
  }

  stop(): void {
    if (this.#rendition?.waiting === true && this.#rendition !== AWAITING) this.#outlet.events.stop();
    this.#done = true;
  }

  /** Fills a frame, with silence where it waits or ends; answers the samples before the end: 0 when it was over. */
  pull(out: Int16Array): number {
    let at = 0;
    while (at < FRAME_SAMPLES && !this.#settle()) {
      const source = this.#pause ?? this.#rendition;
      if (source === null || source.waiting) {
        out.fill(0, at);
        return FRAME_SAMPLES;
      }
      const taken = source.read(out, at, FRAME_SAMPLES - at);
      if (this.#pause === null && this.#volume !== 1) applyGain(out.subarray(at, at + taken), this.#volume);
      at += taken;
      this.#played += taken;
    }
    out.fill(0, at);
    this.#settle();
    return at;
  }

  /** A frame of ready-made bytes when nothing has to be computed for it; `readyAt` says where in them. */
  ready(kind: number): Uint8Array | null {
    if (kind !== PCMA && kind !== PCMU) return null;
    const isOver = this.#settle();
    const rendition = this.#rendition;
    if (isOver || this.#pause !== null || this.#volume !== 1) return null;
    if (!(rendition instanceof PromptRendition) || !rendition.hasReadyFrame) return null;
    this.readyAt = rendition.at;
    rendition.at += FRAME_SAMPLES;
    this.#played += FRAME_SAMPLES;
    this.#settle();
    return kind === PCMU ? rendition.ulaw : rendition.alaw;
  }

  readyAt = 0;

  /** Leaves everything behind that is over; true when nothing is left. */
  #settle(): boolean {
    while (!this.#done) {
      if (this.#pause !== null) {
        if (this.#pause.left > 0) return false;
        this.#pause = null;
        this.#enter();
      } else if (this.#rendition !== null) {
        if (this.#rendition.waiting || this.#rendition.left > 0) return false;
        this.#over();
      } else this.#advance();
    }
    return true;
  }

  /** One rendition is over. */
  #over(): void {
    const phrase = this.#phrases[this.#index];
    this.#round++;
    if (phrase !== undefined && this.#round < (phrase.repeat ?? 1)) {
      this.#pause = new SilenceRendition(phrase.repeatPauseMs ?? 0);
      return;
    }
    this.#results[this.#index] = 'completed';
    this.#advance();
  }

  #advance(): void {
    this.#round = 0;
    this.#rendition = null;
    this.#index++;
    if (this.#index < this.#phrases.length) {
      this.#enter();
      return;
    }
    if (this.#loopPauseMs === undefined || this.#played === 0) {
      this.#done = true;
      return;
    }
    this.#played = 0;
    this.#results.length = 0;
    this.#index = 0;
    this.#pause = new SilenceRendition(this.#loopPauseMs);
  }

  /** Begins the phrase at hand; one that cannot be played is an error, and `settle` goes on behind it. */
  #enter(): void {
    const phrase = this.#phrases[this.#index];
    if (phrase === undefined) return;
    this.#volume = volumeOf(phrase);
    this.#rendition = this.#render(phrase);
    if (this.#rendition === null) this.#results[this.#index] = 'error';
  }

  #render(phrase: Phrase): Rendition | null {
    if (phrase.kind !== 'awaited') return renditionOf(phrase, this.#mode, this.#outlet);
    const prompt = this.#supplied.get(phrase.name);
    if (prompt === undefined) return AWAITING;
    return prompt === null ? null : promptRendition(prompt);
  }
}
