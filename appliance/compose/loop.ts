import type { ApplianceEngine } from '../engine/engine.ts';
import { DeadlineTimer, type Log } from '../io/system/index.ts';
import { type EngineTimers, openTimers } from '../kernel/engine-timers.ts';
import { oneShots, type StartTimer } from '../kernel/one-shot.ts';
import { clock } from './adapters.ts';

type Driven = Pick<ApplianceEngine, 'advance' | 'nextDueMs'>;

/** The loop of the main thread: one timer of the system for the next deadline of the engine and of everything around it. */
export interface Loop {
  /** The wheel of the engine, which fires it among its parts. */
  readonly timers: EngineTimers;
  /** Timers of the host around the engine, on a wheel of their own: they run before there is an engine, and while it ends. */
  readonly startTimer: StartTimer;
  /** A deadline that may lie before all others. */
  readonly wakeBy: (dueMs: number) => void;
  /** Drives the engine until the function that it returns is called. */
  readonly drive: (engine: Driven) => () => void;
  readonly stop: () => void;
}

/** Starts at once: the host waits for the cloud and for its peers before there is an engine. */
export function openLoop(log: Log, onFired: (lateMs: number) => void): Loop {
  const deadlines = new DeadlineTimer(
    clock.monoMs,
    (cause) => log('error', 'loop.defect_caught', 'Caught a defect in the loop', { cause: String(cause) }),
    onFired,
  );
  const wakeBy = (dueMs: number): void => deadlines.wakeBy(dueMs);
  const [timers, hostTimers] = [openTimers({ clock, wakeBy, log }), openTimers({ clock, wakeBy, log })];
  let driven: Driven | undefined;
  deadlines.start(() => {
    hostTimers.advance(clock.monoMs());
    driven?.advance();
    return Math.min(
      hostTimers.nextDueMs ?? Number.POSITIVE_INFINITY,
      driven?.nextDueMs() ?? Number.POSITIVE_INFINITY,
    );
  });
  return {
    timers,
    startTimer: oneShots({ clock, timers: hostTimers }),
    wakeBy,
    drive: (engine) => {
      driven = engine;
      wakeBy(clock.monoMs());
      return () => {
        driven = undefined;
      };
    },
    stop: () => deadlines.stop(),
  };
}
