import type { Voice } from '../../media/prompt/index.ts';

/** One utterance. */
export interface Utterance {
  readonly text: string;
  readonly voice: Voice;
  /** 1 is the usual speed. */
  readonly rate: number;
  /** The text is SSML; only for providers that read it. */
  readonly ssml: boolean;
}

/** A piece of speech: mono, 16 bits. */
export interface SpokenPiece {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

/** A speech engine. Text reaches it by a pipe, a file or a request body: never by a shell or an argument. */
export interface TtsProvider {
  readonly id: string;
  readonly voices: readonly Voice[];
  /** Reads SSML itself; from others' text the markup is taken away. */
  readonly readsSsml: boolean;
  /** Speech as it is made. Throws one sentence when it cannot, and ends early when the signal is given. */
  speak(utterance: Utterance, signal: AbortSignal): AsyncIterable<SpokenPiece>;
}
