import type { SessionRow } from '../../../delivery/outbox/index.ts';
import type { StoredEvents } from '../protocol-adapter.ts';
import { type Written, writtenBody } from '../stored-alarm.ts';

/** The row of an exchange that has no session yet; open, since its parts were acknowledged, until there is one. */
export function partRow(exchange: string, kept: unknown, nowMs: number): SessionRow {
  const written: Written = { version: 2, front: 'scaip', kept, pages: 0 };
  return {
    id: partRowId(exchange),
    traceId: '',
    protocol: 'scaip',
    dedupeKey: exchange,
    dedupeUntilMs: 0,
    body: writtenBody(written),
    createdMs: nowMs,
    updatedMs: nowMs,
    closed: false,
  };
}

/** The row of parts in the commit that stores their event: its session takes its place. */
export const partRowOver = (exchange: string, session: SessionRow): SessionRow => ({
  ...session,
  id: partRowId(exchange),
  dedupeUntilMs: 0,
  closed: true,
});

const partRowId = (exchange: string): string => `part ${exchange}`;

/** Exchanges with parts on the disk whose event is not. */
export class StoredParts implements StoredEvents {
  readonly #exchanges = new Set<string>();

  add(exchange: string): void {
    this.#exchanges.add(exchange);
  }

  has(exchange: string): boolean {
    return this.#exchanges.has(exchange);
  }

  /** The event takes the place of its parts. */
  stored(exchange: string): void {
    this.#exchanges.delete(exchange);
  }

  delete(exchange: string): void {
    this.#exchanges.delete(exchange);
  }
}
