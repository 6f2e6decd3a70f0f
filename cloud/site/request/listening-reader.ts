import type { Listened } from '#shared/contract/site/index.ts';
import { type HostWithStatus, keepReading, readListening, type Store } from '../../store/index.ts';
import { type HostPlace, type PolledHost, pollHost } from './copy-poll.ts';
import type { AskHost } from './remote-requests.ts';

/** A stream of events that is read. `over` ends it. */
export interface FollowedListening {
  readonly next: () => Promise<Listened | { readonly event: 'beat' | 'over' }>;
  readonly close: () => void;
}

export interface ReaderPort {
  readonly store: Store;
  readonly ask: AskHost;
  readonly nowMs: () => number;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
  /** Hosts that may send copies. */
  readonly hosts: () => Promise<readonly HostWithStatus[]>;
  /** Callbacks that wait for an answer. */
  readonly waiting: () => Promise<readonly Extract<Listened, { readonly event: 'ask' }>['data'][]>;
}

/** One reading of a listening. */
interface Reading {
  readonly id: string;
  /** It tells readings of one listening apart, at whichever replica they are. */
  readonly name: string;
  readonly by: string;
  readonly filter: string | undefined;
}

/** A stream that was lost with its replica counts as read for so long. */
export const READ_MS = 10_000;
const KEEP_MS = READ_MS / 2;
/** Chosen: hosts are asked twice a second while a stream is read, so that a copy is seen at once. */
const STEP_MS = 500;
/** A stream without events gives a sign of life. */
const BEATS_AFTER = 20;
const MOST_QUEUED = 200;

/** Gathers the events of a listening at the replica where its stream is read. */
export class ListeningReader {
  readonly #port: ReaderPort;
  readonly #reading: Reading;
  readonly #queue: Listened[] = [];
  readonly #hosts = new Map<string, PolledHost>();
  readonly #asked = new Set<string>();
  #keptUntilMs: number;
  #copies = 0;
  #seq = 0;
  #silent = 0;
  #isStirred = true;
  #polling: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(port: ReaderPort, reading: Reading) {
    this.#port = port;
    this.#reading = reading;
    this.#keptUntilMs = port.nowMs() + READ_MS;
  }

  /** The row of the listening, or a callback of it, has changed. */
  stir(): void {
    this.#isStirred = true;
    this.#wake();
  }

  /** Copies that were sent and are not counted in the row yet. */
  takeCopies(): number {
    const copies = this.#copies;
    this.#copies = 0;
    return copies;
  }

  async next(): ReturnType<FollowedListening['next']> {
    for (;;) {
      if (this.#isStirred && !(await this.#look())) return { event: 'over' };
      const waiting = this.#queue.shift();
      if (waiting !== undefined) return waiting;
      if (this.#silent >= BEATS_AFTER) {
        this.#silent = 0;
        return { event: 'beat' };
      }
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = undefined;
        this.#isStirred = true;
      });
      // A change meanwhile is looked at first.
      if (!this.#isStirred) await Promise.race([this.#polling, woken]);
    }
  }

  /** Whether this reading is still the one of its listening. */
  async #look(): Promise<boolean> {
    this.#isStirred = false;
    const { store, nowMs, waiting } = this.#port;
    const { id, name } = this.#reading;
    const row = await readListening(store, id);
    if (row?.reader !== name || row.expiresAt <= nowMs()) return false;
    if (this.#keptUntilMs - nowMs() < KEEP_MS) {
      this.#keptUntilMs = nowMs() + READ_MS;
      await store.withTx((tx) => keepReading(tx, { id, reader: name }, this.#keptUntilMs, this.takeCopies()));
    }
    for (const data of await waiting())
      if (!this.#asked.has(data.requestId)) {
        this.#asked.add(data.requestId);
        this.#push({ event: 'ask', data });
      }
    return true;
  }

  #push(event: Omit<Listened, 'id'>): void {
    this.#seq += 1;
    this.#silent = 0;
    if (event.event === 'copy') this.#copies += 1;
    this.#queue.push({ ...event, id: String(this.#seq) } as Listened);
    // A reader that is too slow loses the oldest copies, never an ask that a receiver waits for.
    if (this.#queue.length > MOST_QUEUED)
      this.#queue.splice(
        Math.max(
          0,
          this.#queue.findIndex((each) => each.event !== 'ask'),
        ),
        1,
      );
    this.#wake();
  }

  async #poll(): Promise<void> {
    const { by, filter } = this.#reading;
    await Promise.all(
      (await this.#port.hosts()).map(async ({ host: { uid, hostId } }) => {
        const known = this.#hosts.get(uid) ?? { after: undefined, againAt: 0, trouble: undefined };
        this.#hosts.set(uid, known);
        const place: HostPlace = { uid, hostId, by: `user:${by}`, filter };
        for (const event of await pollHost(this.#port, place, known)) this.#push(event);
      }),
    );
    this.#silent += 1;
    await new Promise<void>((resolve) => this.#port.after(STEP_MS, resolve));
  }
}
