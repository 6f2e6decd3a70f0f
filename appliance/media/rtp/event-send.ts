import { FRAME_SAMPLES, SAMPLE_RATE } from '../audio/index.ts';
import { LONGEST_SEGMENT, type TelephoneEvent } from './telephone-event.ts';

const END_PACKETS = 3;
const VOLUME = 10;
const unitsOf = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1_000);

/** One packet to send now: `timestamp` of the event, not of the tick. */
export type SendEvent = (event: TelephoneEvent, timestamp: number, marker: boolean) => void;

/** The action of a tick: an event goes out instead of audio, a pause between digits (silence goes out), or nothing to do. */
export type EventTick = 'event' | 'pause' | 'idle';

interface Queued {
  readonly event: number;
  /** Infinity until `release`. */
  duration: number;
  readonly pause: number;
}

/**
 * Sends telephone-events (RFC 4733, 2.5.1), a packet per tick of 20 ms in place of audio.
 *
 * ```
 *   tick        0      1      2      3      4      5      6      7      8
 *   digit 80/80 160 M  320    480    640 E  640 E  640 E  pause  pause  next digit: new timestamp, M
 *
 *   idle --queued--> sounding --duration reached--> ending (E three times) --pause over--> sounding or idle
 * ```
 * Every packet of an event carries the timestamp of its start. Beyond 65,535 units a segment is closed without E and
 * the next one's timestamp continues where it ended (2.5.1.3). When the pause is shorter than the end packets need,
 * the rest of them goes out with the next digit.
 */
export class EventSender {
  readonly #send: SendEvent;
  readonly #queue: Queued[] = [];
  #current: Queued | null = null;
  #elapsed = 0;
  #timestamp = 0;
  #segment = 0;
  #ended = 0;

  constructor(send: SendEvent) {
    this.#send = send;
  }

  /** Whether nothing is queued, sounding or pausing. */
  get idle(): boolean {
    return this.#current === null && this.#queue.length === 0;
  }

  /** Queues an event with its length and the pause after it; the length is rounded to whole units, never to ticks. */
  queue(event: number, durationMs: number, pauseMs: number): void {
    this.#queue.push({ event, duration: Math.max(1, unitsOf(durationMs)), pause: unitsOf(pauseMs) });
  }

  /** Queues an event whose length is not known yet: it lasts until `release`. */
  press(event: number, pauseMs: number): void {
    this.#queue.push({ event, duration: Number.POSITIVE_INFINITY, pause: unitsOf(pauseMs) });
  }

  /** The oldest pressed event ends at this length, or as soon as it can when that is over. */
  release(durationMs: number): void {
    const pressed = [this.#current, ...this.#queue].find((one) => one?.duration === Number.POSITIVE_INFINITY);
    if (!pressed) return;
    const sent = pressed === this.#current ? this.#elapsed : 0;
    pressed.duration = Math.max(1, unitsOf(durationMs), sent);
  }

  /** Forgets what is queued; what sounds ends now. */
  stop(): void {
    this.#queue.length = 0;
    if (this.#current !== null && this.#ended === 0) {
      this.#current.duration = Math.min(this.#current.duration, Math.max(1, this.#elapsed));
    }
  }

  /** The next 20 ms. @param timestamp RTP timestamp of this tick */
  tick(timestamp: number): EventTick {
    if (this.#current !== null && this.#isOver(this.#current)) this.#finish(this.#current);
    if (this.#current === null) {
      const next = this.#queue.shift();
      if (next === undefined) return 'idle';
      this.#begin(next, timestamp);
    }
    const current = this.#current;
    if (current === null) return 'idle';
    this.#elapsed += FRAME_SAMPLES;
    if (this.#ended > 0) return this.#repeatEnd(current);
    this.#continue(current);
    return 'event';
  }

  /** The pause is over with the tick that begins here. */
  #isOver({ duration, pause }: Queued): boolean {
    return this.#ended > 0 && this.#elapsed >= duration + pause;
  }

  #begin(next: Queued, timestamp: number): void {
    this.#current = next;
    this.#timestamp = timestamp >>> 0;
    this.#elapsed = 0;
    this.#segment = 0;
    this.#ended = 0;
  }

  #finish(current: Queued): void {
    while (this.#ended < END_PACKETS) this.#emitEnd(current);
    this.#current = null;
  }

  #continue(current: Queued): void {
    const reached = Math.min(this.#elapsed, current.duration);
    while (reached - this.#segment > LONGEST_SEGMENT) {
      this.#emit(current, LONGEST_SEGMENT, false, false);
      this.#segment += LONGEST_SEGMENT;
    }
    if (reached >= current.duration) this.#emitEnd(current);
    else this.#emit(current, reached - this.#segment, false, this.#elapsed === FRAME_SAMPLES);
  }

  #repeatEnd(current: Queued): EventTick {
    if (this.#ended >= END_PACKETS) return 'pause';
    this.#emitEnd(current);
    return 'event';
  }

  #emitEnd(current: Queued): void {
    const isOnly = this.#ended === 0 && this.#elapsed <= FRAME_SAMPLES;
    this.#ended++;
    this.#emit(current, current.duration - this.#segment, true, isOnly);
  }

  #emit({ event }: Queued, duration: number, end: boolean, marker: boolean): void {
    this.#send({ event, end, volume: VOLUME, duration }, (this.#timestamp + this.#segment) >>> 0, marker);
  }
}
