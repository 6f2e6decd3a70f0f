import type { Flow } from '../../sip/endpoint/index.ts';

/** How a message reached us: the way back through whatever stands between. */
export interface MessageReplyPath {
  readonly flow: Flow;
  /** URI of its From. */
  readonly device: string;
  /** Further ports at which it may listen. */
  readonly ports: readonly number[];
  /** A secret of the device stood behind it. */
  readonly proven: boolean;
  /** Since when messages of this name have come from there, without a gap of half an hour; epoch ms. */
  readonly sinceMs: number;
  /** The recipient of the message: an answer may name it as its sender. */
  readonly us: string;
  readonly atMs: number;
}

/** Chosen: longer than any pinhole of a NAT lives. */
const KEPT_MS = 30 * 60_000;
const MOST = 20_000;

/** Chosen: addresses of one name that are remembered at once. */
const MOST_OF_NAME = 4;

/**
 * Ways of messages by the address an answer goes to, where the newest counts, and by the name of the sender. A name is easily
 * copied: each address has a way of its own under it, a proven one stands in front, then the one that was there first.
 */
export class ReplyPathTable {
  /** Insertion order is order of time. */
  readonly #replyPaths = new Map<string, MessageReplyPath>();
  readonly #named = new Map<string, readonly MessageReplyPath[]>();

  keep(key: string, name: string, replyPath: MessageReplyPath): void {
    this.#replyPaths.delete(key);
    this.#replyPaths.set(key, replyPath);
    const known = this.#live(name, replyPath.atMs);
    const at = known.findIndex(({ flow }) => flow.remoteAddress === replyPath.flow.remoteAddress);
    const sinceMs = known[at]?.sinceMs ?? replyPath.sinceMs;
    const replyPaths = at < 0 ? [...known, replyPath] : known.with(at, { ...replyPath, sinceMs });
    const ranked = replyPaths.toSorted((a, b) => Number(b.proven) - Number(a.proven));
    this.#named.delete(name);
    this.#named.set(name, ranked.slice(0, MOST_OF_NAME));
    for (const [old, { atMs }] of this.#replyPaths) {
      if (replyPath.atMs - atMs < KEPT_MS && this.#replyPaths.size <= MOST) break;
      this.#replyPaths.delete(old);
    }
    for (const old of this.#named.keys()) {
      if (this.#live(old, replyPath.atMs).length > 0 && this.#named.size <= MOST) return;
      this.#named.delete(old);
    }
  }

  find(key: string, nowMs: number): MessageReplyPath | undefined {
    const replyPath = this.#replyPaths.get(key);
    return replyPath !== undefined && nowMs - replyPath.atMs < KEPT_MS ? replyPath : undefined;
  }

  /** Every way of a name, in the order to try. */
  named(name: string, nowMs: number): readonly MessageReplyPath[] {
    return this.#live(name, nowMs);
  }

  /** The connection is closed, and the path with it. */
  closed(connection: number): void {
    for (const [key, { flow }] of this.#replyPaths)
      if (flow.connection === connection) this.#replyPaths.delete(key);
    for (const [name, replyPaths] of this.#named) {
      const left = replyPaths.filter(({ flow }) => flow.connection !== connection);
      if (left.length === replyPaths.length) continue;
      if (left.length === 0) this.#named.delete(name);
      else this.#named.set(name, left);
    }
  }

  #live(name: string, nowMs: number): readonly MessageReplyPath[] {
    return (this.#named.get(name) ?? []).filter(({ atMs }) => nowMs - atMs < KEPT_MS);
  }
}
