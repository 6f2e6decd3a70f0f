import { FRAME_SAMPLES, factorOf, type RingMemory, RingReader, SAMPLE_RATE } from '../../audio/index.ts';
import type { DigitMode, Phrase, PreparedPrompt } from '../../control/index.ts';
import { dtmf, EVENT_DIGITS, ToneGenerator, type ToneSegment } from '../../dtmf/index.ts';
import type { EventSender } from '../../rtp/index.ts';

const samplesOf = (ms: number): number => Math.max(0, Math.round((ms * SAMPLE_RATE) / 1_000));

/** The part of its leg that a player needs. */
export interface PlayOutlet {
  readonly events: EventSender;
  /** Digits that may be sent as events now; empty without telephone-event. */
  readonly eventDigits: () => string;
}

/** One rendition of a phrase: gives its samples until they are over. */
export interface Rendition {
  /** Samples left; infinite while it is not known. */
  readonly left: number;
  /** Nothing can be given now, more will come. */
  readonly waiting: boolean;
  /** Writes up to `count` samples at `at`; answers how many. */
  read(out: Int16Array, at: number, count: number): number;
}

/** Prepared audio: a cursor. */
export class PromptRendition implements Rendition {
  readonly waiting = false;
  readonly alaw: Uint8Array;
  readonly ulaw: Uint8Array;
  /** Where the next sample is. */
  at = 0;
  readonly #pcm: Int16Array;

  constructor({ samples, pcm, alaw, ulaw }: PreparedPrompt) {
    this.#pcm = new Int16Array(pcm, 0, samples);
    this.alaw = new Uint8Array(alaw);
    this.ulaw = new Uint8Array(ulaw);
  }

  get left(): number {
    return this.#pcm.length - this.at;
  }

  /** Whether a whole frame of ready-made bytes lies ahead. */
  get hasReadyFrame(): boolean {
    const end = this.at + FRAME_SAMPLES;
    return end <= this.#pcm.length && end <= this.alaw.length && end <= this.ulaw.length;
  }

  read(out: Int16Array, at: number, count: number): number {
    const taken = Math.min(count, this.left);
    for (let i = 0; i < taken; i++) out[at + i] = this.#pcm[this.at + i] ?? 0;
    this.at += taken;
    return taken;
  }
}

/** Tones, made while they are played. */
class ToneRendition implements Rendition {
  readonly waiting = false;
  left: number;
  readonly #generator: ToneGenerator;

  constructor(segments: readonly ToneSegment[]) {
    this.#generator = new ToneGenerator(segments);
    this.left = samplesOf(segments.reduce((sum, { ms }) => sum + Math.max(0, ms), 0));
  }

  read(out: Int16Array, at: number, count: number): number {
    const taken = Math.min(count, this.left);
    this.left -= taken;
    if (taken > 0) this.#generator.pull(taken === out.length ? out : out.subarray(at, at + taken));
    return taken;
  }
}

/** The frames of a ring, one a tick, while another thread fills it. */
export class LiveRendition implements Rendition {
  readonly waiting = false;
  readonly left = Number.POSITIVE_INFINITY;
  readonly #ring: RingReader;
  readonly #frame = new Int16Array(FRAME_SAMPLES);

  constructor(memory: RingMemory) {
    this.#ring = new RingReader(memory);
  }

  /** Nothing lies in the ring. */
  get isQuiet(): boolean {
    return this.#ring.waiting === 0;
  }

  /** A phrase before it may end inside a frame: the first frame of the ring then waits for the next tick. */
  read(out: Int16Array, at: number, count: number): number {
    if (count < FRAME_SAMPLES || this.#ring.read(this.#frame) === undefined) out.fill(0, at, at + count);
    else out.set(this.#frame, at);
    return count;
  }
}

export class SilenceRendition implements Rendition {
  readonly waiting = false;
  left: number;

  constructor(ms: number) {
    this.left = samplesOf(ms);
  }

  read(out: Int16Array, at: number, count: number): number {
    const taken = Math.min(count, this.left);
    out.fill(0, at, at + taken);
    this.left -= taken;
    return taken;
  }
}

/** Digits as events: no sample of its own, the leg sends events until they are over. */
class EventRendition implements Rendition {
  readonly left = 0;
  readonly #events: EventSender;

  constructor(digits: string, onMs: number, offMs: number, events: EventSender) {
    this.#events = events;
    for (const digit of digits) events.queue(EVENT_DIGITS.indexOf(digit), onMs, offMs);
  }

  get waiting(): boolean {
    return !this.#events.idle;
  }

  read(): number {
    return 0;
  }
}

/** Gives one rendition of a phrase, `awaited` ones apart; null: it cannot be played. */
export function renditionOf(phrase: Phrase, mode: DigitMode, outlet: PlayOutlet): Rendition | null {
  switch (phrase.kind) {
    case 'prompt':
      return promptRendition(phrase.prompt);
    case 'awaited':
      return null;
    case 'tone':
      return new ToneRendition(phrase.segments);
    case 'silence':
      return new SilenceRendition(phrase.ms);
    case 'live':
      return new LiveRendition(phrase.ring);
    case 'digits': {
      const { onMs, offMs } = phrase;
      const digits = phrase.digits.toUpperCase();
      if (mode !== 'inband' && areEvents(digits, outlet.eventDigits())) {
        return new EventRendition(digits, onMs, offMs, outlet.events);
      }
      const segments = dtmf(digits, { onMs, offMs });
      return segments.ok && mode !== 'rfc4733' ? new ToneRendition(segments.value) : null;
    }
  }
}

export const promptRendition = (prompt: PreparedPrompt): Rendition | null =>
  prompt.pcm.byteLength < prompt.samples * Int16Array.BYTES_PER_ELEMENT ? null : new PromptRendition(prompt);

/** Whether every digit may be sent as an event. */
export const areEvents = (digits: string, taken: string): boolean =>
  taken !== '' && [...digits].every((digit) => taken.includes(digit));

/** Factor of a phrase's volume. */
export const volumeOf = ({ volumeDb }: Phrase): number => (volumeDb === undefined ? 1 : factorOf(volumeDb));
