import type { JournalWrite } from '../../delivery/outbox/index.ts';

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
  session: `INSERT INTO session (id, trace_id, protocol, dedupe_key, dedupe_until, body, created, updated, closed, rank)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET dedupe_key = excluded.dedupe_key, dedupe_until = excluded.dedupe_until,
      body = excluded.body, updated = excluded.updated, closed = excluded.closed, rank = excluded.rank
    WHERE excluded.rank >= session.rank`,
  event: `INSERT INTO event (id, session_id, ordinal, wall, mono, boot, body)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  outbox: `INSERT INTO outbox (id, seq, lane, tenant, dest, order_key, type, body, created_wall, created_mono, boot,
      epoch, not_before, attempts, deadline, expire_policy, state, late, last_err, auth_idx, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
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
  outboxGone: 'DELETE FROM outbox WHERE id = ?',
  peerPut: `INSERT INTO peer_row (origin, kind, id, lane, dest, seq, at, done, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
    ON CONFLICT (origin, kind, id) DO UPDATE SET body = excluded.body, at = excluded.at, done = 0, seq = excluded.seq
    WHERE excluded.seq >= peer_row.seq OR kind <> 'session'`,
  peerDone: `UPDATE peer_row SET done = 1 WHERE origin = ? AND kind = 'outbox' AND id = ?`,
  peerGone: `DELETE FROM peer_row WHERE origin = ? AND kind = 'outbox' AND id = ?`,
  peerAcked: `UPDATE peer_row SET done = 1
    WHERE origin = ? AND lane = ? AND seq <= ? AND kind = 'outbox' AND dest = 'cloud' AND done = 0`,
  epoch: `INSERT INTO meta (key, value) VALUES ('epoch', ?)
    ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)`,
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
        row.rank ?? 0,
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
        row.origin ?? null,
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
    case 'outboxGone':
      return [write.id];
    case 'peerPut': {
      const { origin, what, row, atMs } = write;
      // Sessions have no number of their own: what orders their states stands in its place.
      const order = what === 'session' ? row.rank : row.seq;
      const seq = typeof order === 'number' ? order : 0;
      return [origin, what, row.id, text(row.lane), text(row.dest), seq, atMs, JSON.stringify(row)];
    }
    case 'peerDone':
    case 'peerGone':
      return [write.origin, write.id];
    case 'peerAcked':
      return [write.origin, write.lane, write.seq];
    case 'epoch':
      return [write.epoch];
    case 'runningMs':
      return [write.ms];
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
