import { DeadlineTimer } from '#appliance/io/system/index.ts';

/** An engine with timers; times are those of its own clock, ms. */
interface Driven {
  advance(): void;
  nextDueMs(): number;
}

export interface EngineLoop {
  /** For the timer wheels: the loop has a deadline at this ms of the driven clock. */
  readonly wakeBy: (dueMs: number) => void;
  readonly drive: (driven: Driven) => void;
  readonly stop: () => void;
}

/**
 * Wakes for the next deadline, as the daemon does: a look each 10 ms would cost more than an alarm a second. `rate`: so many ms of the
 * driven clock pass in one of the system's.
 */
export function engineLoop(rate: number, onDefect: (cause: unknown) => void): EngineLoop {
  const deadlines = new DeadlineTimer(() => performance.now(), onDefect);
  return {
    wakeBy: (dueMs) => deadlines.wakeBy(dueMs / rate),
    drive: (driven) =>
      deadlines.start(() => {
        driven.advance();
        return driven.nextDueMs() / rate;
      }),
    stop: () => deadlines.stop(),
  };
}
