/** Chosen: deadlines within this are served together, so that a burst of them costs no more than one look each 10 ms. */
const TOGETHER_MS = 10;
/** Chosen: the timer meets a deadline that was not named this late at most. */
const LONGEST_MS = 1_000;

/** The work of a loop at a deadline; it returns the monotonic ms of the next one. */
export type MeetDeadline = () => number;

/**
 * One timer of the system for the next deadline of a loop. The loop names an earlier deadline whenever it has one (`wakeBy`); all
 * that lies later is asked for when the timer has fired.
 *
 *     idle ── start ──▶ armed ── fires ──▶ work ── next deadline ──▶ armed
 *                         └── wakeBy, earlier ──▶ armed
 */
export class DeadlineTimer {
  readonly #monoMs: () => number;
  readonly #onDefect: (cause: unknown) => void;
  readonly #onFired: (lateMs: number) => void;
  #work: MeetDeadline | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Infinity: no timer is armed. -Infinity: the work runs and says the next deadline by itself. */
  #armedMs = Number.POSITIVE_INFINITY;
  #workedMs = Number.NEGATIVE_INFINITY;
  #fired = 0;

  /** `onFired` hears how late the loop was at each deadline. */
  constructor(
    monoMs: () => number,
    onDefect: (cause: unknown) => void,
    onFired: (lateMs: number) => void = () => undefined,
  ) {
    this.#monoMs = monoMs;
    this.#onDefect = onDefect;
    this.#onFired = onFired;
  }

  /** How often the work was done. */
  get fired(): number {
    return this.#fired;
  }

  /** The work is done now, and at each deadline from now on. */
  start(work: MeetDeadline): void {
    this.#work = work;
    this.#meet();
  }

  /** The loop has a deadline at this monotonic ms. */
  wakeBy(dueMs: number): void {
    if (this.#work !== undefined && dueMs < this.#armedMs) this.#arm(dueMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#work = undefined;
    this.#armedMs = Number.POSITIVE_INFINITY;
  }

  #arm(dueMs: number): void {
    const nowMs = this.#monoMs();
    const atMs = Math.max(Math.min(dueMs, nowMs + LONGEST_MS), this.#workedMs + TOGETHER_MS);
    // A timer that is armed fires before this one anyhow, or is replaced.
    if (atMs >= this.#armedMs) return;
    clearTimeout(this.#timer);
    this.#armedMs = atMs;
    // A timer of Node drops the fraction of a millisecond: it would fire before the deadline.
    const waitMs = Math.max(Math.ceil(atMs - nowMs), 0);
    this.#timer = setTimeout(() => {
      this.#onFired(Math.max(this.#monoMs() - nowMs - waitMs, 0));
      this.#meet();
    }, waitMs);
  }

  #meet(): void {
    const work = this.#work;
    if (work === undefined) return;
    this.#armedMs = Number.NEGATIVE_INFINITY;
    this.#fired++;
    let nextMs = Number.NEGATIVE_INFINITY;
    try {
      nextMs = work();
    } catch (cause) {
      // Due work is still due: the loop looks at it again after 10 ms.
      this.#onDefect(cause);
    }
    this.#workedMs = this.#monoMs();
    this.#armedMs = Number.POSITIVE_INFINITY;
    if (this.#work !== undefined) this.#arm(nextMs);
  }
}
