/** Where a digit was found: in a telephone-event (RFC 4733) or in the audio. */
export type DigitSource = 'event' | 'inband';

/** A digit from one source; times of one clock for both. */
export type DigitEdge =
  | { readonly kind: 'begin'; readonly digit: string; readonly startMs: number }
  | {
      readonly kind: 'end';
      readonly digit: string;
      readonly startMs: number;
      readonly durationMs: number;
      /** In band only: what the detector measured. */
      readonly lowDbm0?: number;
      readonly highDbm0?: number;
      readonly noiseDbm0?: number;
    };

/** A digit as it is handed on: once, whoever heard it. */
export type MergedDigit = DigitEdge & { readonly source: DigitSource };

/** In-band hits this near to an event are the same key, heard twice. */
const SUPPRESS_MS = 100;

interface Held {
  readonly digit: string;
  readonly startMs: number;
  end: Extract<DigitEdge, { kind: 'end' }> | null;
  /** Handed on already. */
  isReported: boolean;
}

/**
 * One stream of digits from two detectors, when telephone-event is negotiated.
 *
 * ```
 *   event     ....[=== 5 ===]........      handed on at once
 *   in band   ..[= 5 =].......[= 7 =]      held 100 ms after its begin: near an event it is dropped, else handed on
 *                 |<100>|     |<100>|
 * ```
 * A gateway that notices late lets the beginning of a tone through and sends the rest as an event: when the in-band
 * digit was handed on already and the same one comes by event, both are one digit, from the first begin to the last end.
 * Two digits from the same source are never joined here. Without telephone-event the detector is the only source and
 * `negotiated` false passes everything through.
 */
export class DigitMerge {
  readonly #emit: (digit: MergedDigit) => void;
  #negotiated: boolean;
  #held: Held[] = [];
  /** The event that sounds, and where the last one ended. */
  #event: { readonly digit: string; readonly startMs: number } | null = null;
  #eventEndMs = Number.NEGATIVE_INFINITY;
  /** Begin of the in-band digit that the current event continues. */
  #joinedStartMs: number | null = null;

  constructor(negotiated: boolean, emit: (digit: MergedDigit) => void) {
    this.#negotiated = negotiated;
    this.#emit = emit;
  }

  /** A new session description: telephone-event came or went. A held digit is handed on when it went. */
  negotiate(negotiated: boolean): void {
    this.#negotiated = negotiated;
    if (negotiated) return;
    this.#event = null;
    this.#eventEndMs = Number.NEGATIVE_INFINITY;
    for (const held of this.#held) this.#tell(held);
    this.#held = this.#held.filter(({ end }) => end === null);
  }

  event(edge: DigitEdge): void {
    if (!this.#negotiated) return;
    if (edge.kind === 'begin') this.#beginEvent(edge.digit, edge.startMs);
    else this.#endEvent(edge);
  }

  inband(edge: DigitEdge): void {
    if (!this.#negotiated && this.#held.length === 0) {
      this.#emit({ ...edge, source: 'inband' });
    } else if (edge.kind === 'begin') {
      if (this.#isNearEvent(edge.startMs)) return;
      this.#held.push({ digit: edge.digit, startMs: edge.startMs, end: null, isReported: !this.#negotiated });
      if (!this.#negotiated) this.#emit({ ...edge, source: 'inband' });
    } else {
      this.#endInband(edge);
    }
  }

  /** Hands on what no event came near to. To be called every tick. */
  tick(nowMs: number): void {
    for (const held of this.#held) if (nowMs - held.startMs >= SUPPRESS_MS) this.#tell(held);
    this.#held = this.#held.filter(({ isReported, end }) => !isReported || end === null);
  }

  #beginEvent(digit: string, startMs: number): void {
    this.#event = { digit, startMs };
    this.#joinedStartMs = null;
    const before = this.#held;
    this.#held = [];
    for (const held of before) {
      const endMs = held.end === null ? Number.POSITIVE_INFINITY : held.startMs + held.end.durationMs;
      if (held.isReported && held.end === null) this.#yieldTo(held, digit, startMs);
      else if (!held.isReported && endMs < startMs - SUPPRESS_MS) this.#tell(held);
    }
    if (this.#joinedStartMs === null) this.#emit({ kind: 'begin', digit, startMs, source: 'event' });
  }

  /** An in-band digit still sounding, and reported already, when an event begins: the same key, or cut off by it. */
  #yieldTo(held: Held, digit: string, startMs: number): void {
    if (held.digit === digit) {
      this.#joinedStartMs = held.startMs;
      return;
    }
    const durationMs = Math.max(0, startMs - held.startMs);
    this.#emit({ kind: 'end', digit: held.digit, startMs: held.startMs, durationMs, source: 'inband' });
  }

  #endEvent(edge: Extract<DigitEdge, { kind: 'end' }>): void {
    const endMs = edge.startMs + edge.durationMs;
    this.#event = null;
    this.#eventEndMs = endMs;
    const startMs = this.#joinedStartMs ?? edge.startMs;
    this.#joinedStartMs = null;
    this.#emit({ ...edge, startMs, durationMs: endMs - startMs, source: 'event' });
  }

  #endInband(edge: Extract<DigitEdge, { kind: 'end' }>): void {
    const held = this.#held.find(({ digit, end }) => digit === edge.digit && end === null);
    if (held === undefined) return;
    if (held.isReported) {
      this.#emit({ ...edge, source: 'inband' });
      this.#held = this.#held.filter((one) => one !== held);
    } else held.end = edge;
  }

  #isNearEvent(startMs: number): boolean {
    if (this.#event !== null) return startMs >= this.#event.startMs - SUPPRESS_MS;
    return startMs - this.#eventEndMs < SUPPRESS_MS;
  }

  #tell(held: Held): void {
    if (!held.isReported)
      this.#emit({ kind: 'begin', digit: held.digit, startMs: held.startMs, source: 'inband' });
    if (!held.isReported && held.end !== null) this.#emit({ ...held.end, source: 'inband' });
    held.isReported = true;
  }
}
