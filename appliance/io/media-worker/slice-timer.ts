import { type Engine, SLICE_MS, SLICES, SliceSchedule } from '../../media/engine/index.ts';

/** Timers count whole milliseconds: a slice may begin this much early rather than one late. */
const EARLY_MS = 0.5;
/** Later than this, sockets that are not read by us get their turn first: else the slices would find packets missing. */
const LATE_MS = 10;
const TICK_MS = SLICES * SLICE_MS;
/** Chosen: a machine that is busy for hours would keep an empty worker awake 200 times a second, to see whether it is late still. */
const RECOVERY_MS = 500;

interface SliceTimerParts {
  /** Takes what waits in the sockets, before slices are run. */
  readonly read: (() => void) | null;
  /** Looks now and then at what is used of the processor. */
  readonly measure: (nowMs: number) => void;
}

/**
 * Calls the slices of an engine: one `setTimeout` after another against an absolute schedule. An engine without legs has
 * nothing to do in them: the timer sleeps until `wake`, and begins a new schedule. One that was late, or overloaded, looks each half
 * second by one slice whether it has recovered. Ticks are counted from one moment on all
 * workers, so that what two of them write into the channels of one recording stands side by side.
 *
 *   start ─▶ running ──no leg──▶ asleep ──wake, or a look at recovery──▶ running        stop: neither
 */
export class SliceTimer {
  readonly #engine: Engine;
  readonly #epochMs: number;
  readonly #parts: SliceTimerParts;
  #schedule = new SliceSchedule(0);
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #asleep = false;

  /**
   * @param epochMs when tick 0 began, or would have begun; on the clock of `performance.now`
   */
  constructor(engine: Engine, epochMs: number, parts: SliceTimerParts) {
    this.#engine = engine;
    this.#epochMs = epochMs;
    this.#parts = parts;
  }

  start(): void {
    this.#running = true;
    this.#asleep = false;
    clearTimeout(this.#timer);
    const tick = Math.ceil((performance.now() - this.#epochMs) / TICK_MS);
    this.#engine.begin(tick);
    this.#schedule = new SliceSchedule(this.#epochMs + tick * TICK_MS);
    this.#turn();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#running && this.#asleep && !this.#engine.empty) this.start();
  }

  /**
   * Other work of the thread calls this between its pieces: slices that have become due meanwhile are run. A hundred requests that come
   * at once would hold up the packets of every call for as long as all of them take.
   */
  between(): void {
    if (!this.#running || this.#asleep || this.#schedule.latenessMs(performance.now()) < 0) return;
    this.#turn();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  readonly #due = (): void => {
    const isLate = this.#schedule.latenessMs(performance.now()) > LATE_MS;
    if (isLate && this.#parts.read === null) setImmediate(this.#turn);
    else this.#turn();
  };

  readonly #turn = (): void => {
    if (!this.#running) return;
    // A turn between other work may come before one that waits already: one timer is enough for both.
    clearTimeout(this.#timer);
    this.#parts.read?.();
    const schedule = this.#schedule;
    const begunMs = performance.now();
    const overdue = schedule.overdueTicks(begunMs);
    if (overdue > 0) this.#engine.leap(overdue);
    // Only what was due when it began: a thread that is too slow must still read its sockets.
    let isRun = false;
    for (let nowMs = begunMs; schedule.latenessMs(begunMs) >= -EARLY_MS; nowMs = performance.now()) {
      const latenessMs = schedule.latenessMs(nowMs);
      schedule.ran();
      isRun = true;
      this.#engine.slice(nowMs, Math.max(0, latenessMs));
    }
    this.#parts.measure(begunMs);
    const { empty, idle } = this.#engine;
    if (idle || (empty && isRun)) {
      this.#asleep = true;
      if (!idle) this.#timer = setTimeout(() => this.start(), RECOVERY_MS);
      return;
    }
    this.#timer = setTimeout(this.#due, Math.max(0, -schedule.latenessMs(performance.now())));
  };
}
