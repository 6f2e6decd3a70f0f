import { subjectMatcher } from '#shared/matching/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';
import type { NamedRow, RecordRequest } from './record-message.ts';

/** Rows looked at in one transaction. */
const STEP_ROWS = 500;

type SubjectRequest = Extract<RecordRequest, { kind: 'named' | 'erase' }>;

/** Looks at the next rows for those that name a subject, or belong to its sessions and traces. */
export function namedStep(
  db: Sqlite,
  { subject, sessions, traces, afterSeq }: SubjectRequest,
): { readonly found: readonly NamedRow[]; readonly next: number | undefined } {
  const { isIn } = subjectMatcher(subject);
  const belongs = new Set<unknown>([...sessions, ...traces]);
  const rows = db
    .prepare<[number], { seq: number; session_id: string | null; trace_id: string | null; body: string }>(
      `SELECT seq, session_id, trace_id, body FROM record WHERE seq > ? ORDER BY seq LIMIT ${STEP_ROWS}`,
    )
    .all(afterSeq);
  const found = rows
    .filter((row) => belongs.has(row.session_id) || belongs.has(row.trace_id) || isIn(row.body))
    .map(({ seq, body }) => ({ seq, body }));
  return { found, next: rows.length === STEP_ROWS ? rows.at(-1)?.seq : undefined };
}

/** Removes and overwrites the next rows of a subject. */
export function eraseStep(
  db: Sqlite,
  request: SubjectRequest,
): { readonly rows: number; readonly next: number | undefined } {
  const { found: mine, next } = namedStep(db, request);
  db.pragma('secure_delete = ON');
  const remove = db.prepare('DELETE FROM record WHERE seq = ?');
  db.transaction(() => {
    for (const { seq } of mine) remove.run(seq);
  })();
  db.pragma('secure_delete = OFF');
  // The log of the database still shows what was removed.
  if (next === undefined) db.pragma('wal_checkpoint(TRUNCATE)');
  return { rows: mine.length, next };
}
