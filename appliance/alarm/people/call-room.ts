/** A call that waits until another one ends. */
export interface WaitingCall {
  readonly begins: () => void;
}

/**
 * The calls to people that a tenant may have at once. A call that finds no place is not lost: it waits, the longest one first, and begins
 * when another call ends. `isFirst`: a person of the alarm queue has asked for it, and it goes before the others.
 */
export class CallRoom {
  readonly #most: () => number;
  readonly #later: (work: () => void) => void;
  readonly #waiting: WaitingCall[] = [];
  #inUse = 0;
  #firsts = 0;

  /**
   * @param most read each time: what is provisioned may change
   * @param later runs work behind the input that is being handled, whose further effects may end calls that wait
   */
  constructor(most: () => number, later: (work: () => void) => void) {
    this.#most = most;
    this.#later = later;
  }

  /** Calls that ring or are answered. */
  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a place, or waits: `begins` runs then, once, with its place taken. undefined: the place is taken. */
  take(begins: () => void, isFirst = false): WaitingCall | undefined {
    if (this.#waiting.length === 0 && this.#inUse < this.#most()) {
      this.#inUse++;
      return undefined;
    }
    const call = { begins };
    if (isFirst) this.#waiting.splice(this.#firsts++, 0, call);
    else this.#waiting.push(call);
    this.#goOn();
    return call;
  }

  /** A call has ended. */
  free(): void {
    this.#inUse--;
    this.#goOn();
  }

  /** This call waits no more, and does not begin. */
  forget(call: WaitingCall): void {
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#without(at);
  }

  #goOn(): void {
    if (this.#hasNext()) this.#later(() => this.#next());
  }

  #next(): void {
    while (this.#hasNext()) {
      this.#inUse++;
      this.#without(0)?.begins();
    }
  }

  #hasNext(): boolean {
    return this.#waiting.length > 0 && this.#inUse < this.#most();
  }

  #without(at: number): WaitingCall | undefined {
    if (at < this.#firsts) this.#firsts--;
    return this.#waiting.splice(at, 1)[0];
  }
}
