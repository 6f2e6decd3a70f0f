/** A digit of the device, heard to its end. Times are ms of the call. */
export interface ToneHeard {
  /** 0-9, A-D, `*` or `#`. */
  readonly digit: string;
  readonly startMs: number;
  readonly ms: number;
  /** Out of the audio, or an RFC 4733 event. */
  readonly source: 'inaudio' | '2833';
}

/** Something to play: DTMF digits, one DTMF digit, one frequency, silence, or row and column tones in turn. */
export type Tone =
  | { readonly digits: string; readonly onMs: number; readonly offMs: number }
  | { readonly digit: string; readonly ms: number }
  | { readonly hz: number; readonly ms: number }
  | { readonly silenceMs: number }
  | { readonly stmf: true; readonly digits: string };

/** Row tone, gap, column tone, gap (TT92). */
const STMF_DIGIT_MS = 160;

/** How long tones take to play. */
export const lengthMs = (tones: readonly Tone[]): number =>
  tones.reduce((sum, tone) => sum + oneLengthMs(tone), 0);

function oneLengthMs(tone: Tone): number {
  if ('silenceMs' in tone) return tone.silenceMs;
  if ('stmf' in tone) return tone.digits.length * STMF_DIGIT_MS;
  if ('digits' in tone) return tone.digits.length * (tone.onMs + tone.offMs);
  return tone.ms;
}
