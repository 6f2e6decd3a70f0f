import { threadMs } from '../../support/processor/thread-time.ts';

/** How long one received datagram held the main thread, everything included that came of it before the next one. */
export interface DatagramTimes {
  readonly datagrams: number;
  /** Processor time of the thread, ms: garbage collection counts, what other processes took does not. */
  readonly worstMs: number;
  readonly p99Ms: number;
  /** By the clock on the wall, ms. */
  readonly wallWorstMs: number;
  readonly wallP99Ms: number;
}

/**
 * Times datagrams from their arrival to the next one's, or to the end of the poll phase of the event loop: promises and
 * what hangs on them are within. Off unless asked: it costs two system calls for each.
 */
export class DatagramClock {
  readonly #spent: number[] = [];
  readonly #wall: number[] = [];
  #on = false;
  #open: { readonly atMs: number; readonly spentMs: number } | undefined;
  #watched = false;

  start(): void {
    this.#on = true;
    this.#spent.length = 0;
    this.#wall.length = 0;
  }

  /** A datagram is about to be handled. */
  begin(): void {
    if (!this.#on) return;
    this.#close();
    this.#open = { atMs: performance.now(), spentMs: threadMs() };
    if (this.#watched) return;
    this.#watched = true;
    setImmediate(() => {
      this.#watched = false;
      this.#close();
    });
  }

  take(): DatagramTimes | undefined {
    if (!this.#on) return undefined;
    this.#on = false;
    this.#close();
    for (const each of [this.#spent, this.#wall]) each.sort((a, b) => a - b);
    return {
      datagrams: this.#spent.length,
      worstMs: this.#spent.at(-1) ?? 0,
      p99Ms: this.#spent[Math.floor(this.#spent.length * 0.99)] ?? 0,
      wallWorstMs: this.#wall.at(-1) ?? 0,
      wallP99Ms: this.#wall[Math.floor(this.#wall.length * 0.99)] ?? 0,
    };
  }

  #close(): void {
    if (this.#open === undefined) return;
    this.#spent.push(threadMs() - this.#open.spentMs);
    this.#wall.push(performance.now() - this.#open.atMs);
    this.#open = undefined;
  }
}
