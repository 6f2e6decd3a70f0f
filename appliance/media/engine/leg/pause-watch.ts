import { FRAME_MS, levelOf, SILENCE_DBM0 } from '../../audio/index.ts';
import type { Voice } from '../packet/port.ts';

/** Pauses are reported from this length on: shorter ones lie between the digits of a string. */
const REPORTED_MS = 90;
/** No protocol waits for a longer one. */
const WATCHED_MS = 260;
/** Chosen: a sound so far below a digit is no other one, whose level and line are the same. */
const BELOW_DB = 12;
/** Chosen: no device sends quieter digits (Q.24: -25 dBm0 must be heard). */
const LEAST_DBM0 = -25;

/**
 * A detector tells the begin of a digit with the second frame after its onset at the latest, also in noise: it reported none of
 * 18,000 digits of 80 ms over white noise 8 to 24 dB below them later.
 */
const DETECTED_MS = 2 * FRAME_MS;

/** A detector tells the end of a digit 25 ms after it; the frame that it lies in begins no later than this. */
const LATEST_MS = 30;

/** The frame that a leg hears in a tick, and the frames that wait behind it. */
export interface ReceivedFrames extends Voice {
  /** The frame of this tick is made up. */
  readonly lost: boolean;
  /** Level of the frame that is heard `ahead` ticks after the next one, dBm0; undefined: it is not there. */
  levelAhead(ahead: number): number | undefined;
}

/**
 * Measures how long a device has been quiet since a digit, and reports it as soon as it is certain: frames that wait in the
 * jitter buffer are looked at before their turn, which is 60 ms earlier than a detector hears them. Times are of the stream, so
 * that a thread that is late reports it late and never wrong.
 *
 * ```
 *   idle --digit ends--> watching --90 ms and more are quiet--> reported, again with each frame
 *    ^                    | | a loud frame                          ^
 *    |                    | `--> loud --the detector hears none------'
 *    | a digit begins, two frames in a row that are missing (one, while it is loud), a leap of the ticks, or 260 ms
 *    `--------------------'
 * ```
 * In a loud room nothing is quiet, and the frames ahead show nothing: there only the detector knows that no digit has begun. It
 * would have reported one that began `DETECTED_MS` ago; a longer wait would not find a digit that it cannot hear in that noise.
 * One missing frame hides no digit: the next frame would hold the rest of it. An event ends the watch when it comes, which is
 * before the audio of its time is heard.
 */
export class PauseWatch {
  readonly #tell: (endMs: number, forMs: number) => void;
  #endMs = Number.NaN;
  #limitDbm0 = 0;
  /** The tick that is looked at next; before: those up to here are quiet. */
  #next = -1;
  #tick = -1;
  #isMissing = false;
  #isLoud = false;
  #reportedMs = 0;

  constructor(tell: (endMs: number, forMs: number) => void) {
    this.#tell = tell;
  }

  /** A digit has ended at this time, and was as loud as this; nothing is known of an event that was not audible. */
  begin(endMs: number, levelDbm0 = LEAST_DBM0): void {
    this.#endMs = endMs;
    this.#limitDbm0 = levelDbm0 - BELOW_DB;
    this.#next = -1;
    this.#tick = -1;
    this.#isMissing = false;
    this.#isLoud = false;
    this.#reportedMs = REPORTED_MS;
  }

  stop(): void {
    this.#endMs = Number.NaN;
  }

  /** The frame of this tick was heard. */
  tick(tick: number, frames: ReceivedFrames): void {
    if (Number.isNaN(this.#endMs)) return;
    // Up to here the detector has heard no other digit. The content of a leap of the ticks is unknown.
    if (this.#next < 0) this.#next = Math.max(tick, Math.ceil(this.#endMs / FRAME_MS));
    const leaps = this.#tick < 0 ? tick * FRAME_MS - this.#endMs > LATEST_MS : tick !== this.#tick + 1;
    this.#tick = tick;
    if (leaps) {
      this.stop();
      return;
    }
    while (!this.#isLoud && !Number.isNaN(this.#endMs) && this.#look(tick, frames));
    // Concealed audio in the place of a missing frame may have hidden an onset from the detector.
    if (this.#isLoud && (frames.lost || this.#isMissing)) this.stop();
    const knownMs = this.#isLoud ? (tick + 1) * FRAME_MS - DETECTED_MS : this.#next * FRAME_MS;
    const forMs = knownMs - this.#endMs;
    if (Number.isNaN(forMs) || this.#isMissing || forMs < this.#reportedMs) return;
    this.#reportedMs = forMs + 1;
    this.#tell(this.#endMs, forMs);
    if (forMs >= WATCHED_MS) this.stop();
  }

  /** One frame; false: it has not come, or the watch is over. */
  #look(tick: number, frames: ReceivedFrames): boolean {
    const place = this.#next - tick - 1;
    const level = place < 0 ? levelNow(frames) : frames.levelAhead(place);
    if (level === undefined) {
      const isOver = place < 0 || frames.levelAhead(place + 1) !== undefined;
      if (!isOver) return false;
      if (this.#isMissing) this.stop();
      this.#isMissing = true;
    } else if (level > this.#limitDbm0) this.#isLoud = true;
    else this.#isMissing = false;
    this.#next++;
    return true;
  }
}

function levelNow({ frame, speaking, lost }: ReceivedFrames): number | undefined {
  if (lost) return undefined;
  return speaking ? levelOf(frame) : SILENCE_DBM0;
}
