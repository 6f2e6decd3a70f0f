import { subjectMatcher } from '#shared/matching/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';
import type { RecordRequest } from './record-message.ts';

/** Rows looked at in one transaction. */
const STEP_ROWS = 500;

/** Looks at the next rows for a subject, and removes and overwrites those that name it. */
export function eraseStep(
  db: Sqlite,
  { subject, sessions, traces, afterSeq }: Extract<RecordRequest, { kind: 'erase' }>,
): { readonly rows: number; readonly next: number | undefined } {
  const { isIn } = subjectMatcher(subject);
  const belongs = new Set<unknown>([...sessions, ...traces]);
  const rows = db
    .prepare<[number], { seq: number; session_id: string | null; trace_id: string | null; body: string }>(
      `SELECT seq, session_id, trace_id, body FROM record WHERE seq > ? ORDER BY seq LIMIT ${STEP_ROWS}`,
    )
    .all(afterSeq);
  const mine = rows.filter(
    (row) => belongs.has(row.session_id) || belongs.has(row.trace_id) || isIn(row.body),
  );
  db.pragma('secure_delete = ON');
  const remove = db.prepare('DELETE FROM record WHERE seq = ?');
  db.transaction(() => {
    for (const { seq } of mine) remove.run(seq);
  })();
  db.pragma('secure_delete = OFF');
  const next = rows.length === STEP_ROWS ? rows.at(-1)?.seq : undefined;
  // The log of the database still shows what was removed.
  if (next === undefined) db.pragma('wal_checkpoint(TRUNCATE)');
  return { rows: mine.length, next };
}
