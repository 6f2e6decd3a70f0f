import type { DeliveryService } from './delivery-service.ts';
import type { Journal, OutboxRow } from './outbox/index.ts';

/** A callback that was given up, for people: no body, no device. Times in epoch milliseconds. */
export interface DeadLetter {
  readonly id: string;
  readonly seq: number;
  readonly lane: string;
  readonly type: string;
  readonly dest: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** Read at once when all of them are sent again. */
const PAGE = 500;
const LONGEST_ERROR = 200;

/** Dead letters: what they are, and the way back into the outbox. A person decides about it. */
export class Redelivery {
  readonly #journal: Pick<Journal, 'deadLetters' | 'outboxRow'>;
  readonly #delivery: Pick<DeliveryService, 'redeliver'>;

  constructor(
    journal: Pick<Journal, 'deadLetters' | 'outboxRow'>,
    delivery: Pick<DeliveryService, 'redeliver'>,
  ) {
    this.#journal = journal;
    this.#delivery = delivery;
  }

  /** Those after `afterSeq`, oldest first. */
  list(afterSeq: number, limit: number): readonly DeadLetter[] {
    return this.#journal.deadLetters(afterSeq, limit).map(shown);
  }

  /** Sends these again, or all of them; the number of those that were dead letters. */
  replay(ids: readonly string[] | undefined): number {
    if (ids === undefined) return this.#replayAll();
    const rows = [...new Set(ids)].map((id) => this.#journal.outboxRow(id));
    return rows.filter((row) => row?.state === 'dead' && this.#delivery.redeliver(row)).length;
  }

  #replayAll(): number {
    let taken = 0;
    for (let after = 0; ; ) {
      const rows: readonly OutboxRow[] = this.#journal.deadLetters(after, PAGE);
      taken += rows.filter((row) => this.#delivery.redeliver(row)).length;
      after = rows.at(-1)?.seq ?? after;
      if (rows.length < PAGE) return taken;
    }
  }
}

const shown = ({ id, seq, lane, type, dest, createdWall, attempts, lastErr }: OutboxRow): DeadLetter => ({
  id,
  seq,
  lane,
  type,
  dest,
  createdAt: createdWall,
  attempts,
  lastError: lastErr === null ? null : lastErr.slice(0, LONGEST_ERROR),
});
