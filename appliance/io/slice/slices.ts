import { setImmediate as turn } from 'node:timers/promises';

/** Chosen: an alarm that comes in the middle of long work waits no longer than this. */
const SLICE_MS = 4;

/** Long work in slices: whoever does it asks after each step, and pauses when the slice is over. */
export class Slices {
  #begunMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#begunMs >= SLICE_MS;
  }

  /** Everything else that waits for the loop has its turn. */
  async pause(): Promise<void> {
    await turn();
    this.#begunMs = performance.now();
  }
}

/** `each` of all of them, in slices. */
export async function inSlices<Item>(items: Iterable<Item>, each: (item: Item) => void): Promise<void> {
  const slices = new Slices();
  for (const item of items) {
    each(item);
    if (slices.isOver) await slices.pause();
  }
}
