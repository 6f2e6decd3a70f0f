import { SAMPLE_RATE } from '../audio/index.ts';
import { LONGEST_SEGMENT, type TelephoneEvent } from './telephone-event.ts';

const MISSED_PACKETS = 3;
const LEAST_INTERVAL_MS = 10;
const MOST_INTERVAL_MS = 50;
const USUAL_INTERVAL_MS = 20;
/** Chosen: packets may come this much late without being called missing. */
const JITTER_MS = 40;
/** So many steps a copy of the end may lie behind what came before it. */
const MOST_MOVED_COPIES = 6;
/** Finished events whose late packets are still recognised. */
const REMEMBERED = 8;

/** The signal of a peer. Times are those given to `push` and `tick`; `code` 0 … 15 are digits. */
export type ReceivedEvent =
  | { readonly kind: 'begin'; readonly code: number; readonly startMs: number }
  | {
      readonly kind: 'end';
      readonly code: number;
      readonly startMs: number;
      readonly durationMs: number;
      /** By its end packet; by silence, when the end packets were lost; by the next event. */
      readonly by: 'end' | 'silence' | 'next';
    };

/** One press of a key, in time of the stream (RTP timestamps). */
interface Press {
  readonly ssrc: number;
  readonly code: number;
  readonly first: number;
  /** Timestamp and duration of the newest packet. */
  timestamp: number;
  duration: number;
  /** Where it ends, as far as its packets say. */
  end: number;
  /** By this much at least its packets move their timestamp; 0: they do not, as the RFC wants it. */
  shift: number;
  /** They do, and count the duration from the first packet. */
  isGrowing: boolean;
  /** Its end has come; else its packets stayed out, or another event came. */
  hasEnded: boolean;
}

interface Current extends Press {
  readonly startMs: number;
  lastMs: number;
  intervalMs: number;
}

/**
 * Receives telephone-events (RFC 4733, 2.5.2): packets in, one begin and one end per press of a key out.
 *
 * ```
 *   packets    160 M  320   (lost)  640 E  640 E  640 E        a press is SSRC, code, and a stretch of timestamps
 *   out        begin                end 80 ms
 *
 *   none --packet--> sounding --E, or three packets missing, or another event--> none
 *                    sounding --timestamp + 65,535, same code: next segment of the same event--> sounding
 *   packets of an event that ended are ignored; older than the current one: ignored
 * ```
 * Marker and first packets are not needed. The largest duration counts.
 *
 * Interop: some senders move the timestamp with each packet, or with each copy of the end. Chosen: the same code that touches or
 * overlaps what was said before is the same press; with any pause between, 20 ms or less, it is a second one.
 */
export class EventReceiver {
  readonly #emit: (event: ReceivedEvent) => void;
  readonly #finished: Press[] = [];
  #current: Current | null = null;

  constructor(emit: (event: ReceivedEvent) => void) {
    this.#emit = emit;
  }

  /** Whether an event sounds now. */
  get sounding(): boolean {
    return this.#current !== null;
  }

  /** One packet of the negotiated payload type that arrived at `nowMs`. */
  push(ssrc: number, timestamp: number, event: TelephoneEvent, nowMs: number): void {
    const current = this.#current;
    // It would end a new press of the same key.
    if (this.#isLateCopy(ssrc, timestamp, event)) return;
    if (current !== null && isOf(current, ssrc, event) && isMore(current, timestamp, event)) {
      this.#continue(current, timestamp, event, nowMs);
      return;
    }
    if (this.#isFinished(ssrc, timestamp, event)) return;
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
      first: timestamp,
      timestamp,
      duration: event.duration,
      end: (timestamp + event.duration) >>> 0,
      shift: 0,
      isGrowing: false,
      hasEnded: false,
      lastMs: nowMs,
      intervalMs: USUAL_INTERVAL_MS,
    };
    this.#current = current;
    this.#emit({ kind: 'begin', code: current.code, startMs: current.startMs });
    if (event.end) this.#finish(current, 'end');
  }

  #continue(current: Current, timestamp: number, event: TelephoneEvent, nowMs: number): void {
    const before = current.end;
    extend(current, timestamp, event.duration);
    const step = msOf((current.end - before) | 0);
    if (step > 0 && step <= MOST_INTERVAL_MS) current.intervalMs = Math.max(LEAST_INTERVAL_MS, step);
    current.lastMs = nowMs;
    if (event.end) this.#finish(current, 'end');
  }

  #finish(current: Current, by: 'end' | 'silence' | 'next'): void {
    const { ssrc, code, first, timestamp, duration, end, shift, isGrowing, startMs } = current;
    this.#finished.push({
      ssrc,
      code,
      first,
      timestamp,
      duration,
      end,
      shift,
      isGrowing,
      hasEnded: by === 'end',
    });
    if (this.#finished.length > REMEMBERED) this.#finished.shift();
    this.#current = null;
    this.#emit({ kind: 'end', code, startMs, durationMs: msOf(lengthOf(current)), by });
  }

  /** One more copy of the end of the last press, whose sender moves its timestamps into the next one. */
  #isLateCopy(ssrc: number, timestamp: number, event: TelephoneEvent): boolean {
    const press = this.#finished.at(-1);
    return (
      event.end && press !== undefined && isOf(press, ssrc, event) && isMovedCopy(press, timestamp, event)
    );
  }

  /** A packet of a press that has ended: late, a copy of its end, or more of the same press. */
  #isFinished(ssrc: number, timestamp: number, event: TelephoneEvent): boolean {
    const press = this.#finished.findLast(
      (one) =>
        isOf(one, ssrc, event) &&
        (isWithin(one, timestamp) ||
          isBefore(one, timestamp) ||
          (event.end && isMovedCopy(one, timestamp, event)) ||
          (!one.hasEnded && isMore(one, timestamp, event))),
    );
    if (press === undefined) return false;
    const { duration, end } = event;
    const ahead = (timestamp - press.timestamp) | 0;
    // A copy of the end says nothing new, but where it is one more part that is as long as its step.
    const isCopy = end && duration === press.duration && duration !== ahead;
    if (!isCopy) extend(press, timestamp, duration);
    else if (ahead > 0) move(press, timestamp);
    return true;
  }
}

const isOf = (press: Press, ssrc: number, { event }: TelephoneEvent): boolean =>
  ssrc === press.ssrc && event === press.code;

/** Within what the packets of a press have said, or right behind it, as the next segment is (RFC 4733 2.5.1.3). */
const isWithin = ({ first, timestamp: newest, end }: Press, timestamp: number): boolean =>
  timestamp === newest ||
  (((timestamp - first) | 0) >= 0 &&
    (((timestamp - end) | 0) <= 0 || timestamp === (newest + LONGEST_SEGMENT) >>> 0));

/** A late first packet of a press whose sender moves its timestamps. */
const isBefore = ({ first, duration }: Press, timestamp: number): boolean => {
  const before = (first - timestamp) | 0;
  return before > 0 && before < duration;
};

/**
 * More of a press that sounds. Where packets are missing or come in another order, a sender that moves its timestamps shows itself
 * by durations that grow as much, or that are all alike; or a copy of the end comes before the end.
 */
function isMore(press: Press, timestamp: number, { duration, end }: TelephoneEvent): boolean {
  if (isWithin(press, timestamp)) return true;
  const ahead = (timestamp - press.timestamp) | 0;
  if (ahead <= 0) return false;
  const isFromFirst = duration === press.duration + ahead;
  const isNextPart = duration === press.duration && ((timestamp - press.end) | 0) <= duration;
  const moved = (timestamp - press.first) | 0;
  const isCopyOfEnd =
    end && duration >= press.duration && moved <= duration + MOST_MOVED_COPIES * press.shift;
  return isFromFirst || isNextPart || isCopyOfEnd;
}

/** The second and third copy of the end, of a sender that moves its timestamps: at most two steps behind it. */
function isMovedCopy(press: Press, timestamp: number, { duration }: TelephoneEvent): boolean {
  const ahead = (timestamp - press.timestamp) | 0;
  const behind = (timestamp - press.end) | 0;
  return ahead > 0 && behind <= 2 * press.shift && duration === press.duration;
}

function move(press: Press, timestamp: number): void {
  const step = (timestamp - press.timestamp) >>> 0;
  press.shift = press.shift === 0 ? step : Math.min(press.shift, step);
  press.timestamp = timestamp;
}

/** Adds a packet to its press. */
function extend(press: Press, timestamp: number, duration: number): void {
  const ahead = (timestamp - press.timestamp) | 0;
  if (ahead < 0) return;
  if (ahead === 0 || ahead === LONGEST_SEGMENT) {
    if (!press.isGrowing) reach(press, timestamp + duration);
    press.duration = ahead === 0 ? Math.max(press.duration, duration) : duration;
    press.timestamp = timestamp;
    return;
  }
  // Where the duration grows by as much as the timestamp moves, it is counted from the first one, and the press ends a step later.
  const isFromFirst = duration === press.duration + ahead;
  move(press, timestamp);
  if (isFromFirst) press.end = (timestamp + press.shift) >>> 0;
  else if (!press.isGrowing) {
    // One more part is no longer than its step; a copy of the end says nothing of where the press ends.
    reach(press, duration <= ahead ? timestamp + duration : timestamp);
  } else if (duration > press.duration) press.end = (press.end + duration - press.duration) >>> 0;
  press.isGrowing ||= isFromFirst;
  press.duration = press.isGrowing ? Math.max(press.duration, duration) : duration;
}

function reach(press: Press, end: number): void {
  if (((end - press.end) | 0) > 0) press.end = end >>> 0;
}

const lengthOf = ({ isGrowing, duration, first, end }: Press): number =>
  isGrowing ? duration : Math.max((end - first) >>> 0, duration);

const msOf = (units: number): number => (units * 1_000) / SAMPLE_RATE;
