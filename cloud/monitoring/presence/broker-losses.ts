import { longestWaitMs, STABLE_CONNECTION_MS } from '#shared/contract/feed/index.ts';
import { reconnectMs } from './profile.ts';

/**
 * Losses of brokers, one after the other. A host that loses its connection again within a minute goes on with the back-off of the loss
 * before, as if it had been away since the first of them: a broker that was away for a moment may then keep it waiting for a minute, or for
 * five.
 *
 *     loss ── back ── less than a minute ── loss ── back ── … ── loss ── the longest wait since the first loss ──▶ all are back
 *
 * `Chosen:` a broker counts as lost when half of the shards have lost one. A single connection of an owner that breaks is nothing that hosts
 * notice.
 */
export class BrokerLosses {
  /** Shards concerned since the last one that counted. */
  readonly #shards = new Set<string>();
  #beganMs = Number.NEGATIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** A shard of `known` lost a broker. `fromMs`: since when its hosts found none; now, where another broker serves them. */
  note(sh: string, known: number, fromMs: number, nowMs: number): void {
    this.#shards.add(sh);
    if (2 * this.#shards.size < known) return;
    this.#shards.clear();
    const endsMs = this.#lastMs + STABLE_CONNECTION_MS + longestWaitMs(this.#lastMs - this.#beganMs);
    if (!(fromMs < endsMs)) this.#beganMs = fromMs;
    this.#lastMs = nowMs;
  }

  /** Until then a host may still wait for its next try. */
  get backMs(): number {
    return this.#lastMs + reconnectMs(this.#lastMs - this.#beganMs);
  }
}
