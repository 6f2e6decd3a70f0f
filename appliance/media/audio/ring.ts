import { FRAME_SAMPLES } from './frame.ts';

/** Frames a ring holds: 2 s. */
export const RING_FRAMES = 100;
const WRITTEN = 0;
const READ = 1;
const OVERRUN = 2;
const CLEARED = 3;
const INDICES = 4;

/** The memory that both threads share; safe to post. */
export interface RingMemory {
  /** Int32: frames written, frames read, frames lost to overrun, frames up to the last clearing. */
  readonly indices: SharedArrayBuffer;
  /** Int32 tick of each frame, then its samples, Int16. */
  readonly ticks: SharedArrayBuffer;
  readonly samples: SharedArrayBuffer;
}

export function ringMemory(frames = RING_FRAMES): RingMemory {
  return {
    indices: new SharedArrayBuffer(INDICES * Int32Array.BYTES_PER_ELEMENT),
    ticks: new SharedArrayBuffer(frames * Int32Array.BYTES_PER_ELEMENT),
    samples: new SharedArrayBuffer(frames * FRAME_SAMPLES * Int16Array.BYTES_PER_ELEMENT),
  };
}

/**
 * The writing end: one thread only. A full ring drops the newest frame and counts it, so the reader is never overtaken;
 * the tick of the next frame tells the reader how long the hole is.
 */
export class RingWriter {
  readonly #indices: Int32Array;
  readonly #ticks: Int32Array;
  readonly #samples: Int16Array;
  readonly #frames: number;
  #written = 0;

  constructor(memory: RingMemory) {
    this.#indices = new Int32Array(memory.indices);
    this.#ticks = new Int32Array(memory.ticks);
    this.#samples = new Int16Array(memory.samples);
    this.#frames = this.#ticks.length;
    this.#written = Atomics.load(this.#indices, WRITTEN);
  }

  /** Frames written so far. */
  get written(): number {
    return this.#written;
  }

  /** Frames that the reader has taken so far, and those that were cleared before it took them. */
  get taken(): number {
    return Math.max(Atomics.load(this.#indices, READ), Atomics.load(this.#indices, CLEARED));
  }

  /** Frames that it has not taken yet. */
  get ahead(): number {
    return this.#written - this.taken;
  }

  /** The reader passes over all that was written so far. Its places are free once the reader has passed them. */
  clear(): void {
    Atomics.store(this.#indices, CLEARED, this.#written);
  }

  /** A frame that is written now finds a place. */
  get hasRoom(): boolean {
    return this.#written - Atomics.load(this.#indices, READ) < this.#frames;
  }

  /** False: the reader is 2 s behind and this frame is lost. */
  write(frame: Int16Array, tick: number): boolean {
    if (!this.hasRoom) {
      Atomics.add(this.#indices, OVERRUN, 1);
      return false;
    }
    const place = this.#written % this.#frames;
    this.#samples.set(frame, place * FRAME_SAMPLES);
    this.#ticks[place] = tick;
    Atomics.store(this.#indices, WRITTEN, ++this.#written);
    return true;
  }
}

/** The reading end: one thread only. */
export class RingReader {
  readonly #indices: Int32Array;
  readonly #ticks: Int32Array;
  readonly #samples: Int16Array;
  readonly #frames: number;
  #read = 0;

  constructor(memory: RingMemory) {
    this.#indices = new Int32Array(memory.indices);
    this.#ticks = new Int32Array(memory.ticks);
    this.#samples = new Int16Array(memory.samples);
    this.#frames = this.#ticks.length;
    this.#read = Atomics.load(this.#indices, READ);
  }

  get waiting(): number {
    return Atomics.load(this.#indices, WRITTEN) - this.#next;
  }

  /** Number of the frame that is read next. */
  get #next(): number {
    return Math.max(this.#read, Atomics.load(this.#indices, CLEARED));
  }

  /** Frames the writer had to drop so far. */
  get overruns(): number {
    return Atomics.load(this.#indices, OVERRUN);
  }

  /** Copies the oldest frame to `out` and answers its tick; undefined when none waits. */
  read(out: Int16Array): number | undefined {
    const next = this.#next;
    if (next !== this.#read) {
      this.#read = next;
      Atomics.store(this.#indices, READ, next);
    }
    if (this.waiting <= 0) return undefined;
    const place = this.#read % this.#frames;
    out.set(this.#samples.subarray(place * FRAME_SAMPLES, (place + 1) * FRAME_SAMPLES));
    const tick = this.#ticks[place] ?? 0;
    Atomics.store(this.#indices, READ, ++this.#read);
    return tick;
  }
}
