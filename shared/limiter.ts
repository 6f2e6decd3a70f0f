/** Lets so many through at once; the others wait in order. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves when it is your turn, with what you call when you are done. Rejects when the signal is given first. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return this.#leaving();
  }

  /** The same without a wait; undefined: as many as may are inside. */
  tryEnter(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free--;
    return this.#leaving();
  }

  #leaving(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', give);
        resolve();
      };
      const give = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', give, { once: true });
      this.#waiting.push(enter);
    });
  }
}
