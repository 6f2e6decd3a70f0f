import { type Timer, TimerWheel } from '../sip/transaction/index.ts';

/** One timer of one machine; machines are told apart by their owner. */
export interface NamedTimer<N extends string> {
  readonly owner: string;
  readonly timer: N;
}

/** Running timers by name: starting one again replaces it, as machines expect. */
export class NamedTimers<N extends string> {
  readonly #wheel: TimerWheel<NamedTimer<N>, 'named'>;
  readonly #running = new Map<string, Timer<NamedTimer<N>, 'named'>>();

  constructor(nowMs: number) {
    this.#wheel = new TimerWheel(nowMs);
  }

  start(owner: string, timer: N, dueMs: number): void {
    this.stop(owner, timer);
    this.#running.set(nameOf(owner, timer), this.#wheel.start({ owner, timer }, 'named', dueMs));
  }

  stop(owner: string, timer: N): void {
    const name = nameOf(owner, timer);
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#wheel.stop(running);
    this.#running.delete(name);
  }

  /** Timers due at `nowMs`, earliest first; they run no longer. */
  advance(nowMs: number): readonly NamedTimer<N>[] {
    const due = this.#wheel.advance(nowMs).map(({ key }) => key);
    for (const { owner, timer } of due) this.#running.delete(nameOf(owner, timer));
    return due;
  }

  get nextDueMs(): number | undefined {
    return this.#wheel.nextDueMs();
  }
}

const nameOf = (owner: string, timer: string): string => `${timer} ${owner}`;
