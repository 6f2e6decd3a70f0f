/**
 * Messages that a broker has not acknowledged yet. The library keeps those of an ended connection for one that continues it, which
 * another client makes here: their senders would wait for ever, and a host with them, for all work for one host is done in order.
 */
export class Publications {
  readonly #failing = new Set<(cause: Error) => void>();

  /** Settles with what is sent, or fails with the connection. */
  async take(sent: Promise<unknown>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#failing.add(reject);
    try {
      await Promise.race([sent, promise]);
    } finally {
      this.#failing.delete(reject);
    }
  }

  /** The connection has ended. A broker may have taken them nevertheless: senders repeat. */
  fail(reason: string): void {
    const failing = [...this.#failing];
    this.#failing.clear();
    for (const reject of failing) reject(new Error(`not published: ${reason}`));
  }
}
