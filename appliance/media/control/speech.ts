import type { RingMemory } from '../audio/index.ts';
import type { TranscriptLine } from '../recording/index.ts';

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

/** Names one transcript; given by whoever starts it, unique while it runs. */
export type TranscriptId = string;

export type TranscriptEvent =
  /** The words so far of the utterance that a channel speaks now; the next event of the channel replaces it. */
  | {
      readonly kind: 'partial';
      readonly channel: number;
      readonly offsetMs: number;
      readonly text: string;
    }
  | { readonly kind: 'line'; readonly line: TranscriptLine }
  /** An utterance that no recogniser has answered; `error` is a sentence for a person. */
  | { readonly kind: 'missed'; readonly channel: number; readonly error: string }
  /** The last event; it comes once. */
  | { readonly kind: 'ended' };

/** Speech to text, by a thread of its own. */
export interface SpeechListener {
  /** A recogniser is configured that transcribes recordings. */
  readonly transcribes: boolean;
  /** Every utterance of these rings, a ring for each channel of a recording; a tap fills them. */
  transcribe(
    setting: { readonly transcript: TranscriptId; readonly inputs: readonly RingMemory[] },
    onEvent: (event: TranscriptEvent) => void,
  ): void;
  /** Nothing more is said: what was said is still recognised, for 10 s at most, then it ends. */
  finish(transcript: TranscriptId): void;
  /** It is not wanted any more: no event follows. */
  drop(transcript: TranscriptId): void;
  /** Listens for one utterance in a ring that a tap fills. */
  start(
    setting: { readonly hearing: HearingId; readonly input: RingMemory; readonly request: SpeechRequest },
    onEvent: (event: SpeechEvent) => void,
  ): void;
  /** The result is not wanted any more: no event follows. */
  stop(hearing: HearingId): void;
  close(): Promise<void>;
}
