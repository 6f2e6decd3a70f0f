import type { KernelPorts } from './port.ts';
import { type Timer, TimerWheel } from './timer-wheel.ts';

/** One timer of one machine; the owner distinguishes the machines. */
export interface NamedTimer<N extends string> {
  readonly owner: string;
  readonly timer: N;
}

/**
 * Running timers by name: starting one again replaces it, as machines expect. Filed by owner: a machine has a handful
 * of timers at most, and a name is not put together for every start and stop.
 */
export class NamedTimers<N extends string> {
  readonly #wheel: TimerWheel<string, N>;
  readonly #running = new Map<string, Timer<string, N>[]>();

  constructor({ clock, wakeBy }: Pick<KernelPorts, 'clock' | 'wakeBy'>) {
    this.#wheel = new TimerWheel(clock.monoMs(), wakeBy);
  }

  start(owner: string, timer: N, dueMs: number): void {
    const running = this.#running.get(owner);
    if (running === undefined) {
      this.#running.set(owner, [this.#wheel.start(owner, timer, dueMs)]);
      return;
    }
    const before = indexOf(running, timer);
    const started = this.#wheel.start(owner, timer, dueMs);
    if (before < 0) running.push(started);
    else {
      this.#wheel.stop(running[before] as Timer<string, N>);
      running[before] = started;
    }
  }

  stop(owner: string, timer: N): void {
    const running = this.#running.get(owner);
    const at = running === undefined ? -1 : indexOf(running, timer);
    if (running === undefined || at < 0) return;
    this.#wheel.stop(running[at] as Timer<string, N>);
    this.#leave(owner, running, at);
  }

  /** Stops every timer that runs for this owner. */
  stopAll(owner: string): void {
    for (const each of this.#running.get(owner) ?? []) this.#wheel.stop(each);
    this.#running.delete(owner);
  }

  /** Timers due at `nowMs`, earliest first; they run no longer. */
  advance(nowMs: number): readonly NamedTimer<N>[] {
    const due = this.#wheel.advance(nowMs);
    if (due.length === 0) return [];
    for (const each of due) {
      const running = this.#running.get(each.key);
      const at = running === undefined ? -1 : running.indexOf(each);
      if (running !== undefined && at >= 0) this.#leave(each.key, running, at);
    }
    return due.map(({ key, name }) => ({ owner: key, timer: name }));
  }

  get nextDueMs(): number | undefined {
    return this.#wheel.nextDueMs();
  }

  #leave(owner: string, running: Timer<string, N>[], at: number): void {
    if (running.length === 1) this.#running.delete(owner);
    else running.splice(at, 1);
  }
}

function indexOf<N extends string>(running: readonly Timer<string, N>[], timer: N): number {
  for (let at = 0; at < running.length; at++) if (running[at]?.name === timer) return at;
  return -1;
}

/** The earlier of two times; undefined: never. */
export const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
