/**
 * One input at a time to completion: what an effect brings about waits until the input before it is done, effects
 * included. A defect ends the one input that met it and never the loop.
 */
export class Turn {
  /** Those in front are done already, while one runs. */
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
    this.#waiting.push(input);
    if (this.#busy) return;
    this.#busy = true;
    // No `shift`: each would move all that wait.
    for (const work of this.#waiting) this.#guarded(work);
    this.#waiting.length = 0;
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
