import type { Lane, LaneBytes } from '../../delivery/outbox/index.ts';
import type { Sqlite } from './database/open-sqlite.ts';

/** Rows removed at once: a commit that waits behind them waits for milliseconds. */
const STEP_ROWS = 500;

/** Bytes that wait in each lane. */
export function waitingBytes(db: Sqlite): LaneBytes {
  const found = db
    .prepare<[], { lane: Lane; bytes: number }>(
      `SELECT lane, sum(length(body)) bytes FROM outbox WHERE state IN ('new', 'inflight') GROUP BY lane`,
    )
    .all();
  const of = (lane: Lane): number => found.find((each) => each.lane === lane)?.bytes ?? 0;
  return { alarm: of('alarm'), svc: of('svc'), audit: of('audit'), usage: of('usage') };
}

/**
 * Removes the oldest rows of a lane that wait for the cloud until `bytes` are free, at most 500 of them; the feed's `prev`
 * skips the deleted rows. Rows for customers stay. Gives the number of rows removed.
 */
export function dropOldest(db: Sqlite, lane: Lane, bytes: number): number {
  const oldest = db
    .prepare<[string], { seq: number; bytes: number }>(
      `SELECT seq, length(body) bytes FROM outbox WHERE dest = 'cloud' AND state = 'new' AND lane = ?
       ORDER BY seq LIMIT ${STEP_ROWS}`,
    )
    .all(lane);
  let freed = 0;
  const upTo = oldest.find((row) => {
    freed += row.bytes;
    return freed >= bytes;
  });
  const last = upTo ?? oldest.at(-1);
  if (last === undefined) return 0;
  return db
    .prepare(`DELETE FROM outbox WHERE dest = 'cloud' AND state = 'new' AND lane = ? AND seq <= ?`)
    .run(lane, last.seq).changes;
}
