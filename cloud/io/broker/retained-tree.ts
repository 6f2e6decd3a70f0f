import { Readable } from 'node:stream';

/** The kept fields of a retained message. */
export interface Retained {
  readonly topic: string;
  readonly payload: Uint8Array | string;
}

interface Node<P> {
  readonly children: Map<string, Node<P>>;
  packet: P | undefined;
}

const node = <P>(): Node<P> => ({ children: new Map(), packet: undefined });

/**
 * Retained messages by the levels of their topics (MQTT 3.1.1, 3.3.1.3 and 4.7): a filter costs what it finds. aedes looks
 * at every message for every filter, which is the square of the hosts when all of them come back at once.
 */
export class RetainedTree<P extends Retained> {
  readonly #root = node<P>();

  /** Keeps the latest of its topic; an empty one removes it. */
  async storeRetained(packet: P): Promise<void> {
    const levels = packet.topic.split('/');
    if (packet.payload.length > 0) {
      let at = this.#root;
      for (const level of levels) {
        const next = at.children.get(level) ?? node<P>();
        at.children.set(level, next);
        at = next;
      }
      at.packet = { ...packet };
      return;
    }
    const path = [this.#root];
    for (const level of levels) {
      const next = path.at(-1)?.children.get(level);
      if (next === undefined) return;
      path.push(next);
    }
    const last = path.pop();
    if (last === undefined) return;
    last.packet = undefined;
    // Branches that nothing hangs on any more go with it.
    for (let at: Node<P> = last; at.packet === undefined && at.children.size === 0; ) {
      const [parent, level] = [path.pop(), levels.pop()];
      if (parent === undefined || level === undefined) return;
      parent.children.delete(level);
      at = parent;
    }
  }

  createRetainedStream(filter: string): Readable {
    return this.createRetainedStreamCombi([filter]);
  }

  createRetainedStreamCombi(filters: readonly string[]): Readable {
    return Readable.from(filters.flatMap((filter) => [...this.matching(filter)]));
  }

  *matching(filter: string): Generator<P> {
    yield* below(this.#root, filter.split('/'), 0);
  }
}

function* below<P>(at: Node<P>, filter: readonly string[], depth: number): Generator<P> {
  const wanted = filter[depth];
  if (wanted === '#') {
    yield* everything(at);
    return;
  }
  if (wanted === undefined) {
    if (at.packet !== undefined) yield at.packet;
    return;
  }
  if (wanted === '+') for (const child of at.children.values()) yield* below(child, filter, depth + 1);
  else {
    const child = at.children.get(wanted);
    if (child !== undefined) yield* below(child, filter, depth + 1);
  }
}

function* everything<P>(at: Node<P>): Generator<P> {
  if (at.packet !== undefined) yield at.packet;
  for (const child of at.children.values()) yield* everything(child);
}
