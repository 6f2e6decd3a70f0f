-- Alarms that no person has accepted, and the people who have taken them.

CREATE TABLE waiting_alarm (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  uid TEXT NOT NULL,
  site_id TEXT NOT NULL,
  host_id TEXT NOT NULL,
  state TEXT NOT NULL,
  turn INTEGER NOT NULL,
  taker TEXT,
  taker_name TEXT,
  taken_at INTEGER,
  heartbeat_at INTEGER,
  last_taker TEXT,
  reason TEXT NOT NULL,
  queued_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  body TEXT NOT NULL,
  notes TEXT NOT NULL,
  CONSTRAINT waiting_alarm_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX waiting_alarm_state ON waiting_alarm (state, heartbeat_at);

-- Tokens of displays on a wall.

CREATE TABLE queue_wall (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  CONSTRAINT queue_wall_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX queue_wall_hash ON queue_wall (hash);
