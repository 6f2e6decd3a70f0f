-- Records of sessions. The month of the first arrival has a meaning on PostgreSQL only, where it names the partition.

CREATE TABLE session_record (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  month INTEGER NOT NULL,
  site_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  host_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  result TEXT NOT NULL,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  trace_id TEXT,
  device_id TEXT,
  from_party TEXT,
  to_party TEXT,
  receiver TEXT,
  protocol TEXT,
  warnings TEXT,
  body TEXT NOT NULL,
  CONSTRAINT session_record_pk PRIMARY KEY (tenant, id, month)
);
CREATE INDEX session_record_time ON session_record (tenant, at, id);
CREATE INDEX session_record_site ON session_record (tenant, site_id, at, id);
CREATE INDEX session_record_kind ON session_record (tenant, kind, at, id);
CREATE INDEX session_record_device ON session_record (tenant, device_id, at, id);
CREATE INDEX session_record_from ON session_record (tenant, from_party, at, id);
CREATE INDEX session_record_to ON session_record (tenant, to_party, at, id);
CREATE INDEX session_record_trace ON session_record (tenant, trace_id, at, id);
CREATE INDEX session_record_received ON session_record (tenant, kind, received_at);

CREATE TABLE record_cursor (
  uid TEXT NOT NULL PRIMARY KEY REFERENCES host (uid) ON DELETE CASCADE,
  seq INTEGER NOT NULL
);

CREATE TABLE record_hour (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  site_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  result TEXT NOT NULL,
  amount INTEGER NOT NULL,
  CONSTRAINT record_hour_pk PRIMARY KEY (tenant, hour, site_id, kind, result)
);
