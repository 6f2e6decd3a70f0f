import { type SitePorts, Timer } from '../site-port.ts';

/** One timer that keeps the earliest time it is started for. */
export class EarliestTimer {
  readonly #clock: SitePorts['clock'];
  readonly #timer: Timer;
  /** Monotonic ms. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(ports: Pick<SitePorts, 'startTimer' | 'clock'>) {
    this.#clock = ports.clock;
    this.#timer = new Timer(ports);
  }

  /** Changes nothing where it is due by then. */
  startWithin(delayMs: number, fire: () => void): void {
    const dueMs = this.#clock.monoMs() + delayMs;
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    this.#timer.start(delayMs, () => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      fire();
    });
  }

  stop(): void {
    this.#timer.stop();
    this.#dueMs = Number.POSITIVE_INFINITY;
  }
}
