import { describeDefect } from './defect.ts';
import type { KernelPorts } from './port.ts';
import { type Timer, TimerWheel } from './timer-wheel.ts';

/** Timers of one class, by owner and name: starting one again replaces it, as machines expect. */
export interface TimerScope<N extends string> {
  start(owner: string, timer: N, dueMs: number): void;
  stop(owner: string, timer: N): void;
  /** Stops whatever runs for this owner. */
  stopAll(owner: string): void;
}

/** The work of a class when one of its timers is due. */
export type FireTimer<N extends string> = (owner: string, timer: N, nowMs: number) => void;

/** The wheel as classes of the engine see it: each takes a scope of its own in its constructor. */
export interface TimerPorts {
  readonly timers: Pick<EngineTimers, 'scope'>;
}

type Fire = (owner: string, timer: string, nowMs: number) => void;

/** Timers of one owner; it has a handful at most. */
interface Owned {
  readonly owner: string;
  readonly scope: Scope;
  readonly running: Timer<Owned, string>[];
}

interface Scope {
  readonly fire: Fire;
  readonly owners: Map<string, Owned>;
}

/**
 * The one wheel of the engine's thread. Each class has a scope, whose function is called for each timer that is due, in the order in
 * which they are due over all classes. A defect ends the one timer that met it; all others fire.
 */
export class EngineTimers {
  readonly #wheel: TimerWheel<Owned, string>;
  readonly #onDefect: (cause: unknown) => void;

  constructor({ clock, wakeBy }: Pick<KernelPorts, 'clock' | 'wakeBy'>, onDefect: (cause: unknown) => void) {
    this.#wheel = new TimerWheel(clock.monoMs(), wakeBy);
    this.#onDefect = onDefect;
  }

  scope<N extends string>(fire: FireTimer<N>): TimerScope<N> {
    const scope: Scope = { fire: fire as Fire, owners: new Map() };
    return {
      start: (owner, timer, dueMs) => this.#start(scope, owner, timer, dueMs),
      stop: (owner, timer) => {
        const owned = scope.owners.get(owner);
        const found = owned?.running.find(({ name }) => name === timer);
        if (owned !== undefined && found !== undefined) this.#stop(owned, found);
      },
      stopAll: (owner) => {
        const running = scope.owners.get(owner)?.running.splice(0) ?? [];
        for (const timer of running) this.#wheel.stop(timer);
        scope.owners.delete(owner);
      },
    };
  }

  advance(nowMs: number): void {
    for (const timer of this.#wheel.advance(nowMs)) {
      const { key, name } = timer;
      // A timer that fired before it has stopped or replaced this one.
      if (!leave(key, timer)) continue;
      try {
        key.scope.fire(key.owner, name, nowMs);
      } catch (cause) {
        this.#onDefect(cause);
      }
    }
  }

  get nextDueMs(): number | undefined {
    return this.#wheel.nextDueMs();
  }

  /** Running timers of all classes. */
  get size(): number {
    return this.#wheel.size;
  }

  #start(scope: Scope, owner: string, timer: string, dueMs: number): void {
    const known = scope.owners.get(owner);
    const owned = known ?? { owner, scope, running: [] };
    if (known === undefined) scope.owners.set(owner, owned);
    const before = owned.running.findIndex(({ name }) => name === timer);
    const started = this.#wheel.start(owned, timer, dueMs);
    const replaced = owned.running[before];
    if (replaced === undefined) owned.running.push(started);
    else {
      this.#wheel.stop(replaced);
      owned.running.splice(before, 1, started);
    }
  }

  #stop(owned: Owned, timer: Timer<Owned, string>): void {
    this.#wheel.stop(timer);
    leave(owned, timer);
  }
}

/** The wheel of a thread, which logs each defect of a class that it wakes. */
export const openTimers = (ports: Pick<KernelPorts, 'clock' | 'wakeBy' | 'log'>): EngineTimers =>
  new EngineTimers(ports, (cause) =>
    ports.log('error', 'timer.defect_caught', 'Caught a defect in a timer', {
      cause: describeDefect(cause),
    }),
  );

/** @returns whether the timer was running */
function leave({ running, owner, scope }: Owned, timer: Timer<Owned, string>): boolean {
  const at = running.indexOf(timer);
  if (at < 0) return false;
  running.splice(at, 1);
  if (running.length === 0) scope.owners.delete(owner);
  return true;
}
