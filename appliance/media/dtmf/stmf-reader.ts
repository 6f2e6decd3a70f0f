import { DIGITS, HIGH_HZ, LOW_HZ } from './digit.codes.ts';
import type { DetectedTone } from './tone-bank.ts';
import type { StmfTimes } from './tone-script.ts';

/** A digit in sequential tones. Times are of the stream, from its row tone to the end of its column tone. */
export type DetectedStmf =
  /** A row or column tone has begun: the line is not quiet. */
  | { readonly kind: 'sounds' }
  /** Its column tone has begun; an end follows. */
  | { readonly kind: 'begin'; readonly digit: string; readonly startMs: number }
  | {
      readonly kind: 'end';
      /** `?` when half of it was heard. */
      readonly digit: string;
      readonly startMs: number;
      readonly durationMs: number;
      /** `filled`: nothing of it was heard, and its time has passed: the digit before it again. */
      readonly how: 'heard' | 'half' | 'filled';
      /** Levels of `heard`. */
      readonly rowDbm0?: number;
      readonly columnDbm0?: number;
      readonly torn: boolean;
    };

/** Chosen: two frames that were lost, one behind the other, move an edge by 40 ms. */
const EDGE_MS = 45;
/** Chosen: between the two tones lie 5 ms, and what was lost of them. */
const LONGEST_GAP_MS = 45;
/** Chosen: as with DTMF. */
const MOST_TWIST_DB = 10;
/** A longer pause ends a string of TT92: nothing is missing from it. */
const STRING_PAUSE_MS = 230;
/** Chosen: a clock so far off is no clock. */
const SLOWEST = 1.5;
const FASTEST = 0.75;
/** No digit is said more often in a row. */
const MOST_REPEATS = 24;
const ROWS: readonly number[] = LOW_HZ;
const COLUMNS: readonly number[] = HIGH_HZ;

interface Row {
  readonly index: number;
  readonly startMs: number;
  endMs: number;
  levelDbm0: number;
  torn: boolean;
}

interface Said {
  readonly digit: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * From single tones to digits: a row tone, 5 ms, its column tone, a digit every 160 ms. Every tone is a change, so that equal digits
 * are heard each; the time shows the missing ones.
 *
 * ```
 *   D       #       1       1       ?       6       . . . . . .     6
 *   r---c---r---c---r---c---r---c---  --c---r---c---                r---c---
 *   `-------^ pace, then the mean of     |  `-- a column alone:     `-- a digit's time without a tone, at most one: `filled`
 *             all digits                 |      `half`
 * ```
 * A half is reported within a string only; outside one, single tones are speech. A column tone that goes on is its digit again.
 */
export class StmfReader {
  readonly #times: StmfTimes;
  readonly #emit: (event: DetectedStmf) => void;
  #row: Row | null = null;
  /** A digit whose column tone sounds. */
  #open: { readonly digit: string; readonly row: Row } | null = null;
  #last: Said | null = null;
  #firstMs = 0;
  #slots = 0;
  #paceMs: number;

  constructor(times: StmfTimes, emit: (event: DetectedStmf) => void) {
    this.#times = times;
    this.#emit = emit;
    this.#paceMs = times.digitMs;
  }

  /** The next tone of a bank that listens for the four rows and the four columns. */
  tone(event: DetectedTone): void {
    const row = ROWS.indexOf(event.hz);
    const column = COLUMNS.indexOf(event.hz);
    if (row < 0 && column < 0) return;
    if (event.kind === 'end') {
      if (row >= 0) this.#endRow(event);
      else this.#endColumn(event);
      return;
    }
    this.#emit({ kind: 'sounds' });
    if (row >= 0) this.#beginRow(row, event.startMs);
    else this.#beginColumn(column, event.startMs);
  }

  #beginRow(index: number, startMs: number): void {
    const before = this.#row;
    if (before !== null) {
      // Torn by a noise: it goes on.
      if (before.index === index && startMs - before.endMs <= LONGEST_GAP_MS) return;
      this.#half(before.startMs);
    }
    this.#row = { index, startMs, endMs: startMs, levelDbm0: 0, torn: false };
  }

  #endRow({ startMs, durationMs, levelDbm0, torn }: Extract<DetectedTone, { kind: 'end' }>): void {
    if (this.#row === null) return;
    this.#row.endMs = startMs + durationMs;
    this.#row.levelDbm0 = levelDbm0;
    this.#row.torn = torn;
  }

  #beginColumn(column: number, startMs: number): void {
    const row = this.#row;
    this.#row = null;
    this.#open = null;
    const half = this.#paceMs / 2;
    if (row === null) {
      if (!this.#goesOn(column, startMs)) this.#half(startMs - half);
      return;
    }
    if (!this.#belongs(row, startMs)) {
      this.#half(row.startMs);
      if (startMs - row.startMs > this.#paceMs) this.#half(startMs - half);
      return;
    }
    const digit = DIGITS[row.index * 4 + column] ?? '';
    this.#place(row.startMs);
    this.#open = { digit, row };
    this.#emit({ kind: 'begin', digit, startMs: row.startMs });
  }

  /** A column tone that a noise has torn: its digit was reported. */
  #goesOn(column: number, startMs: number): boolean {
    const last = this.#last;
    if (last === null || startMs - last.startMs >= this.#paceMs) return false;
    return DIGITS.indexOf(last.digit) % 4 === column;
  }

  #belongs(row: Row, startMs: number): boolean {
    const { rowMs, gapMs, digitMs } = this.#times;
    const dueMs = ((rowMs + gapMs) * this.#paceMs) / digitMs;
    const isInTime = Math.abs(startMs - row.startMs - dueMs) <= EDGE_MS;
    return isInTime && startMs - row.endMs <= LONGEST_GAP_MS;
  }

  #endColumn({ startMs, durationMs, levelDbm0, torn }: Extract<DetectedTone, { kind: 'end' }>): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { digit, row } = open;
    const endMs = startMs + durationMs;
    if (Math.abs(levelDbm0 - row.levelDbm0) > MOST_TWIST_DB) {
      const isFirst = !this.#isWithin(row.startMs);
      this.#end({ digit: '?', startMs: row.startMs, endMs }, 'half', torn);
      // No string begins with it.
      if (isFirst) this.#last = null;
      return;
    }
    const columnMs = (this.#times.columnMs * this.#paceMs) / this.#times.digitMs;
    const more = Math.round((durationMs - columnMs) / this.#paceMs);
    const repeats = Math.min(Math.max(0, more), MOST_REPEATS);
    const levels = { rowDbm0: row.levelDbm0, columnDbm0: levelDbm0 };
    for (let place = 0; place <= repeats; place++) {
      const from = row.startMs + place * this.#paceMs;
      const to = place < repeats ? from + this.#paceMs - this.#times.gapMs : endMs;
      this.#end({ digit, startMs: from, endMs: to }, 'heard', torn || row.torn, levels);
    }
    this.#slots += repeats;
  }

  /** One of the two tones of a digit that began then; outside a string it is a sound like any other. */
  #half(startMs: number): void {
    if (!this.#isWithin(startMs)) return;
    this.#place(startMs);
    const { digitMs, gapMs } = this.#times;
    this.#end({ digit: '?', startMs, endMs: startMs + digitMs - gapMs }, 'half', true);
  }

  /** Whether what begins then goes on with a string. */
  #isWithin(startMs: number): boolean {
    return this.#last !== null && startMs - this.#last.endMs <= STRING_PAUSE_MS;
  }

  /** A digit begins then: missing digits before it are reported, and the pace learned. */
  #place(startMs: number): void {
    const last = this.#last;
    if (last === null || !this.#isWithin(startMs)) {
      this.#firstMs = startMs;
      this.#slots = 0;
      this.#paceMs = this.#times.digitMs;
      return;
    }
    const steps = Math.max(1, Math.round((startMs - last.startMs) / this.#paceMs));
    for (let step = 1; step < steps; step++) {
      const movedMs = step * this.#paceMs;
      this.#end(
        { digit: last.digit, startMs: last.startMs + movedMs, endMs: last.endMs + movedMs },
        'filled',
        true,
      );
    }
    this.#slots += steps;
    const { digitMs } = this.#times;
    const meanMs = (startMs - this.#firstMs) / this.#slots;
    this.#paceMs = Math.min(Math.max(meanMs, digitMs * FASTEST), digitMs * SLOWEST);
  }

  #end(
    said: Said,
    how: 'heard' | 'half' | 'filled',
    torn: boolean,
    levels: { readonly rowDbm0?: number; readonly columnDbm0?: number } = {},
  ): void {
    this.#last = said;
    const { digit, startMs, endMs } = said;
    this.#emit({ kind: 'end', digit, startMs, durationMs: endMs - startMs, how, torn, ...levels });
  }
}
