import { type BatchClock, type BootNote, MOST_BOOTS } from '#shared/contract/feed/index.ts';

/**
 * Time of a host that may have none (control plane 8). Order within a host never comes from here: it is by boot and seq.
 */

/** Largest error that the answer of a receiver may correct. */
const MOST_OFFSET_MS = 600_000;
/** The Date header counts whole seconds: a smaller difference says nothing. */
const LEAST_OFFSET_MS = 2_000;
/** An answer that took longer says too little about now. */
const LONGEST_ANSWER_MS = 5_000;

/**
 * The time to set at the start; undefined = the clock may be right. `lastGoodMs` is what was last known to have been
 * reached: a clock behind it stood still with the power, and TLS would take every certificate for one of the future. One that
 * has a source is right, whatever was kept: then the clock was ahead once.
 */
export const clockAtStart = (
  wallMs: number,
  lastGoodMs: number | undefined,
  synchronised: boolean | undefined,
): number | undefined =>
  synchronised !== true && lastGoodMs !== undefined && wallMs < lastGoodMs ? lastGoodMs : undefined;

/** Wall times of a request and its answer by our own clock, and the answer's `Date` header. */
export interface Dated {
  readonly date: string | undefined;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/**
 * Milliseconds to add to our clock for what others check (JWTs), from an HTTP `Date` header (RFC 9110 6.6.1). Undefined
 * when it says nothing: no date, a slow answer, or more than ±10 min, which may be the receiver's own fault.
 */
export function offsetOf({ date, sentMs, receivedMs }: Dated): number | undefined {
  const theirsMs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirsMs) || receivedMs - sentMs > LONGEST_ANSWER_MS) return undefined;
  // The header was cut down to the second.
  const offsetMs = theirsMs + 500 - (sentMs + receivedMs) / 2;
  if (Math.abs(offsetMs) > MOST_OFFSET_MS) return undefined;
  return Math.abs(offsetMs) < LEAST_OFFSET_MS ? 0 : Math.round(offsetMs);
}

/**
 * The boots of this machine with now. A record from a boot before its clock was right got its wall time from a clock that may
 * have shown any time, and gets the right one from that moment. The same array when nothing new is known.
 */
export function noteBoot(
  notes: readonly BootNote[],
  { boot, mono, ts }: { readonly boot: number; readonly mono: number; readonly ts: number },
  synchronised: boolean | undefined,
): readonly BootNote[] {
  const known = notes.find((note) => note.boot === boot);
  const right = synchronised === true ? { mono, ts } : undefined;
  if (known === undefined) return [...notes, { boot, from: mono, right }].slice(-MOST_BOOTS);
  if (known.right !== undefined || right === undefined) return notes;
  return notes.map((note) => (note.boot === boot ? { ...note, right } : note));
}

/** The clock as batches of events carry it. */
export const batchClock = (
  notes: readonly BootNote[],
  boot: number,
  synchronised: boolean | undefined,
): Pick<BatchClock, 'from' | 'sync' | 'pairs'> => ({
  from: notes.find((note) => note.boot === boot)?.from ?? 0,
  ...(synchronised !== undefined && { sync: synchronised }),
  pairs: notes.flatMap(({ right, ...note }) => (right === undefined ? [] : [{ ...note, ...right }])),
});

/** The knowledge of this host about its own time. */
export interface ClockState {
  /** Undefined: unknown. */
  readonly synchronised: boolean | undefined;
  /** ms to add for what others check; counts only while the clock has no source. */
  readonly offsetMs: number;
}

export const unknownClock: ClockState = { synchronised: undefined, offsetMs: 0 };

export type ClockInput =
  | { readonly kind: 'source'; readonly synchronised: boolean | undefined }
  | ({ readonly kind: 'answer' } & Dated);

export function stepClock(state: ClockState, input: ClockInput): ClockState {
  if (input.kind === 'source') {
    const offsetMs = input.synchronised === true ? 0 : state.offsetMs;
    return { synchronised: input.synchronised, offsetMs };
  }
  // A clock with a source is believed, whatever a receiver thinks of the time.
  if (state.synchronised !== false) return state;
  const offsetMs = offsetOf(input);
  return offsetMs === undefined || Math.abs(offsetMs - state.offsetMs) < LEAST_OFFSET_MS
    ? state
    : { ...state, offsetMs };
}
