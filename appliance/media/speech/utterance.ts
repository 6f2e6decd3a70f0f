import { FRAME_MS, FRAME_SAMPLES } from '../audio/index.ts';
import { VoiceActivity } from './voice-activity.ts';

/** Chosen: the softest sounds come first, so that an utterance begins 300 ms before it is noticed. */
const LEAD_FRAMES = 300 / FRAME_MS;

export type UtteranceEvent =
  | { readonly kind: 'started' }
  /** `samples`: 8 kHz, with the lead before it and the silence after it. */
  | { readonly kind: 'ended'; readonly samples: Int16Array; readonly durationMs: number };

/** One utterance of a participant: its audio from shortly before its begin to its end. Frames after the end are passed over. */
export class Utterance {
  readonly #activity: VoiceActivity;
  readonly #mostFrames: number;
  readonly #frames: Int16Array[] = [];
  #state: 'waiting' | 'speaking' | 'over' = 'waiting';
  #spoken = 0;

  constructor({ endSilenceMs, longestMs }: { readonly endSilenceMs: number; readonly longestMs: number }) {
    this.#activity = new VoiceActivity(endSilenceMs);
    this.#mostFrames = Math.max(1, Math.ceil(longestMs / FRAME_MS));
  }

  push(frame: Int16Array): UtteranceEvent | undefined {
    if (this.#state === 'over') return undefined;
    const change = this.#activity.push(frame);
    this.#frames.push(frame.slice());
    if (this.#state === 'waiting') {
      if (change === 'started') {
        this.#state = 'speaking';
        return { kind: 'started' };
      }
      if (this.#frames.length > LEAD_FRAMES) this.#frames.shift();
      return undefined;
    }
    if (change !== 'ended' && ++this.#spoken < this.#mostFrames) return undefined;
    return this.#ended();
  }

  /** Its audio up to now, 8 kHz, with the lead before it. */
  soFar(): Int16Array {
    const samples = new Int16Array(this.#frames.length * FRAME_SAMPLES);
    for (const [index, frame] of this.#frames.entries()) samples.set(frame, index * FRAME_SAMPLES);
    return samples;
  }

  /** Ends it here; undefined: it has not begun. */
  cut(): UtteranceEvent | undefined {
    return this.#state === 'speaking' ? this.#ended() : undefined;
  }

  #ended(): UtteranceEvent {
    this.#state = 'over';
    const samples = this.soFar();
    const durationMs = this.#frames.length * FRAME_MS;
    this.#frames.length = 0;
    return { kind: 'ended', samples, durationMs };
  }
}
