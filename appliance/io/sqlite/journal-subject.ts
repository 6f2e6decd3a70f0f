import { subjectMatcher } from '#shared/matching/index.ts';
import type { SubjectRow, SubjectStep, SubjectStepRequest } from '../../delivery/outbox/index.ts';
import type { Sqlite } from './database/open-sqlite.ts';

/** Rows that are looked at between two commits of alarms. */
const STEP_ROWS = 500;
/** Read rows of one step together; the reader goes on behind the last one. */
const READ_CHARS = 256 * 1_024;

/** `place` is the rowid: SQLite gives a key that is one its own name. */
type Row = Readonly<Record<string, unknown>> & { readonly place: number; readonly body: string };

/** How one table takes part. */
interface Table {
  readonly kind: SubjectRow['kind'];
  readonly table: string;
  readonly columns: string;
  /** Column with the age of a row. */
  readonly born: string;
  /** Ids of the sessions and traces that the row belongs to. */
  readonly belongs: (row: Row) => readonly unknown[];
  /** SQL: its work is over, it may go. */
  readonly over: string;
  /** SQL: a receiver still waits for it. */
  readonly owed?: string;
}

/** Sessions last: until they go, what belongs to them is known to. */
const TABLES: readonly Table[] = [
  {
    ...{ kind: 'event', table: 'event', columns: 'id, session_id, ordinal, wall', born: 'wall' },
    belongs: (row) => [row.session_id],
    over: 'session_id NOT IN (SELECT id FROM session WHERE closed = 0)',
  },
  {
    ...{ kind: 'message', table: 'outbox', columns: 'id, lane, dest, order_key, type, created_wall, state' },
    born: 'created_wall',
    belongs: (row) => [row.order_key],
    over: `state IN ('done', 'dead')`,
    owed: `state IN ('new', 'inflight')`,
  },
  {
    ...{ kind: 'copy', table: 'peer_row', columns: 'id, origin, kind, at, done', born: 'at' },
    belongs: copyBelongs,
    over: `(done = 1 OR kind <> 'outbox')`,
    owed: `(done = 0 AND kind = 'outbox')`,
  },
  {
    ...{ kind: 'trace', table: 'trace', columns: 'trace_id, session_id, ordinal, at', born: 'at' },
    belongs: (row) => [row.session_id, row.trace_id],
    over: '(session_id IS NULL OR session_id NOT IN (SELECT id FROM session WHERE closed = 0))',
  },
  {
    ...{ kind: 'session', table: 'session', columns: 'id, trace_id, protocol, created, updated, closed' },
    born: 'updated',
    belongs: (row) => [row.id],
    over: 'closed = 1',
  },
];

/** Looks at the next rows of one table for a subject's data, within one short transaction of the writer. */
export function subjectStep(db: Sqlite, request: SubjectStepRequest): SubjectStep {
  const nothing: SubjectStep = { found: [], rows: [], removed: {}, owed: 0 };
  const { work, subject, position, beforeMs } = request;
  if (work === 'forget') return { ...nothing, removed: forget(db, request) };
  const table = TABLES[position.table];
  if (table === undefined) return nothing;
  const which =
    work === 'remove' ? ` AND ${table.over}` : work === 'count' ? ` AND ${table.owed ?? '0'}` : '';
  const { isIn } = subjectMatcher(subject);
  const known = new Set<unknown>([...request.sessions, ...request.traces]);
  const all = db
    .prepare<unknown[], Row>(
      `SELECT rowid AS place, ${table.columns}, body FROM ${table.table}
       WHERE rowid > ? AND ${table.born} < ?${which} ORDER BY rowid LIMIT ${STEP_ROWS}`,
    )
    .all(position.afterRow, beforeMs);
  let chars = 0;
  let last = all.at(-1)?.place ?? 0;
  const mine: Row[] = [];
  for (const row of all) {
    if (!table.belongs(row).some((id) => known.has(id)) && !isIn(row.body) && !isIn(namesOf(row))) continue;
    mine.push(row);
    chars += row.body.length;
    if (work !== 'read' || chars < READ_CHARS) continue;
    last = row.place;
    break;
  }
  const whole = all.length === STEP_ROWS || last !== all.at(-1)?.place;
  const next =
    whole && all.length > 0 ? { ...position, afterRow: last } : { table: position.table + 1, afterRow: 0 };
  return {
    found: work === 'find' ? mine.flatMap((row) => foundIn(table, row)) : [],
    rows: work === 'read' ? mine.map((row) => shownRow(table, row)) : [],
    removed: work === 'remove' && mine.length > 0 ? { [table.kind]: removeRows(db, table, mine) } : {},
    owed: work === 'count' ? mine.length : 0,
    ...(next.table < TABLES.length && { next }),
  };
}

/** Columns other than the body that may name a person. */
const namesOf = (row: Row): string =>
  typeof row.order_key === 'string' ? JSON.stringify(row.order_key) : '';

function foundIn({ kind }: Table, row: Row): SubjectStep['found'] {
  if (kind === 'session')
    return [{ sessionId: String(row.id), traceId: String(row.trace_id), open: row.closed === 0 }];
  if (kind === 'event') return [{ sessionId: String(row.session_id), open: false }];
  if (kind !== 'copy' || row.kind === 'outbox') return [];
  const copy = parsed(row.body);
  if (row.kind === 'event') return [{ sessionId: String(copy.sessionId), open: false }];
  return [{ sessionId: String(row.id), traceId: String(copy.traceId), open: copy.closed === false }];
}

/** Ids in a row that another host has left here. */
function copyBelongs(row: Row): readonly unknown[] {
  const { sessionId, orderKey } = parsed(row.body);
  return [row.id, sessionId, orderKey];
}

function shownRow({ kind }: Table, { place, body, ...columns }: Row): SubjectRow {
  return { kind, row: place, shown: { ...columns, body: parsed(body) } };
}

/** A body that is no JSON is shown as it is. */
function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return { text: body };
  }
}

/** Removed data are overwritten too, so that free pages of the file do not show them. */
function removeRows(db: Sqlite, { table }: Table, rows: readonly Row[]): number {
  db.pragma('secure_delete = ON');
  const remove = db.prepare(`DELETE FROM ${table} WHERE rowid = ?`);
  db.transaction(() => {
    for (const { place } of rows) remove.run(place);
  })();
  db.pragma('secure_delete = OFF');
  return rows.length;
}

function forget(db: Sqlite, { subject }: SubjectStepRequest): Readonly<Record<string, number>> {
  if (!('deviceId' in subject)) return {};
  const { isIn } = subjectMatcher(subject);
  const heartbeat = db.prepare('DELETE FROM heartbeat WHERE device_id = ?').run(subject.deviceId).changes;
  const bindings = db
    .prepare<unknown[], { tenant: string; aor: string; contact: string; body: string }>(
      'SELECT tenant, aor, contact, body FROM binding',
    )
    .all()
    .filter(({ aor, body }) => isIn(JSON.stringify(aor)) || isIn(body));
  const remove = db.prepare('DELETE FROM binding WHERE tenant = ? AND aor = ? AND contact = ?');
  for (const { tenant, aor, contact } of bindings) remove.run(tenant, aor, contact);
  return { heartbeat, registration: bindings.length };
}
