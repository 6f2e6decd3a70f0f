import type { RingMemory } from '../audio/index.ts';
import type { ToneSegment } from '../dtmf/index.ts';

/** A prompt in memory that every thread can read: decoded once, 8 kHz mono. */
export interface PreparedPrompt {
  readonly samples: number;
  /** Int16, `samples` of them. */
  readonly pcm: SharedArrayBuffer;
  /** The same as A-law and mu-law, a byte each. */
  readonly alaw: SharedArrayBuffer;
  readonly ulaw: SharedArrayBuffer;
}

/** One piece of what plays. */
export type Phrase = {
  /** How often it is heard in all; default 1. */
  readonly repeat?: number;
  /** ms of silence between repeats. */
  readonly repeatPauseMs?: number;
  /** dB, negative is softer. */
  readonly volumeDb?: number;
} & (
  | { readonly kind: 'prompt'; readonly prompt: PreparedPrompt }
  /** Comes later by `supply`, under this name; silence until then. */
  | { readonly kind: 'awaited'; readonly name: string }
  /** Tones exact to the sample (`dtmf`, `stmf`, `tone`, `cadence` of `media/dtmf`). */
  | { readonly kind: 'tone'; readonly segments: readonly ToneSegment[] }
  | { readonly kind: 'silence'; readonly ms: number }
  /** Frames of a program that speaks now, until it is stopped; the other audio is heard while the ring is empty. */
  | { readonly kind: 'live'; readonly ring: RingMemory }
  /** As RFC 4733 events where agreed, else in band. */
  | { readonly kind: 'digits'; readonly digits: string; readonly onMs: number; readonly offMs: number }
);

export interface PlayPlan {
  readonly phrases: readonly Phrase[];
  /** Begin again after the last phrase until stopped, with this pause between. */
  readonly loop?: { readonly pauseMs: number };
  /**
   * `instead`: what the peer would hear else is not heard meanwhile (prompts, ringback, hold music).
   * `mixed`: added to it.
   * `beneath`: as `instead`, but beneath every other play of the leg: added to it, softer by `duckingDb`.
   */
  readonly over: 'instead' | 'mixed' | 'beneath';
  /** Default 12. */
  readonly duckingDb?: number;
  /** Several legs hear the same: recordings and monitors take it from the one play that is not shared. */
  readonly shared?: true;
}

export type PhraseResult = 'completed' | 'interrupted' | 'error';

export type DigitMode = 'rfc4733' | 'inband' | 'auto';

export interface DigitSending {
  readonly digits: string;
  readonly mode: DigitMode;
  readonly onMs: number;
  readonly offMs: number;
}
