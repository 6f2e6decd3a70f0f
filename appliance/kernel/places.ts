import type { TimerPorts, TimerScope } from './engine-timers.ts';

type Called = (has: boolean) => void;

/** A few places for work that must not crowd out other work; work that finds none waits for its turn. */
export class Places {
  #free: number;
  readonly #timers: TimerScope<'wait'> | undefined;
  /** In the order in which they came. */
  readonly #waiting = new Map<string, Called>();
  #came = 0;

  /** Without `timers` every `take` waits until a place comes free. */
  constructor(count: number, timers?: TimerPorts['timers']) {
    this.#free = count;
    this.#timers = timers?.scope((waiting) => this.#end(waiting, false));
  }

  /** Resolves with a place to `leave`; false: none came free before `dueMs` (monotonic). */
  take(dueMs?: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    const waiting = String(this.#came++);
    if (dueMs !== undefined) this.#timers?.start(waiting, 'wait', dueMs);
    return new Promise((called) => this.#waiting.set(waiting, called));
  }

  leave(): void {
    const [next] = this.#waiting.keys();
    if (next === undefined) this.#free++;
    else this.#end(next, true);
  }

  #end(waiting: string, has: boolean): void {
    this.#timers?.stopAll(waiting);
    const called = this.#waiting.get(waiting);
    this.#waiting.delete(waiting);
    called?.(has);
  }
}
