/** One thing after the other for each name; different names do not wait for each other. */
export class Turns {
  readonly #chains = new Map<string, Promise<void>>();
  readonly #onFailure: (name: string, error: unknown) => void;

  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** A failure is reported, and the next task runs. */
  add(name: string, run: () => Promise<unknown>): void {
    const done = (this.#chains.get(name) ?? Promise.resolve())
      .then(run)
      .catch((error: unknown) => this.#onFailure(name, error))
      .then(() => {
        if (this.#chains.get(name) === done) this.#chains.delete(name);
      });
    this.#chains.set(name, done);
  }

  /** Whether work under this name waits or runs. */
  isBusy(name: string): boolean {
    return this.#chains.has(name);
  }

  async idle(): Promise<void> {
    while (this.#chains.size > 0) await Promise.all(this.#chains.values());
  }
}
