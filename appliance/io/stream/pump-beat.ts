import type { RunningStream } from './stream.ts';

/** Chosen: what rings and sockets hold is looked at so often, ms. */
const PUMP_MS = 10;
/** Chosen: more streams than this have their turns one after another. */
const FEW = 10;
const TURNS = 5;

/**
 * Pumps each stream every 10 ms. The turns of many streams are spread over that time: this thread may share its core with the one
 * that carries the audio of calls, and what it does in one go is the time by which a call is late.
 *
 * ```
 *   up to 10 streams   | all          | all          |        a turn every 10 ms
 *   more               | 0  1  2  3  4 | 0  1  2  3  4 |      a fifth of them every 2 ms
 * ```
 * A thread that is late makes up for the turns that it has missed, each once.
 */
export class PumpBeat {
  readonly #groups: readonly Set<RunningStream>[] = Array.from({ length: TURNS }, () => new Set());
  #timer: NodeJS.Timeout | undefined;
  #isSpread = false;
  #sinceMs = 0;
  #done = 0;

  add(stream: RunningStream): void {
    this.#groups.toSorted((a, b) => a.size - b.size)[0]?.add(stream);
    this.#set();
  }

  remove(stream: RunningStream): void {
    for (const group of this.#groups) group.delete(stream);
    this.#set();
  }

  #set(): void {
    const size = this.#groups.reduce((sum, group) => sum + group.size, 0);
    const isSpread = size > FEW;
    if (size > 0 && this.#timer !== undefined && isSpread === this.#isSpread) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (size === 0) return;
    this.#isSpread = isSpread;
    this.#sinceMs = performance.now();
    this.#done = 0;
    this.#timer = setInterval(() => this.#beat(), isSpread ? PUMP_MS / TURNS : PUMP_MS);
  }

  #beat(): void {
    if (!this.#isSpread) {
      for (const group of this.#groups) this.#pump(group);
      return;
    }
    const due = Math.round((performance.now() - this.#sinceMs) / (PUMP_MS / TURNS));
    const from = Math.max(this.#done, due - TURNS);
    this.#done = due;
    for (let turn = from; turn < due; turn++) this.#pump(this.#groups[turn % TURNS]);
  }

  /** A stream that ends in its turn is taken out of its group meanwhile. */
  #pump(group: ReadonlySet<RunningStream> | undefined): void {
    for (const stream of [...(group ?? [])]) stream.pump();
  }
}
