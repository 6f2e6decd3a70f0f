import { type Engine, SliceSchedule } from '../../media/engine/index.ts';

/** Timers count whole milliseconds: a slice may begin this much early rather than one late. */
const EARLY_MS = 0.5;
/** Later than this, what waits in the sockets is read first: else the slices would find their packets missing. */
const LATE_MS = 10;

/**
 * Calls the slices of an engine: one `setTimeout` after another against an absolute schedule. An engine without legs has
 * nothing to do in them: the timer sleeps until `wake`, and begins a new schedule.
 *
 *   start ─▶ running ──no leg──▶ asleep ──wake──▶ running        stop: neither
 */
export class SliceTimer {
  readonly #engine: Engine;
  #schedule = new SliceSchedule(0);
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #asleep = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  start(): void {
    this.#running = true;
    this.#asleep = false;
    this.#schedule = new SliceSchedule(performance.now());
    this.#turn();
  }

  /** After a leg was opened. */
  wake(): void {
    if (this.#running && this.#asleep) this.start();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  readonly #due = (): void => {
    if (this.#schedule.latenessMs(performance.now()) > LATE_MS) setImmediate(this.#turn);
    else this.#turn();
  };

  readonly #turn = (): void => {
    if (!this.#running) return;
    const schedule = this.#schedule;
    const begunMs = performance.now();
    const overdue = schedule.overdueTicks(begunMs);
    if (overdue > 0) this.#engine.leap(overdue);
    // Only what was due when it began: a thread that is too slow must still read its sockets.
    for (let nowMs = begunMs; schedule.latenessMs(begunMs) >= -EARLY_MS; nowMs = performance.now()) {
      const latenessMs = schedule.latenessMs(nowMs);
      schedule.ran();
      this.#engine.slice(nowMs, Math.max(0, latenessMs));
    }
    if (this.#engine.idle) {
      this.#asleep = true;
      return;
    }
    this.#timer = setTimeout(this.#due, Math.max(0, -schedule.latenessMs(performance.now())));
  };
}
