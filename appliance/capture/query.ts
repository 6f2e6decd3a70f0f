import { type CapturedSound, isoTime } from './capture-document.ts';
import type { CapturedMessage } from './message.ts';
import { sentFrameName } from './sent-frame.ts';

/** The messages to read: those of any of these keys, within these times (epoch ms). */
export interface CaptureQuery {
  readonly keys: readonly string[];
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** An entry of a trace, as far as the capture reads it. */
export interface TraceLine {
  readonly atMs: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** How far the ring reaches back. */
export interface RingState {
  /** Epoch ms; undefined: it is empty. */
  readonly oldestMs: number | undefined;
  /** Something was written over since the ring began. */
  readonly wrapped: boolean;
}

/** A transaction lasts 32 s (RFC 3261 17); what belongs to the begin or the end of a trace lies within it. */
const AROUND_MS = 35_000;
const MEDIA: ReadonlySet<string> = new Set([
  'toneHeard',
  'tonePlayed',
  'handshake',
  'mediaMeasured',
  'mediaEnded',
]);
const ADDRESSES: ReadonlySet<string> = new Set(['frameReceived']);

/** `Chosen:` so many conversations of one trace at most. */
const MOST_KEYS = 10_000;
/** `Chosen:` so many tones and figures of audio at most: a long call loses the middle of them. */
const MOST_SOUNDS = 20_000;

/**
 * Takes from a trace, step by step, the keys and the times of its messages (Call-IDs, the panel that sent a frame, the frames that
 * were sent, and the trace id itself, which callbacks carry), and what was heard. The other steps are not kept.
 */
export class TraceReading {
  readonly #keys: Set<string>;
  #fromMs = Number.POSITIVE_INFINITY;
  #toMs = Number.NEGATIVE_INFINITY;
  readonly #first: TraceLine[] = [];
  #last: TraceLine[] = [];
  #isCut = false;

  constructor(traceId: string) {
    this.#keys = new Set([traceId]);
  }

  add(line: TraceLine): void {
    const { atMs, kind, detail } = line;
    this.#fromMs = Math.min(this.#fromMs, atMs);
    this.#toMs = Math.max(this.#toMs, atMs);
    if (MEDIA.has(kind)) this.#hear(line);
    const { callId, source, destination, sequence } = detail;
    if (typeof destination === 'string' && typeof sequence === 'string')
      this.#find(sentFrameName(destination, sequence));
    if (typeof callId === 'string' && callId !== '') this.#find(callId);
    if (ADDRESSES.has(kind) && typeof source === 'string') this.#find(source);
  }

  /** Some steps cannot be read. */
  miss(): void {
    this.#isCut = true;
  }

  /** More was found than is kept, or steps could not be read. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get query(): CaptureQuery {
    const keys = [...this.#keys];
    return this.#fromMs > this.#toMs
      ? { keys }
      : { keys, fromMs: this.#fromMs - AROUND_MS, toMs: this.#toMs + AROUND_MS };
  }

  /** Digits with their level, and what the audio of each leg went through, in the order of time. */
  get sounds(): CapturedSound[] {
    return [...this.#first, ...this.#last.slice(-MOST_SOUNDS / 2)]
      .sort((a, b) => a.atMs - b.atMs)
      .map(({ atMs, kind, detail }) => ({ at: isoTime(atMs), kind, detail }));
  }

  #find(key: string): void {
    if (this.#keys.size < MOST_KEYS || this.#keys.has(key)) this.#keys.add(key);
    else this.#isCut = true;
  }

  #hear(line: TraceLine): void {
    if (this.#first.length < MOST_SOUNDS / 2) {
      this.#first.push(line);
      return;
    }
    this.#last.push(line);
    if (this.#last.length > MOST_SOUNDS / 2) this.#isCut = true;
    // Seldom: it copies half of the list.
    if (this.#last.length >= MOST_SOUNDS) this.#last = this.#last.slice(-MOST_SOUNDS / 2);
  }
}

/**
 * Whether messages of the wanted time may have been written over. Without a begin the oldest message that was found decides: a
 * conversation that starts where the ring starts may have begun before.
 */
export function isOverwritten(
  { oldestMs, wrapped }: RingState,
  begunMs: number | undefined,
  found: readonly CapturedMessage[],
): boolean {
  if (!wrapped || oldestMs === undefined) return false;
  if (begunMs !== undefined) return begunMs < oldestMs;
  const first = found[0];
  return first === undefined || first.atMs - oldestMs < AROUND_MS;
}
