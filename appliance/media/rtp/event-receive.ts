import { SAMPLE_RATE } from '../audio/index.ts';
import { LONGEST_SEGMENT, type TelephoneEvent } from './telephone-event.ts';

const MISSED_PACKETS = 3;
const LEAST_INTERVAL_MS = 10;
const MOST_INTERVAL_MS = 50;
const USUAL_INTERVAL_MS = 20;
/** Chosen: packets may come this much late without being called missing. */
const JITTER_MS = 40;
/** Finished events whose late packets are still recognised. */
const REMEMBERED = 8;

/** What a peer signalled. Times are those given to `push` and `tick`; `code` 0 … 15 are digits. */
export type EventHeard =
  | { readonly kind: 'begin'; readonly code: number; readonly startMs: number }
  | {
      readonly kind: 'end';
      readonly code: number;
      readonly startMs: number;
      readonly durationMs: number;
      /** By its end packet; by silence, when the end packets were lost; by the next event. */
      readonly by: 'end' | 'silence' | 'next';
    };

interface Current {
  readonly ssrc: number;
  readonly code: number;
  readonly startMs: number;
  timestamp: number;
  /** Units of closed segments before the running one. */
  closed: number;
  duration: number;
  lastMs: number;
  intervalMs: number;
}

/**
 * Receives telephone-events (RFC 4733, 2.5.2): packets in, one begin and one end per event out.
 *
 * ```
 *   packets    160 M  320   (lost)  640 E  640 E  640 E        an event is SSRC, timestamp, code
 *   out        begin                end 80 ms
 *
 *   none --packet--> sounding --E, or three packets missing, or another event--> none
 *                    sounding --timestamp + 65,535, same code: next segment of the same event--> sounding
 *   packets of an event that ended are ignored; older than the current one: ignored
 * ```
 * Marker and first packets are not needed. The largest duration counts. Same digit, new timestamp: a second digit.
 */
export class EventReceiver {
  readonly #heard: (event: EventHeard) => void;
  readonly #finished: { ssrc: number; timestamp: number; code: number }[] = [];
  #current: Current | null = null;

  constructor(heard: (event: EventHeard) => void) {
    this.#heard = heard;
  }

  /** Whether an event sounds now. */
  get sounding(): boolean {
    return this.#current !== null;
  }

  /** One packet of the negotiated payload type that arrived at `nowMs`. */
  push(ssrc: number, timestamp: number, event: TelephoneEvent, nowMs: number): void {
    const current = this.#current;
    if (current !== null && isPartOf(current, ssrc, timestamp, event)) {
      if (timestamp !== current.timestamp) this.#nextSegment(current, timestamp);
      this.#continue(current, event, nowMs);
      return;
    }
    if (this.#isFinished(ssrc, timestamp, event.event)) return;
    if (current !== null) {
      const isOlder = current.ssrc === ssrc && ((timestamp - current.timestamp) | 0) < 0;
      if (isOlder) return;
      this.#finish(current, 'next');
    }
    this.#begin(ssrc, timestamp, event, nowMs);
  }

  /** Looks whether packets stay out. To be called every tick. */
  tick(nowMs: number): void {
    const current = this.#current;
    if (current === null) return;
    const patience = MISSED_PACKETS * current.intervalMs + JITTER_MS;
    if (nowMs - current.lastMs >= patience) this.#finish(current, 'silence');
  }

  /** The stream ended or telephone-event is no longer negotiated. */
  stop(): void {
    if (this.#current !== null) this.#finish(this.#current, 'silence');
  }

  #begin(ssrc: number, timestamp: number, event: TelephoneEvent, nowMs: number): void {
    const current: Current = {
      ssrc,
      code: event.event,
      // The first packets may be lost: the duration says how long ago it began.
      startMs: nowMs - msOf(event.duration),
      timestamp,
      closed: 0,
      duration: event.duration,
      lastMs: nowMs,
      intervalMs: USUAL_INTERVAL_MS,
    };
    this.#current = current;
    this.#heard({ kind: 'begin', code: current.code, startMs: current.startMs });
    if (event.end) this.#finish(current, 'end');
  }

  #continue(current: Current, event: TelephoneEvent, nowMs: number): void {
    const step = msOf(event.duration - current.duration);
    if (step > 0 && step <= MOST_INTERVAL_MS) current.intervalMs = Math.max(LEAST_INTERVAL_MS, step);
    current.duration = Math.max(current.duration, event.duration);
    current.lastMs = nowMs;
    if (event.end) this.#finish(current, 'end');
  }

  #nextSegment(current: Current, timestamp: number): void {
    this.#remember(current);
    current.closed += LONGEST_SEGMENT;
    current.timestamp = timestamp;
    current.duration = 0;
  }

  #finish(current: Current, by: 'end' | 'silence' | 'next'): void {
    this.#remember(current);
    this.#current = null;
    const durationMs = msOf(current.closed + current.duration);
    this.#heard({ kind: 'end', code: current.code, startMs: current.startMs, durationMs, by });
  }

  #remember({ ssrc, timestamp, code }: Current): void {
    this.#finished.push({ ssrc, timestamp, code });
    if (this.#finished.length > REMEMBERED) this.#finished.shift();
  }

  #isFinished(ssrc: number, timestamp: number, code: number): boolean {
    return this.#finished.some(
      (one) => one.ssrc === ssrc && one.timestamp === timestamp && one.code === code,
    );
  }
}

/** The same event, or its next segment when it is longer than one duration field can say (2.5.1.3). */
const isPartOf = (current: Current, ssrc: number, timestamp: number, event: TelephoneEvent): boolean =>
  ssrc === current.ssrc &&
  event.event === current.code &&
  (timestamp === current.timestamp || timestamp === (current.timestamp + LONGEST_SEGMENT) >>> 0);

const msOf = (units: number): number => (units * 1_000) / SAMPLE_RATE;
