/**
 * One input at a time to completion: what an effect brings about waits until the input before it is done, effects
 * included. A defect ends the one input that met it and never the loop.
 */
export class Turn {
  readonly #waiting: (() => void)[] = [];
  readonly #afterwards: () => void;
  readonly #onDefect: (cause: unknown) => void;
  #busy = false;

  /** `afterwards` runs when all is quiet again. */
  constructor(afterwards: () => void, onDefect: (cause: unknown) => void) {
    this.#afterwards = afterwards;
    this.#onDefect = onDefect;
  }

  next(input: () => void): void {
    if (this.#busy) {
      this.#waiting.push(input);
      return;
    }
    this.#busy = true;
    this.#guarded(input);
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift())
      this.#guarded(work);
    this.#guarded(this.#afterwards);
    this.#busy = false;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#onDefect(cause);
    }
  }
}
