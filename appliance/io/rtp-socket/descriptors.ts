import { closeSync } from 'node:fs';

/**
 * The descriptors that a thread opened past Node, in memory that it shares with the thread that started it: when it ends
 * without a word they stay open, with their ports, until that one closes them. A place holds the number + 1, 0 is free.
 */
export class Descriptors {
  readonly memory: SharedArrayBuffer;
  readonly #places: Int32Array;
  /** Given back; above `#used` nothing was ever taken. */
  readonly #free: number[] = [];
  #used = 0;

  /** @param memory of another thread's, or how many descriptors there may be at once */
  constructor(memory: SharedArrayBuffer | number) {
    this.memory = typeof memory === 'number' ? new SharedArrayBuffer(4 * memory) : memory;
    this.#places = new Int32Array(this.memory);
  }

  /** Its place; undefined when all are taken. */
  keep(fd: number): number | undefined {
    const place = this.#free.pop() ?? (this.#used < this.#places.length ? this.#used++ : undefined);
    if (place !== undefined) this.#places[place] = fd + 1;
    return place;
  }

  drop(place: number): void {
    this.#places[place] = 0;
    this.#free.push(place);
  }

  /** Closes what is left, after the thread that opened it has ended; how many there were. */
  closeAll(): number {
    let closed = 0;
    this.#places.forEach((kept, place) => {
      if (kept === 0) return;
      this.#places[place] = 0;
      closeSync(kept - 1);
      closed++;
    });
    return closed;
  }
}
