/** A digit of the device, heard to its end. Times are ms of the call. */
export interface ReceivedTone {
  /** 0-9, A-D, `*` or `#`; `?` when half of it was heard. */
  readonly digit: string;
  readonly startMs: number;
  readonly ms: number;
  /** Out of the audio, or an RFC 4733 event. */
  readonly source: 'inaudio' | '2833';
  /**
   * Said in sequential tones; `half`: one of the two was heard; `filled`: none was, but its time passed between two others, so that it
   * is the first of them again.
   */
  readonly stmf?: 'heard' | 'half' | 'filled';
}

/** Times of a digit in sequential tones, ms: row tone, pause, column tone; and from one digit to the next. */
export interface StmfTimes {
  readonly rowMs: number;
  readonly gapMs: number;
  readonly columnMs: number;
  readonly digitMs: number;
}

/** Something to play: DTMF digits, one DTMF digit, one frequency, silence, or row and column tones in turn. */
export type Tone =
  | { readonly digits: string; readonly onMs: number; readonly offMs: number }
  | { readonly digit: string; readonly ms: number }
  | { readonly hz: number; readonly ms: number }
  | { readonly silenceMs: number }
  /** `times`: absent = as `STMF_TIMES`. */
  | { readonly stmf: true; readonly digits: string; readonly times?: StmfTimes };

/** TT92. */
export const STMF_TIMES: StmfTimes = { rowMs: 75, gapMs: 5, columnMs: 75, digitMs: 160 };

/** How long tones take to play. */
export const lengthMs = (tones: readonly Tone[]): number =>
  tones.reduce((sum, tone) => sum + oneLengthMs(tone), 0);

function oneLengthMs(tone: Tone): number {
  if ('silenceMs' in tone) return tone.silenceMs;
  if ('stmf' in tone) return tone.digits.length * (tone.times ?? STMF_TIMES).digitMs;
  if ('digits' in tone) return tone.digits.length * (tone.onMs + tone.offMs);
  return tone.ms;
}
