/**
 * Schema of `journal.db`, forward only.
 *
 * Chosen: few indexes, since every index is one more page in every synced commit. Rows age in rowid order, so that
 * retention walks from the oldest and needs no index on time. `seq` is AUTOINCREMENT: numbers of removed rows are
 * not given again, because the cloud acknowledges by number. Bodies stand last, so that looking at a row's age does
 * not read them.
 */
export const journalMigrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

  CREATE TABLE session (
    id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL, protocol TEXT NOT NULL,
    dedupe_key TEXT, dedupe_until INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    closed INTEGER NOT NULL CHECK (closed IN (0, 1)), body TEXT NOT NULL
  );
  CREATE INDEX session_open ON session (id) WHERE closed = 0;
  CREATE INDEX session_dedupe ON session (dedupe_until) WHERE dedupe_key IS NOT NULL;

  CREATE TABLE event (
    id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
    wall INTEGER NOT NULL, mono INTEGER NOT NULL, boot INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX event_session ON event (session_id, ordinal);

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL CHECK (lane IN ('alarm', 'svc', 'audit', 'usage')),
    tenant TEXT NOT NULL, dest TEXT NOT NULL, order_key TEXT NOT NULL, type TEXT NOT NULL,
    created_wall INTEGER NOT NULL, created_mono INTEGER NOT NULL, boot INTEGER NOT NULL, epoch INTEGER NOT NULL,
    not_before INTEGER NOT NULL, attempts INTEGER NOT NULL, deadline INTEGER NOT NULL,
    expire_policy TEXT NOT NULL CHECK (expire_policy IN ('record', 'telemetry')),
    state TEXT NOT NULL CHECK (state IN ('new', 'inflight', 'done', 'dead')),
    late INTEGER NOT NULL CHECK (late IN (0, 1)), last_err TEXT, auth_idx INTEGER NOT NULL, settled INTEGER,
    body TEXT NOT NULL
  );
  CREATE INDEX outbox_lane ON outbox (dest, lane, seq);
  CREATE INDEX outbox_pending ON outbox (seq) WHERE state IN ('new', 'inflight') AND dest <> 'cloud';
  CREATE INDEX outbox_uplink ON outbox (lane, seq) WHERE state = 'new' AND dest = 'cloud';
  CREATE INDEX outbox_dead ON outbox (seq) WHERE state = 'dead';

  CREATE TABLE trace (
    trace_id TEXT NOT NULL, session_id TEXT, ordinal INTEGER NOT NULL, at INTEGER NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX trace_id ON trace (trace_id);

  CREATE TABLE heartbeat (
    tenant TEXT NOT NULL, device_id TEXT NOT NULL, status TEXT NOT NULL, last INTEGER NOT NULL,
    expires INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, device_id)
  ) WITHOUT ROWID;

  CREATE TABLE binding (
    tenant TEXT NOT NULL, aor TEXT NOT NULL, contact TEXT NOT NULL, expires INTEGER NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (tenant, aor, contact)
  ) WITHOUT ROWID;
  `,
  `
  ALTER TABLE outbox ADD COLUMN origin TEXT;

  CREATE TABLE peer_row (
    origin TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('session', 'event', 'outbox')), id TEXT NOT NULL,
    lane TEXT, dest TEXT, seq INTEGER NOT NULL, at INTEGER NOT NULL, done INTEGER NOT NULL CHECK (done IN (0, 1)),
    body TEXT NOT NULL, UNIQUE (origin, kind, id)
  );
  CREATE INDEX peer_row_uplink ON peer_row (origin, lane, seq) WHERE kind = 'outbox' AND dest = 'cloud' AND done = 0;
  `,
  // A state that another host copied must not replace a newer one of ours.
  'ALTER TABLE session ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;',
  // Also for receivers: their host is asked about copies that were not reported as done.
  `
  DROP INDEX peer_row_uplink;
  CREATE INDEX peer_row_owed ON peer_row (origin, seq) WHERE kind = 'outbox' AND done = 0;
  `,
];
