import type { RingMemory } from '../audio/index.ts';

/** Names one utterance that is listened for; given by whoever starts it, unique while it runs. */
export type HearingId = string;

export interface SpokenText {
  readonly text: string;
  /** 0 to 1; absent: the recogniser gives none. */
  readonly confidence?: number;
}

export interface SpeechRequest {
  /** BCP 47; absent: the language of the recogniser. */
  readonly language?: string;
  readonly hints: readonly string[];
  readonly endSilenceMs: number;
  readonly longestMs: number;
  /** How long the recognisers have after the speech, together. */
  readonly answerMs: number;
  /** 0 to 1. */
  readonly leastConfidence: number;
}

export interface SpeechResult extends Partial<SpokenText> {
  readonly reason: 'recognised' | 'lowConfidence' | 'noMatch' | 'error';
  readonly alternatives?: SpokenText[];
  readonly recogniser?: string;
  /** Length of the speech, ms. */
  readonly duration?: number;
  /** One sentence for a person. */
  readonly error?: string;
}

export type SpeechEvent =
  | { readonly kind: 'started' }
  /** The last event; it comes once. */
  | { readonly kind: 'ended'; readonly result: SpeechResult };

/** Speech to text, by a thread of its own. */
export interface SpeechListener {
  /** Listens for one utterance in a ring that a tap fills. */
  start(
    setting: { readonly hearing: HearingId; readonly input: RingMemory; readonly wish: SpeechRequest },
    onEvent: (event: SpeechEvent) => void,
  ): void;
  /** The result is not wanted any more: no event follows. */
  stop(hearing: HearingId): void;
  close(): Promise<void>;
}
