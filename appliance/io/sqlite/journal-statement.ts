import type { JournalWrite } from '../../outbox/index.ts';

/**
 * How each kind of write becomes SQL. The main thread packs a write into its statement's number and values; the
 * writer thread only runs them, so that nothing but flat arrays crosses between the threads.
 */
export type Value = string | number | null;
export type PackedWrite = readonly [statement: number, values: readonly Value[]];

/**
 * Events and outbox rows are written once: the same id again changes nothing, so a commit whose answer was lost can
 * be repeated. A second row under the same seq is a defect and fails.
 */
const sqlByKind: Readonly<Record<JournalWrite['kind'], string>> = {
  session: `INSERT INTO session (id, trace_id, protocol, dedupe_key, dedupe_until, body, created, updated, closed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET dedupe_key = excluded.dedupe_key, dedupe_until = excluded.dedupe_until,
      body = excluded.body, updated = excluded.updated, closed = excluded.closed`,
  event: `INSERT INTO event (id, session_id, ordinal, wall, mono, boot, body)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  outbox: `INSERT INTO outbox (id, seq, lane, tenant, dest, order_key, type, body, created_wall, created_mono, boot,
      epoch, not_before, attempts, deadline, expire_policy, state, late, last_err, auth_idx)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  outboxChange: `UPDATE outbox SET state = coalesce(?, state), not_before = coalesce(?, not_before),
      attempts = coalesce(?, attempts), deadline = coalesce(?, deadline), late = coalesce(?, late),
      last_err = CASE ? WHEN 1 THEN ? ELSE last_err END, auth_idx = coalesce(?, auth_idx),
      settled = coalesce(?, settled)
    WHERE id = ?`,
  acknowledge: `UPDATE outbox SET state = 'done', settled = ?
    WHERE dest = 'cloud' AND state = 'new' AND lane = ? AND seq <= ?`,
  trace: 'INSERT INTO trace (trace_id, session_id, ordinal, at, kind, body) VALUES (?, ?, ?, ?, ?, ?)',
  heartbeat: `INSERT INTO heartbeat (tenant, device_id, status, last, expires, body) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, device_id) DO UPDATE SET status = excluded.status, last = excluded.last,
      expires = excluded.expires, body = excluded.body`,
  heartbeatGone: 'DELETE FROM heartbeat WHERE tenant = ? AND device_id = ?',
  binding: `INSERT INTO binding (tenant, aor, contact, expires, body) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (tenant, aor, contact) DO UPDATE SET expires = excluded.expires, body = excluded.body`,
  bindingGone: 'DELETE FROM binding WHERE tenant = ? AND aor = ? AND contact = ?',
  runningMs: `INSERT INTO meta (key, value) VALUES ('runningMs', ?)
    ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)`,
};

const kinds = Object.keys(sqlByKind);

/** SQL by statement number. */
export const journalStatements: readonly string[] = Object.values(sqlByKind);

export function pack(write: JournalWrite): PackedWrite {
  return [kinds.indexOf(write.kind), values(write)];
}

function values(write: JournalWrite): readonly Value[] {
  switch (write.kind) {
    case 'session': {
      const { row } = write;
      return [
        row.id,
        row.traceId,
        row.protocol,
        row.dedupeKey,
        row.dedupeUntilMs,
        row.body,
        row.createdMs,
        row.updatedMs,
        Number(row.closed),
      ];
    }
    case 'event': {
      const { row } = write;
      return [row.id, row.sessionId, row.ordinal, row.wallMs, row.monoMs, row.boot, row.body];
    }
    case 'outbox': {
      const { row } = write;
      return [
        row.id,
        row.seq,
        row.lane,
        row.tenant,
        row.dest,
        row.orderKey,
        row.type,
        row.body,
        row.createdWall,
        row.createdMono,
        row.boot,
        row.epoch,
        row.notBefore,
        row.attempts,
        row.deadline,
        row.expirePolicy,
        row.state,
        Number(row.late),
        row.lastErr,
        row.authIdx,
      ];
    }
    case 'outboxChange': {
      const { change } = write;
      const settled = change.state === 'done' || change.state === 'dead';
      return [
        change.state ?? null,
        change.notBefore ?? null,
        change.attempts ?? null,
        change.deadline ?? null,
        change.late === undefined ? null : Number(change.late),
        Number(change.lastErr !== undefined),
        change.lastErr ?? null,
        change.authIdx ?? null,
        settled ? write.atMs : null,
        write.id,
      ];
    }
    case 'acknowledge':
      return [write.atMs, write.lane, write.seq];
    case 'trace': {
      const { row } = write;
      return [row.traceId, row.sessionId, row.ordinal, row.atMs, row.kind, row.body];
    }
    case 'heartbeat': {
      const { row } = write;
      return [row.tenant, row.deviceId, row.status, row.lastMs, row.expiresMs, row.body];
    }
    case 'heartbeatGone':
      return [write.tenant, write.deviceId];
    case 'binding': {
      const { row } = write;
      return [row.tenant, row.aor, row.contact, row.expiresMs, row.body];
    }
    case 'bindingGone':
      return [write.tenant, write.aor, write.contact];
    case 'runningMs':
      return [write.ms];
  }
}
