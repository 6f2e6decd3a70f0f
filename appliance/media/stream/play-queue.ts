import { applyGain, FRAME_SAMPLES, factorOf, SAMPLE_RATE } from '../audio/index.ts';

/** A program sends faster than real time; so much waits at most, s. */
export const MOST_QUEUED_S = 120;
const MOST_QUEUED = MOST_QUEUED_S * SAMPLE_RATE;
/** Chosen: with so many marks waiting, the next one is answered at once, so that no program waits for ever. */
export const MOST_MARKS = 10_000;
/** Chosen: an end of less than a frame waits so long for what follows it, ms; then silence fills the frame. */
const REST_MS = 40;

interface Mark {
  readonly name: string;
  /** Sample behind which it stands, counted from the begin of the stream. */
  readonly at: number;
}

/**
 * The audio of a program that waits to be heard, and its marks.
 *
 * ```
 *   push ──▶ | samples … ▲mark | samples … | ──pull, 20 ms──▶ the call ──heard──▶ marks
 *              120 s at most                                    clear: all samples go, all marks are answered
 * ```
 */
export class PlayQueue {
  readonly #factor: number;
  readonly #blocks: Int16Array[] = [];
  /** Samples of the first block that were pulled already. */
  #used = 0;
  #waiting = 0;
  /** Samples pulled so far, with the silence that filled frames. */
  #pulled = 0;
  readonly #marks: Mark[] = [];
  #lastPushMs = 0;
  /** Audio that found no room, ms. */
  refusedMs = 0;

  constructor(volumeDb = 0) {
    this.#factor = factorOf(volumeDb);
  }

  get waitingMs(): number {
    return (this.#waiting * 1_000) / SAMPLE_RATE;
  }

  get marks(): number {
    return this.#marks.length;
  }

  push(samples: Int16Array, atMs: number): void {
    const taken = samples.slice(0, MOST_QUEUED - this.#waiting);
    this.refusedMs += ((samples.length - taken.length) * 1_000) / SAMPLE_RATE;
    this.#lastPushMs = atMs;
    if (taken.length === 0) return;
    applyGain(taken, this.#factor);
    this.#blocks.push(taken);
    this.#waiting += taken.length;
  }

  /** False: nothing waits before it, or too many do; it is to be answered now. */
  mark(name: string, playedFrames: number): boolean {
    const at = this.#pulled + this.#waiting;
    if (at <= playedFrames * FRAME_SAMPLES || this.#marks.length >= MOST_MARKS) return false;
    this.#marks.push({ name, at });
    return true;
  }

  /** The next 20 ms; undefined: there are none yet. */
  pull(atMs: number): Int16Array | undefined {
    const isEnd = this.#endsInFrame || atMs - this.#lastPushMs >= REST_MS;
    if (this.#waiting === 0 || (this.#waiting < FRAME_SAMPLES && !isEnd)) return undefined;
    const frame = new Int16Array(FRAME_SAMPLES);
    let at = 0;
    while (at < FRAME_SAMPLES && this.#waiting > 0) at += this.#take(frame, at);
    // Silence fills the frame, and is counted: a mark right behind the last sample keeps its place.
    this.#pulled += FRAME_SAMPLES;
    return frame;
  }

  /** A mark stands right behind the last sample: the program says that something is over. */
  get #endsInFrame(): boolean {
    return this.#marks.at(-1)?.at === this.#pulled + this.#waiting;
  }

  #take(frame: Int16Array, at: number): number {
    const block = this.#blocks[0];
    if (block === undefined) return FRAME_SAMPLES;
    const part = block.subarray(this.#used, this.#used + FRAME_SAMPLES - at);
    frame.set(part, at);
    this.#used += part.length;
    this.#waiting -= part.length;
    if (this.#used < block.length) return part.length;
    this.#blocks.shift();
    this.#used = 0;
    return part.length;
  }

  /** Names of the marks whose audio was heard. */
  reached(playedFrames: number): readonly string[] {
    const playedSamples = playedFrames * FRAME_SAMPLES;
    const count = this.#marks.findIndex(({ at }) => at > playedSamples);
    return this.#marks.splice(0, count < 0 ? this.#marks.length : count).map(({ name }) => name);
  }

  /** Forgets all audio; names of the marks that stood in it. */
  clear(): readonly string[] {
    this.#blocks.length = 0;
    this.#used = 0;
    this.#waiting = 0;
    return this.#marks.splice(0).map(({ name }) => name);
  }
}
