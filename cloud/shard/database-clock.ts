/** Times of a process: `wallMs` epoch ms, `monoMs` monotonic ms. */
export interface Clock {
  readonly wallMs: () => number;
  readonly monoMs: () => number;
}

/** The clock of the database showed `databaseMs` at a moment between these two, by the monotonic clock of this process. */
export interface ClockReading {
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly databaseMs: number;
}

/** A machine whose clock is off by this much deserves a word. */
const FAR_OFF_MS = 30_000;

/**
 * The clock of the database, carried on by the monotonic clock of this process. Until the first reading it is the clock of the
 * machine.
 *
 * Chosen: each time that a row keeps, and each decision about it, is of this clock, so that replicas whose machines show other times
 * decide alike. A reading moves it only when it lies outside of what the reading allows (Cristian 1989): an answer that took long
 * says little and moves little.
 */
export class DatabaseClock implements Clock {
  readonly #machine: Clock;
  readonly #onFarOff: (offMs: number) => void;
  /** Time of the database minus monotonic time; undefined = no reading yet. */
  #offsetMs: number | undefined;
  #isFarOff = false;

  /** `onFarOff`: the clock of the machine is so far ahead (negative: behind), once until it is right again. */
  constructor(machine: Clock, onFarOff: (offMs: number) => void = () => undefined) {
    this.#machine = machine;
    this.#onFarOff = onFarOff;
  }

  readonly monoMs = (): number => this.#machine.monoMs();

  readonly wallMs = (): number =>
    this.#offsetMs === undefined
      ? this.#machine.wallMs()
      : Math.floor(this.#machine.monoMs() + this.#offsetMs);

  read({ askedMs, answeredMs, databaseMs }: ClockReading): void {
    const [least, most] = [databaseMs - answeredMs, databaseMs - askedMs];
    const before = this.#offsetMs ?? (least + most) / 2;
    this.#offsetMs = Math.min(most, Math.max(least, before));
    const offMs = this.#machine.wallMs() - this.wallMs();
    const isFarOff = Math.abs(offMs) >= FAR_OFF_MS;
    if (isFarOff && !this.#isFarOff) this.#onFarOff(offMs);
    this.#isFarOff = isFarOff;
  }
}
