import type { Result } from '#shared/result.ts';
import type { Recognition } from '../../media/speech/index.ts';

/** One utterance to recognise: 8 kHz, mono. */
export interface SpokenAudio {
  readonly samples: Int16Array;
  /** BCP 47; absent: the language of the recogniser. */
  readonly language?: string | undefined;
  readonly hints: readonly string[];
}

/** The words of an utterance that are known about it before its audio. */
export type RecognitionRequest = Omit<SpokenAudio, 'samples'>;

/** One utterance that is recognised while it is spoken. */
export interface LiveRecognition {
  /** 8 kHz, mono. */
  push(samples: Int16Array): void;
  /** Nothing more is said; the answer is that of `Recogniser.recognise`. */
  end(signal: AbortSignal): Promise<Result<Recognition>>;
  /** The answer is not wanted any more. */
  cancel(): void;
}

/** A program or a service that turns speech into text. */
export interface Recogniser {
  readonly id: string;
  readonly languages: readonly string[] | undefined;
  /** Longest wait for its answer, ms. */
  readonly answerMs: number;
  /** A failure is one clause that says why. Throws when the signal is given, and when it cannot be reached. */
  recognise(audio: SpokenAudio, signal: AbortSignal): Promise<Result<Recognition>>;
  /** Begins with an utterance that is still spoken; `onPartial` tells its words so far. Absent: it takes whole ones alone. */
  begin?(request: RecognitionRequest, onPartial: (text: string) => void): Result<LiveRecognition>;
}

/** Chosen: no answer for an utterance is longer, bytes. */
export const LONGEST_ANSWER = 1 << 20;
export const TOO_LONG = 'it has answered more than 1 MB';
