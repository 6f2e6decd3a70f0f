import type { EventRow, SessionRow } from '../../delivery/outbox/index.ts';
import type { Sqlite } from '../sqlite/index.ts';

/** Rows of one read. A read that is longer would keep the writer from shortening its log. */
const PAGE = 100;

type Row = Pick<SessionRow, 'id' | 'traceId' | 'protocol' | 'dedupeKey' | 'body' | 'createdMs'> & {
  readonly row: number;
};

/** Stored sessions in pages, the newest row first, with their events on demand. */
export function storedSessions(db: Sqlite) {
  const page = db.prepare<[number], Row>(
    `SELECT rowid row, id, trace_id traceId, protocol, dedupe_key dedupeKey, body, created createdMs
     FROM session WHERE rowid < ? ORDER BY rowid DESC LIMIT ${PAGE}`,
  );
  const events = db.prepare<[string], EventRow>(
    `SELECT id, session_id sessionId, ordinal, wall wallMs, mono monoMs, boot, body
     FROM event WHERE session_id = ? ORDER BY ordinal`,
  );
  return {
    /** The rows before a position; the last page is not full. */
    before: (row: number): { readonly rows: readonly Row[]; readonly next: number | undefined } => {
      const rows = page.all(row);
      return { rows, next: rows.length < PAGE ? undefined : rows.at(-1)?.row };
    },
    eventsOf: (sessionId: string): readonly EventRow[] => events.all(sessionId),
  };
}
