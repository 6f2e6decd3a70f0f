import type {
  BindingRow,
  EventRow,
  HeartbeatRow,
  Journal,
  Lane,
  OutboxRow,
  PeerRow,
  SessionRow,
  TraceRow,
} from '../../delivery/outbox/index.ts';
import type { Sqlite } from './database/open-sqlite.ts';

export type JournalReads = Pick<
  Journal,
  | 'openSessions'
  | 'session'
  | 'dedupeAnswers'
  | 'events'
  | 'pendingOutbox'
  | 'deadLetters'
  | 'outboxRow'
  | 'pending'
  | 'waiting'
  | 'undelivered'
  | 'peerRows'
  | 'peerRow'
  | 'owedCopies'
  | 'heartbeats'
  | 'bindings'
  | 'trace'
  | 'tracePart'
>;

/** A row as SQLite gives it: truth values are 0 and 1. */
type Stored<Row, Flag extends keyof Row = never> = {
  readonly [K in keyof Row]: K extends Flag ? 0 | 1 : Row[K];
};

const sessionColumns = `id, trace_id traceId, protocol, dedupe_key dedupeKey, dedupe_until dedupeUntilMs, body,
  created createdMs, updated updatedMs, closed, rank`;
const outboxColumns = `id, seq, lane, tenant, dest, order_key orderKey, type, body, created_wall createdWall,
  created_mono createdMono, boot, epoch, not_before notBefore, attempts, deadline, expire_policy expirePolicy,
  state, late, last_err lastErr, auth_idx authIdx, origin`;

/** The largest ids in two tables; '' where there is none. */
export interface NewestIds {
  readonly session: string;
  readonly outbox: string;
}

/** Reads over a connection of its own: they see what is committed and never wait for the writer. */
export function journalReads(db: Sqlite): JournalReads & { readonly newestIds: () => NewestIds } {
  const all = <Row>(sql: string) => db.prepare<unknown[], Row>(sql);

  const openSessions = all<Stored<SessionRow, 'closed'>>(
    `SELECT ${sessionColumns} FROM session WHERE closed = 0 ORDER BY id`,
  );
  const oneSession = all<Stored<SessionRow, 'closed'>>(`SELECT ${sessionColumns} FROM session WHERE id = ?`);
  const dedupeAnswers = all<Stored<SessionRow, 'closed'>>(
    `SELECT ${sessionColumns} FROM session WHERE dedupe_key IS NOT NULL AND dedupe_until > ? ORDER BY dedupe_until`,
  );
  const events = all<EventRow>(
    `SELECT id, session_id sessionId, ordinal, wall wallMs, mono monoMs, boot, body
     FROM event WHERE session_id = ? ORDER BY ordinal`,
  );
  const pendingOutbox = all<Stored<OutboxRow, 'late'>>(
    `SELECT ${outboxColumns} FROM outbox
     WHERE state IN ('new', 'inflight') AND dest <> 'cloud' ORDER BY seq`,
  );
  const deadLetters = all<Stored<OutboxRow, 'late'>>(
    `SELECT ${outboxColumns} FROM outbox WHERE state = 'dead' AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const outboxRow = all<Stored<OutboxRow, 'late'>>(`SELECT ${outboxColumns} FROM outbox WHERE id = ?`);
  const pending = all<Stored<OutboxRow, 'late'>>(
    `SELECT ${outboxColumns} FROM outbox
     WHERE dest = ? AND lane = ? AND seq > ? AND state IN ('new', 'done') ORDER BY seq LIMIT ?`,
  );
  const undelivered = all<Stored<OutboxRow, 'late'>>(
    `SELECT ${outboxColumns} FROM outbox
     WHERE seq > ? AND state IN ('new', 'inflight') AND lane IN ('alarm', 'svc') ORDER BY seq LIMIT ?`,
  );
  const peerRows = all<Stored<PeerRow, 'done'>>(
    'SELECT kind, id, done, body FROM peer_row WHERE origin = ? ORDER BY kind, seq, rowid',
  );
  const peerRow = all<Stored<PeerRow, 'done'>>(
    `SELECT kind, id, done, body FROM peer_row WHERE origin = ? AND kind = 'outbox' AND id = ?`,
  );
  const owedCopies = all<{ id: string; seq: number; madeAt: number }>(
    `SELECT id, seq, json_extract(body, '$.createdWall') madeAt FROM peer_row
     WHERE origin = ? AND seq > ? AND at < ? AND kind = 'outbox' AND done = 0
       AND json_extract(body, '$.origin') IS NULL ORDER BY seq LIMIT ?`,
  );
  // Each half is answered from its own partial index.
  const waiting = all<{ lane: Lane; rows: number }>(
    `SELECT lane, count(*) rows FROM outbox WHERE state = 'new' AND dest = 'cloud' GROUP BY lane
     UNION ALL
     SELECT lane, count(*) rows FROM outbox WHERE state IN ('new', 'inflight') AND dest <> 'cloud' GROUP BY lane`,
  );
  const heartbeats = all<HeartbeatRow>(
    'SELECT tenant, device_id deviceId, status, last lastMs, expires expiresMs, body FROM heartbeat',
  );
  const bindings = all<BindingRow>('SELECT tenant, aor, contact, expires expiresMs, body FROM binding');
  const trace = all<TraceRow>(
    `SELECT trace_id traceId, session_id sessionId, ordinal, at atMs, kind, body
     FROM trace WHERE trace_id = ? ORDER BY at, ordinal, rowid`,
  );

  const newestIds = all<NewestIds>(
    `SELECT coalesce((SELECT max(id) FROM session), '') session, coalesce((SELECT max(id) FROM outbox), '') outbox`,
  );

  return {
    newestIds: () => newestIds.all()[0] ?? { session: '', outbox: '' },
    openSessions: () => openSessions.all().map(session),
    session: (id) => oneSession.all(id).map(session)[0],
    dedupeAnswers: (nowMs) => dedupeAnswers.all(nowMs).map(session),
    events: (sessionId) => events.all(sessionId),
    pendingOutbox: () => pendingOutbox.all().map(outbox),
    deadLetters: (afterSeq, limit) => deadLetters.all(afterSeq, limit).map(outbox),
    outboxRow: (id) => outboxRow.all(id).map(outbox)[0],
    pending: (dest, lane, afterSeq, limit) => pending.all(dest, lane, afterSeq, limit).map(outbox),
    undelivered: (afterSeq, limit) => undelivered.all(afterSeq, limit).map(outbox),
    peerRows: (origin) => peerRows.all(origin).map(peer),
    peerRow: (origin, id) => peerRow.all(origin, id).map(peer)[0],
    owedCopies: (...which) => owedCopies.all(...which),
    waiting: () => {
      const lanes: Record<Lane, number> = { alarm: 0, svc: 0, audit: 0, usage: 0 };
      for (const { lane, rows } of waiting.all()) lanes[lane] += rows;
      return lanes;
    },
    heartbeats: () => heartbeats.all(),
    bindings: () => bindings.all(),
    trace: (traceId) => trace.all(traceId),
    tracePart: tracePartOf(db),
  };
}

function tracePartOf(db: Sqlite): Journal['tracePart'] {
  // The index on the trace id has its rows in the order of their ids: nothing is sorted, and reading stops where it may.
  const pages = db.prepare<[string, number], { readonly id: number; readonly body: string }>(
    'SELECT rowid id, body FROM trace WHERE trace_id = ? AND rowid > ? ORDER BY rowid',
  );
  return (traceId, afterRow, leastBytes) => {
    const found: string[] = [];
    let bytes = 0;
    for (const { id, body } of pages.iterate(traceId, afterRow)) {
      found.push(body);
      bytes += body.length;
      if (bytes >= leastBytes) return { pages: found, nextRow: id };
    }
    return { pages: found, nextRow: undefined };
  };
}

const session = ({ rank, ...row }: Stored<SessionRow, 'closed'>): SessionRow => ({
  ...row,
  closed: row.closed === 1,
  // Rows whose states have no order have none.
  ...(rank && { rank }),
});
const peer = (row: Stored<PeerRow, 'done'>): PeerRow => ({ ...row, done: row.done === 1 });
const outbox = ({ origin, ...row }: Stored<OutboxRow, 'late'>): OutboxRow => ({
  ...row,
  late: row.late === 1,
  ...(origin && { origin }),
});
