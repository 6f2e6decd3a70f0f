import type { ServerTransaction } from '../../../sip/endpoint/index.ts';

/** Requests that came in the dialogs of one leg, by the number that its machines know them by. */
export class PendingRequests {
  readonly #servers = new Map<number, ServerTransaction>();
  #last = 0;

  /** Remembers a transaction; those that have their answer are of no further use, but for a 2xx that may have to be said again. */
  add(server: ServerTransaction): number {
    for (const [number, known] of this.#servers) {
      // 13.3.1.4: a 2xx is also repeated while a re-INVITE that came before the ACK waits.
      if (known.answered && known.state !== 'Accepted') this.#servers.delete(number);
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
