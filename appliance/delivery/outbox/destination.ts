import { type Breaker, closedBreaker } from './breaker.ts';
import { isYielding, type OutboxRow } from './row.ts';

/** One record and what this life of the program knows of it. */
export interface Item {
  row: OutboxRow;
  /** Answers that said the record is not wanted. */
  refusals: number;
}

/** Records of one (dest, orderKey): strictly in order, the first one only is ever under way. */
export class KeyQueue {
  readonly destination: Destination;
  readonly key: string;
  readonly items: Item[] = [];
  isInFlight = false;
  /** Monotonic time of the next attempt while it waits; undefined = not waiting. */
  waitsUntilMs: number | undefined;

  constructor(destination: Destination, key: string) {
    this.destination = destination;
    this.key = key;
  }

  /** In the order of seq; a live event that became a record may be older than what waits here. */
  insert(item: Item): void {
    const first = this.isInFlight ? 1 : 0;
    let at = this.items.length;
    while (at > first && (this.items[at - 1]?.row.seq ?? 0) > item.row.seq) at--;
    this.items.splice(at, 0, item);
  }
}

/** Queues in the order in which they became ready; those of known devices come first. */
class ReadyQueues {
  readonly #first = new Set<KeyQueue>();
  readonly #last = new Set<KeyQueue>();

  get size(): number {
    return this.#first.size + this.#last.size;
  }

  add(queue: KeyQueue): void {
    const row = queue.items[0]?.row;
    const [own, other] =
      row !== undefined && isYielding(row) ? [this.#last, this.#first] : [this.#first, this.#last];
    other.delete(queue);
    own.add(queue);
  }

  delete(queue: KeyQueue): void {
    this.#first.delete(queue);
    this.#last.delete(queue);
  }

  /** `alsoLast`: where no known device waits, one that gives way. */
  take(alsoLast: boolean): KeyQueue | undefined {
    const [first] = this.#first;
    const [last] = first === undefined && alsoLast ? this.#last : [];
    const queue = first ?? last;
    if (queue !== undefined) this.delete(queue);
    return queue;
  }
}

/** One receiver: its queues, how many attempts it has under way, and its circuit breaker. */
export class Destination {
  readonly name: string;
  readonly queues = new Map<string, KeyQueue>();
  /** Queues whose first record is due. */
  readonly ready = new ReadyQueues();
  /** Queues that wait because the destination failed, not the record. */
  readonly faulted = new Set<KeyQueue>();
  inFlight = 0;
  /** How many of these give way. */
  yielding = 0;
  breaker: Breaker = closedBreaker;
  /** Probe time for which a wake-up was asked. */
  probeAskedMs: number | undefined;

  constructor(name: string) {
    this.name = name;
  }

  queue(key: string): KeyQueue {
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const made = new KeyQueue(this, key);
    this.queues.set(key, made);
    return made;
  }

  /** Chosen: records that give way have a quarter of the places, so that a known device finds one at once. */
  takeReady(most: number): KeyQueue | undefined {
    return this.ready.take(this.yielding < Math.max(1, most / 4));
  }

  get idle(): boolean {
    return this.queues.size === 0 && this.inFlight === 0 && this.breaker === closedBreaker;
  }
}
