import type { ServerTransaction } from '../../sip/endpoint/index.ts';

/** Requests that came in the dialogs of one leg, by the number that its machines know them by. */
export class ServedBook {
  readonly #servers = new Map<number, ServerTransaction>();
  #last = 0;

  /** Remembers a transaction; those that have their answer and are no INVITE are of no further use. */
  add(server: ServerTransaction): number {
    for (const [number, known] of this.#servers) {
      if (known.answered && (known.method !== 'INVITE' || server.method === 'INVITE'))
        this.#servers.delete(number);
    }
    this.#servers.set(++this.#last, server);
    return this.#last;
  }

  of(number: number): ServerTransaction | undefined {
    return this.#servers.get(number);
  }

  drop(number: number): void {
    this.#servers.delete(number);
  }
}
