/** One thing after the other for each name; different names do not wait for each other. */
export class Turns {
  /** By name: settled when the last thing that waits or is under way has ended, well or not. */
  readonly #chains = new Map<string, Promise<void>>();

  /** Settles as the work does. Work that fails lets the next one go on. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const answer = (this.#chains.get(name) ?? Promise.resolve()).then(work);
    const done = answer.then(ignore, ignore).then(() => {
      if (this.#chains.get(name) === done) this.#chains.delete(name);
    });
    this.#chains.set(name, done);
    return answer;
  }

  /** Whether work under this name waits or runs. */
  isBusy(name: string): boolean {
    return this.#chains.has(name);
  }

  async idle(): Promise<void> {
    while (this.#chains.size > 0) await Promise.all(this.#chains.values());
  }
}

const ignore = (): void => undefined;
