-- Alarms that no person has accepted, and the people who have taken them.

CREATE TABLE waiting_alarm (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  turn BIGINT NOT NULL,
  taker TEXT COLLATE "C",
  taker_name TEXT COLLATE "C",
  taken_at BIGINT,
  heartbeat_at BIGINT,
  last_taker TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  queued_at BIGINT NOT NULL,
  closed_at BIGINT,
  closed_by TEXT COLLATE "C",
  body TEXT NOT NULL,
  notes TEXT NOT NULL,
  CONSTRAINT waiting_alarm_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX waiting_alarm_state ON waiting_alarm (state, heartbeat_at);

-- Tokens of displays on a wall.

CREATE TABLE queue_wall (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  CONSTRAINT queue_wall_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX queue_wall_hash ON queue_wall (hash);
