import type { Flow } from '../../sip/endpoint/index.ts';

/** How a message reached us: the way back through whatever stands between. */
export interface MessageWay {
  readonly flow: Flow;
  /** Who it was for: an answer may come from there. */
  readonly us: string;
  readonly atMs: number;
}

/** Chosen: longer than any pinhole of a NAT lives. */
const KEPT_MS = 30 * 60_000;
const MOST = 20_000;

/** Ways of messages by the address an answer goes to, and by the name of the sender; the newest counts. */
export class WayBook {
  /** Insertion order is order of time. */
  readonly #ways = new Map<string, MessageWay>();

  keep(keys: readonly string[], way: MessageWay): void {
    for (const key of keys) {
      this.#ways.delete(key);
      this.#ways.set(key, way);
    }
    for (const [key, { atMs }] of this.#ways) {
      if (way.atMs - atMs < KEPT_MS && this.#ways.size <= MOST) return;
      this.#ways.delete(key);
    }
  }

  find(key: string, nowMs: number): MessageWay | undefined {
    const way = this.#ways.get(key);
    return way !== undefined && nowMs - way.atMs < KEPT_MS ? way : undefined;
  }

  /** The connection is gone, and with it the way. */
  closed(connection: number): void {
    for (const [key, { flow }] of this.#ways) if (flow.connection === connection) this.#ways.delete(key);
  }
}
