import type { JournalWrite } from './journal.ts';
import type { ExpirePolicy, OutboxRow } from './row.ts';

/** The two clocks of one moment. */
export interface Now {
  readonly wallMs: number;
  readonly monoMs: number;
}

/**
 * The result of one attempt.
 * - `delivered`: a 2xx; `authIdx` is the credential that was taken.
 * - `refused`: any other answer; `retryAfterS` from its header.
 * - `unreached`: no answer: address refused, no connection, time over, redirect, answer too large.
 */
export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly authIdx?: number }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly reason: string;
      readonly retryAfterS?: number;
    }
  | { readonly kind: 'unreached'; readonly reason: string };

export type OutboxInput =
  /** `Journal.pendingOutbox()` after a start; rows found `inflight` become late records. */
  | { readonly kind: 'recovered'; readonly now: Now; readonly rows: readonly OutboxRow[] }
  /** A row was committed with state `new`. */
  | { readonly kind: 'queued'; readonly now: Now; readonly row: OutboxRow }
  /** A live chain failed: its row (state `inflight` on disk) becomes a late record. */
  | { readonly kind: 'released'; readonly now: Now; readonly row: OutboxRow; readonly reason: string }
  /** A person sends a dead letter again. */
  | { readonly kind: 'redeliver'; readonly now: Now; readonly row: OutboxRow }
  | { readonly kind: 'result'; readonly now: Now; readonly id: string; readonly result: DeliveryResult }
  /** Another host has delivered these, or delivers them now; those under way here are left alone. */
  | { readonly kind: 'withdrawn'; readonly now: Now; readonly ids: ReadonlySet<string> }
  /** A live request was taken (2xx): the destination is there. */
  | { readonly kind: 'reached'; readonly now: Now; readonly dest: string }
  | { readonly kind: 'wake'; readonly now: Now };

export type OutboxEffect =
  /** Send it now; `number` counts from 1 (X-Delivery-Attempt). Exactly one `result` must follow. */
  | { readonly kind: 'attempt'; readonly row: OutboxRow; readonly number: number }
  | { readonly kind: 'write'; readonly write: JournalWrite }
  /** Send `wake` at this monotonic time; replaces the time asked for before. */
  | { readonly kind: 'wakeAt'; readonly monoMs: number }
  /** Platform alarm `callbackFailed` (decisions 6): the row is a dead letter now. */
  | { readonly kind: 'raise'; readonly row: OutboxRow; readonly reason: string };

/** Policy of delivery: everything that must reach a customer, in order, until it has or its time is over. */
export interface Outbox {
  step(input: OutboxInput): readonly OutboxEffect[];
  /** `OutboxRow.deadline` of a row that is made now. */
  deadline(policy: ExpirePolicy, now: Now): number;
  /** A record that is being sent right now. */
  isInFlight(id: string): boolean;
  /** Rows waiting or under way, by destination: for metrics and drain. */
  depth(): ReadonlyMap<string, number>;
}
