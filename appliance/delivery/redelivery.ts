import type { DeliveryService } from './delivery-service.ts';
import { cloudDestination, type Journal, type OutboxRow } from './outbox/index.ts';

/** A callback that was given up or waits, for people: no body, no device. Times in epoch milliseconds. */
export interface DeadLetter {
  readonly id: string;
  readonly seq: number;
  readonly lane: string;
  readonly type: string;
  readonly dest: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
  /** `waiting`: it is still tried. */
  readonly state: 'dead' | 'waiting';
}

/** Read at once when all of them are sent again. */
const PAGE = 500;
const LONGEST_ERROR = 200;

/** Dead letters: what they are, and the way back into the outbox. A person decides about it. */
export class Redelivery {
  readonly #journal: Pick<Journal, 'deadLetters' | 'outboxRow' | 'pendingOutbox'>;
  readonly #delivery: Pick<DeliveryService, 'redeliver'>;

  constructor(
    journal: Pick<Journal, 'deadLetters' | 'outboxRow' | 'pendingOutbox'>,
    delivery: Pick<DeliveryService, 'redeliver'>,
  ) {
    this.#journal = journal;
    this.#delivery = delivery;
  }

  /** Those after `afterSeq`, oldest first. */
  list(afterSeq: number, limit: number): readonly DeadLetter[] {
    return this.#journal.deadLetters(afterSeq, limit).map((row) => shown(row, 'dead'));
  }

  /** Callbacks that are still tried, those after `afterSeq`, oldest first; rows for the control plane are none. */
  waiting(afterSeq: number, limit: number): readonly DeadLetter[] {
    return this.#journal
      .pendingOutbox()
      .filter(({ seq, dest }) => seq > afterSeq && dest !== cloudDestination)
      .toSorted((a, b) => a.seq - b.seq)
      .slice(0, limit)
      .map((row) => shown(row, 'waiting'));
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

const shown = (
  { id, seq, lane, type, dest, createdWall, attempts, lastErr }: OutboxRow,
  state: DeadLetter['state'],
): DeadLetter => ({
  id,
  seq,
  lane,
  type,
  dest,
  createdAt: createdWall,
  attempts,
  lastError: lastErr === null ? null : lastErr.slice(0, LONGEST_ERROR),
  state,
});
