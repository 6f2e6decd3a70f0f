import { type Breaker, closedBreaker } from './breaker.ts';
import type { OutboxRow } from './row.ts';

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
  underWay = false;
  /** Monotonic time of the next attempt while it waits; undefined = not waiting. */
  waitsUntilMs: number | undefined;

  constructor(destination: Destination, key: string) {
    this.destination = destination;
    this.key = key;
  }

  /** In the order of seq; a live event that became a record may be older than what waits here. */
  insert(item: Item): void {
    const first = this.underWay ? 1 : 0;
    let at = this.items.length;
    while (at > first && (this.items[at - 1]?.row.seq ?? 0) > item.row.seq) at--;
    this.items.splice(at, 0, item);
  }
}

/** One receiver: its queues, how many attempts it has under way, and its circuit breaker. */
export class Destination {
  readonly name: string;
  readonly queues = new Map<string, KeyQueue>();
  /** Queues whose first record is due, in the order in which they became so. */
  readonly ready = new Set<KeyQueue>();
  /** Queues that wait because the destination failed, not the record. */
  readonly faulted = new Set<KeyQueue>();
  underWay = 0;
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

  takeReady(): KeyQueue | undefined {
    for (const queue of this.ready) {
      this.ready.delete(queue);
      return queue;
    }
    return undefined;
  }

  get idle(): boolean {
    return this.queues.size === 0 && this.underWay === 0 && this.breaker === closedBreaker;
  }
}
