import { FRAME_MS } from '../audio/index.ts';
import { Utterance, type UtteranceEvent } from './utterance.ts';

/** Chosen: a pause of 700 ms ends a line of a transcript; speech without a pause is a line every 15 s. */
const END_SILENCE_MS = 700;
const LONGEST_MS = 15_000;

/** Times in ms from the first frame; samples of 8 kHz. */
export type SpokenEvent =
  /** `samples`: up to now, with the lead before the speech. */
  | { readonly kind: 'began'; readonly offsetMs: number; readonly samples: Int16Array }
  /** The next frame of the utterance that has begun. */
  | { readonly kind: 'spoken'; readonly samples: Int16Array }
  /** `samples`: the whole utterance. */
  | {
      readonly kind: 'ended';
      readonly offsetMs: number;
      readonly durationMs: number;
      readonly samples: Int16Array;
    };

/** One channel of a recording as a row of utterances: each has its place on the time axis of the recording. */
export class SpokenChannel {
  #utterance = newUtterance();
  #isSpeaking = false;
  #firstTick: number | undefined;
  #endMs = 0;

  /** @param tick of the frame, as the tap counts: a hole of the ring moves what follows it */
  push(frame: Int16Array, tick: number): SpokenEvent | undefined {
    this.#firstTick ??= tick;
    this.#endMs = (tick - this.#firstTick + 1) * FRAME_MS;
    const event = this.#utterance.push(frame);
    if (event === undefined) return this.#isSpeaking ? { kind: 'spoken', samples: frame.slice() } : undefined;
    if (event.kind === 'ended') return this.#ended(event);
    this.#isSpeaking = true;
    const samples = this.#utterance.soFar();
    return { kind: 'began', offsetMs: this.#beginOf(samples), samples };
  }

  /** Ends the utterance that is being spoken; undefined: there is none. */
  cut(): SpokenEvent | undefined {
    const event = this.#utterance.cut();
    if (event?.kind === 'ended') return this.#ended(event);
    this.#utterance = newUtterance();
    return undefined;
  }

  #ended({ samples, durationMs }: Extract<UtteranceEvent, { readonly kind: 'ended' }>): SpokenEvent {
    this.#utterance = newUtterance();
    this.#isSpeaking = false;
    return { kind: 'ended', offsetMs: this.#beginOf(samples), durationMs, samples };
  }

  #beginOf(samples: Int16Array): number {
    return Math.max(0, this.#endMs - samples.length / SAMPLES_PER_MS);
  }
}

const SAMPLES_PER_MS = 8;
const newUtterance = (): Utterance => new Utterance({ endSilenceMs: END_SILENCE_MS, longestMs: LONGEST_MS });
