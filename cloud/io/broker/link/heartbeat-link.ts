import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { heartbeatFilter } from '#shared/contract/feed/index.ts';
import { sendAtOnce } from '#shared/mqtt/index.ts';
import { every } from '#shared/timer/index.ts';
import { type Dial, inTime } from './owner-link.ts';
import { processSession } from './process-session.ts';

export interface HeartbeatLinkSetting {
  /** One for each process, so that no other connection pushes it out. */
  readonly clientId: string;
  readonly dial: Extract<Dial, { kind: 'url' }>;
  readonly onMessage: (topic: string, payload: Buffer) => void;
}

/** Learns whether the heartbeats of a shard come. `onDown` may come again for each try that fails. */
export interface HeartbeatListener {
  readonly onUp: () => void;
  readonly onDown: (reason: string) => void;
}

/**
 * `Chosen:` heartbeats lie at the socket for so long; a verdict about a host comes 45 s behind its last one at the earliest. In the moment
 * of the other work of each second, so that the process wakes once for all of it.
 */
const EVERY_MS = 1_000;
const CLOSED = 'the broker closed the connection';
const nothing = (): void => undefined;

/**
 * The connection of a process by which the heartbeats of all its shards come. They are nearly all that hosts say, and each that is read alone
 * wakes the process and finds the program in none of the processor's caches: one that is read with others costs a third with 2,500 hosts. The
 * session is new each time and QoS 0: a heartbeat that was missed is no news later.
 *
 *     paused ── the second is over and something has come, or `after` ──▶ reading ── two turns of the event loop ──▶ paused
 */
export class HeartbeatLink {
  readonly #client: MqttClient;
  readonly #listeners = new Map<string, HeartbeatListener>();
  readonly #stopTimer: () => void;
  #reason = CLOSED;
  #isReading = false;
  /** Subscriptions on their way: a shard that changes hands waits for their answers. */
  #unanswered = 0;
  /** Wait for the end of this turn of the event loop, and for that of the next one. */
  #arrived: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  /** Wait for the end of this reading. */
  #ends: (() => void)[] = [];

  constructor({ clientId, dial, onMessage }: HeartbeatLinkSetting) {
    const options: IClientOptions & { readonly highWaterMark: number } = {
      ...processSession(clientId, dial),
      // A paused connection reads no more than one piece; what follows lies with the kernel and wakes no program.
      highWaterMark: 1,
    };
    const client = connect(dial.url, options);
    this.#client = client;
    client.on('message', onMessage);
    client.on('error', ({ message }) => {
      this.#reason = message;
    });
    client.on('connect', () => {
      sendAtOnce(client.stream);
      this.#reason = CLOSED;
      this.#subscribe([...this.#listeners.keys()]);
      this.#rest();
    });
    client.on('close', () => {
      for (const { onDown } of this.#listeners.values()) onDown(this.#reason);
    });
    this.#stopTimer = every(EVERY_MS, () => {
      if (client.connected && client.stream.readableLength > 0) this.after(nothing);
    });
  }

  /** Listens to the heartbeats of a shard until the returned function is called. */
  serve(sh: string, listener: HeartbeatListener): () => void {
    this.#listeners.set(sh, listener);
    if (this.#client.connected) this.#subscribe([sh]);
    return () => {
      if (this.#listeners.get(sh) !== listener) return;
      this.#listeners.delete(sh);
      if (this.#client.connected) this.#client.unsubscribeAsync(heartbeatFilter(sh)).catch(nothing);
    };
  }

  /**
   * Runs behind the heartbeats that the broker has sent until now, in the order of the calls: another message of a host was sent behind them,
   * and its connection is read at once.
   */
  after(run: () => void): void {
    if (!this.#isReading && !this.#client.connected) {
      run();
      return;
    }
    this.#arrived.push(run);
    if (this.#isReading) return;
    this.#isReading = true;
    this.#client.stream.resume();
    setImmediate(() => this.#turn());
  }

  /** Runs at the end of the reading that goes on. False: nothing is read now, or heartbeats come one by one while shards are subscribed to. */
  atEnd(run: () => void): boolean {
    if (this.#isReading) this.#ends.push(run);
    return this.#isReading;
  }

  async close(): Promise<void> {
    this.#stopTimer();
    this.#listeners.clear();
    this.#client.stream.resume();
    await inTime(this.#client, () => this.#client.endAsync(!this.#client.connected));
  }

  /** A message is taken behind one whole turn, in which everything that lay at the socket was read. */
  #turn(): void {
    const runs = this.#waiting;
    this.#waiting = this.#arrived;
    this.#arrived = [];
    for (const run of runs) run();
    if (this.#waiting.length > 0 || this.#arrived.length > 0) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#isReading = false;
    this.#rest();
    for (const end of this.#ends.splice(0)) end();
  }

  #rest(): void {
    if (this.#client.connected && !this.#isReading && this.#unanswered === 0) this.#client.stream.pause();
  }

  #subscribe(shards: readonly string[]): void {
    if (shards.length === 0) return;
    const asked = shards.map((sh) => [sh, this.#listeners.get(sh)] as const);
    this.#unanswered++;
    this.#client.stream.resume();
    this.#client
      .subscribeAsync(shards.map(heartbeatFilter), { qos: 0 })
      .then(
        () => {
          for (const [sh, listener] of asked) if (this.#listeners.get(sh) === listener) listener?.onUp();
        },
        ({ message }: Error) => {
          // Refused, or the connection has ended already; it tries again.
          this.#reason = message;
          this.#client.stream.destroy();
        },
      )
      .finally(() => {
        this.#unanswered--;
        this.#rest();
      });
  }
}
