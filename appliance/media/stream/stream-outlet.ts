import { type RingMemory, RingWriter } from '../audio/index.ts';

/**
 * Chosen: frames of a program that lie ahead in the call at most, 120 ms. So long may the thread of streams be late, and so many turns
 * may the thread of calls catch up in a row (5), before a program that has sent enough is heard with a pause in it.
 */
export const FRAMES_AHEAD = 6;

/**
 * The legs that hear a program: the ring of each.
 *
 * ```
 *   PlayQueue ─pull─▶ | up to 6 frames ahead | ─▶ first leg      it sets the pace
 *                     | the same             | ─▶ each other leg
 *   clear: what lies ahead is not heard       speakTo: it is heard by the legs that come
 * ```
 */
export class StreamOutlet {
  #outputs: readonly RingWriter[];
  /** The frames that were given last: those that lie ahead are their end. */
  #last: Int16Array[] = [];
  /** Frames that legs before these have heard. */
  #receivedBefore = 0;
  #ticks = 0;

  constructor(outputs: readonly RingMemory[]) {
    this.#outputs = writersOf(outputs);
  }

  /** Frames that were heard, or cleared, so far. */
  get playedFrames(): number {
    return this.#receivedBefore + (this.#outputs[0]?.taken ?? 0);
  }

  /** Gives the legs what they have room for; `pull` answers the next frame, undefined: none is there. */
  fill(pull: () => Int16Array | undefined): void {
    const [first] = this.#outputs;
    while (first !== undefined && first.ahead < FRAMES_AHEAD && first.hasRoom) {
      const frame = pull();
      if (frame === undefined) return;
      this.#give(frame);
    }
  }

  /** No leg hears what lies ahead. */
  clear(): void {
    for (const output of this.#outputs) output.clear();
    this.#last = [];
  }

  /** Other legs hear the program from now on, from where the first one has heard it. */
  speakTo(outputs: readonly RingMemory[]): void {
    const [first] = this.#outputs;
    const ahead = first === undefined ? this.#last : this.#last.slice(this.#last.length - first.ahead);
    this.#receivedBefore += first?.taken ?? 0;
    this.clear();
    this.#outputs = writersOf(outputs);
    for (const frame of ahead) this.#give(frame);
  }

  #give(frame: Int16Array): void {
    this.#last = [...this.#last, frame].slice(-FRAMES_AHEAD);
    this.#ticks++;
    for (const output of this.#outputs) output.write(frame, this.#ticks);
  }
}

const writersOf = (outputs: readonly RingMemory[]): readonly RingWriter[] =>
  outputs.map((memory) => new RingWriter(memory));
