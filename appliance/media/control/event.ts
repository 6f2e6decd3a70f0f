import type { AnswerSign } from '../answer/index.ts';
import type { ConferenceId, LegId, MediaWindows, PlayId } from './leg.ts';
import type { PhraseResult } from './play.ts';

/**
 * Sign of life of a peer without audio: its last packet was comfort noise (RFC 3389 4: a sender may then stay silent), or its reports
 * still come (RFC 3550 6.3.5).
 */
export type SignOfLife = 'comfortNoise' | 'reports';

/** `atMs`: time of the leg's own stream since it was opened, ms; edges of tones are dated back to where they were. */
export type MediaEvent =
  | {
      readonly kind: 'digit';
      readonly leg: LegId;
      readonly digit: string;
      readonly edge: 'begin' | 'end';
      readonly source: 'rfc4733' | 'inband';
      readonly atMs: number;
      /** At `end`. */
      readonly durationMs?: number;
      /** In band: level of the louder tone, dBm0, and high minus low, dB. */
      readonly levelDbm0?: number;
      readonly twistDb?: number;
      /** In band: what lay beside the two tones, dBm0. */
      readonly noiseDbm0?: number;
      /**
       * In sequential tones; `half`: one tone of it was heard, and the digit is `?`; `filled`: none was, but its time passed between two
       * others, so that it is the first of them again.
       */
      readonly stmf?: 'heard' | 'half' | 'filled';
    }
  | {
      readonly kind: 'tone';
      readonly leg: LegId;
      readonly frequencyHz: number;
      readonly edge: 'begin' | 'end';
      readonly atMs: number;
      readonly durationMs?: number;
      readonly levelDbm0?: number;
    }
  /** A sign of the party that has answered, where `Listening.answer` asks for it. */
  | { readonly kind: 'answerSign'; readonly leg: LegId; readonly sign: AnswerSign; readonly atMs: number }
  /**
   * A device that says an alarm has been quiet for so long since the end (`atMs`) of a digit in band: from 90 ms on, certain, and sooner
   * than by the detector. It is reported again while it lasts, up to 260 ms; it is not reported where frames are missing or
   * noise is loud.
   */
  | { readonly kind: 'pause'; readonly leg: LegId; readonly atMs: number; readonly forMs: number }
  /** A telephone-event that is no digit (RFC 4733: 16 is flash), when it is over. */
  | {
      readonly kind: 'signal';
      readonly leg: LegId;
      readonly code: number;
      readonly atMs: number;
      readonly durationMs: number;
    }
  /** Everything of one `play` has been heard, was stopped, or failed. */
  | {
      readonly kind: 'played';
      readonly leg: LegId;
      readonly play: PlayId;
      readonly results: readonly PhraseResult[];
    }
  /** The last pause of `sendDigits` is over, or it was stopped. */
  | { readonly kind: 'digitsSent'; readonly leg: LegId; readonly play: PlayId }
  /** The first packet of the peer was taken. */
  | { readonly kind: 'rtpStarted'; readonly leg: LegId }
  /** No valid packet for 10 s although the leg should receive. `aliveBy`: the peer may well live. */
  | { readonly kind: 'rtpTimeout'; readonly leg: LegId; readonly aliveBy?: SignOfLife }
  /** The reports that `aliveBy` named have stopped, too. */
  | { readonly kind: 'reportsEnded'; readonly leg: LegId }
  | { readonly kind: 'rtpResumed'; readonly leg: LegId }
  | { readonly kind: 'ssrcChange'; readonly leg: LegId }
  /** Packets come that cannot be authenticated. */
  | { readonly kind: 'srtpFailed'; readonly leg: LegId }
  /** Once a minute; what is left at the end of the leg stands in its statistics. */
  | { readonly kind: 'measured'; readonly leg: LegId; readonly windows: MediaWindows }
  /** The peer has said nothing above −40 dBm0 for as long as was asked. */
  | { readonly kind: 'silence'; readonly leg: LegId; readonly forMs: number }
  /** This worker is late, for whatever reason; a warning. Over when it has been in time for 10 s. */
  | { readonly kind: 'late'; readonly worker: number; readonly on: boolean }
  /** The load of this worker is its own and too much: it takes no new ordinary legs until there is room again. */
  | { readonly kind: 'overload'; readonly worker: number; readonly on: boolean }
  /** A worker died: these are lost. */
  | {
      readonly kind: 'lost';
      readonly worker: number;
      readonly legs: readonly LegId[];
      readonly conferences: readonly ConferenceId[];
    };
