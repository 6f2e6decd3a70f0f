/** `Chosen:` so many hold up the main thread for some 20 ms. */
const MOST = 100;

interface HeartbeatBatchPort<Heartbeat> {
  /** Calls once, a moment later. */
  readonly soon: (run: () => void) => void;
  readonly take: (heartbeat: Heartbeat) => void;
}

/**
 * Takes the heartbeats of a moment one behind the other. The heartbeats of thousands of hosts come one by one, and between two of them
 * the processor does other work: each would find the program and its data in none of the processor's caches.
 *
 *     add ── wait for the first one's moment, for the hundredth, or for `flush` ──▶ take, in the order in which they came
 */
export class HeartbeatBatch<Heartbeat> {
  readonly #port: HeartbeatBatchPort<Heartbeat>;
  #waiting: Heartbeat[] = [];

  constructor(port: HeartbeatBatchPort<Heartbeat>) {
    this.#port = port;
  }

  add(heartbeat: Heartbeat): void {
    const count = this.#waiting.push(heartbeat);
    if (count >= MOST) this.flush();
    else if (count === 1) this.#port.soon(() => this.flush());
  }

  /** Takes those that wait now: before another message of a host, a verdict, or the end. */
  flush(): void {
    const heartbeats = this.#waiting;
    this.#waiting = [];
    for (const heartbeat of heartbeats) this.#port.take(heartbeat);
  }
}
