import { Turns } from '#shared/turns.ts';

/** Work in turns by name that no caller waits for: a failure is reported, and the next task runs. */
export class ReportedTurns {
  readonly #turns = new Turns();
  readonly #onFailure: (name: string, error: unknown) => void;

  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(name: string, run: () => Promise<unknown>): void {
    this.#turns.run(name, run).catch((error: unknown) => this.#onFailure(name, error));
  }

  /** Whether work under this name waits or runs. */
  isBusy(name: string): boolean {
    return this.#turns.isBusy(name);
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }
}
