import type { Result } from '#shared/result.ts';
import type { Recognition } from '../../media/speech/index.ts';

/** One utterance to recognise: 8 kHz, mono. */
export interface SpokenAudio {
  readonly samples: Int16Array;
  /** BCP 47; absent: the language of the recogniser. */
  readonly language?: string | undefined;
  readonly hints: readonly string[];
}

/** A program or a service that turns speech into text. */
export interface Recogniser {
  readonly id: string;
  readonly languages: readonly string[] | undefined;
  /** Longest wait for its answer, ms. */
  readonly answerMs: number;
  /** A failure is one clause that says why. Throws when the signal is given, and when it cannot be reached. */
  recognise(audio: SpokenAudio, signal: AbortSignal): Promise<Result<Recognition>>;
}

/** Chosen: no answer for an utterance is longer, bytes. */
export const LONGEST_ANSWER = 1 << 20;
export const TOO_LONG = 'it has answered more than 1 MB';
