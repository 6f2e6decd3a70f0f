import type { DigitRelay } from '../../control/index.ts';
import { type DigitSource, EVENT_DIGITS, type HeldTone } from '../../dtmf/index.ts';
import type { EventSender } from '../../rtp/index.ts';

/** Between two relayed digits at least this much is quiet. */
const PAUSE_MS = 40;

/** The side that gets the digits. */
export interface RelayTarget {
  readonly held: HeldTone;
  readonly events: EventSender;
  readonly eventDigits: string;
}

/** A digit that begins or ends, from wherever it was heard. */
export interface RelayedDigit {
  readonly kind: 'begin' | 'end';
  readonly digit: string;
  readonly source: DigitSource;
  /** At the end. */
  readonly durationMs?: number;
}

/** Whether tones in the audio are to be heard and taken out of it. @param events the other side takes telephone-events */
export const takesTones = (as: DigitRelay['as'], events: boolean): boolean =>
  as === 'none' || (as === 'rfc4733' && events);

/**
 * Passes digits on with their measured length: pressed when the digit begins, released when its length is known.
 *
 * ```
 *   as            heard by event                   heard in band
 *   transparent   event, or tone without events    passes in the audio
 *   inband        tone                             passes in the audio
 *   rfc4733       event, or tone without events    event (the tone is muted); in the audio without events
 *   none          nothing                          nothing (the tone is muted)
 * ```
 */
export class DigitPassing {
  readonly #as: DigitRelay['as'];
  readonly #target: RelayTarget;
  /** The form in which the sounding digit is passed. */
  #telling: 'event' | 'tone' | null = null;

  constructor(as: DigitRelay['as'], target: RelayTarget) {
    this.#as = as;
    this.#target = target;
  }

  get takesTones(): boolean {
    return takesTones(this.#as, this.#target.eventDigits !== '');
  }

  /** Events do not pass as they come. */
  get changesEvents(): boolean {
    return this.#as === 'inband' || this.#as === 'none';
  }

  edge(edge: RelayedDigit): void {
    if (edge.kind === 'begin') this.#begin(edge);
    else this.#release(edge.durationMs ?? 0);
  }

  /** The connection ends: nothing keeps sounding. */
  end(): void {
    this.#release(0);
  }

  #begin({ digit, source }: RelayedDigit): void {
    if (this.#as === 'none' || (source === 'inband' && !this.takesTones)) return;
    this.#release(0);
    const { events, eventDigits, held } = this.#target;
    if (this.#as !== 'inband' && eventDigits.includes(digit)) {
      this.#telling = 'event';
      events.press(EVENT_DIGITS.indexOf(digit), PAUSE_MS);
    } else if (source === 'event') {
      this.#telling = 'tone';
      held.press(digit, PAUSE_MS);
    }
  }

  #release(durationMs: number): void {
    if (this.#telling === 'event') this.#target.events.release(durationMs);
    if (this.#telling === 'tone') this.#target.held.release(durationMs);
    this.#telling = null;
  }
}
