-- Records of sessions, by month of their first arrival. The months are made while the control plane runs; the rest of the time
-- is in the partition for everything else, so that no record is refused.

CREATE TABLE session_record (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  month BIGINT NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  trace_id TEXT COLLATE "C",
  device_id TEXT COLLATE "C",
  from_party TEXT COLLATE "C",
  to_party TEXT COLLATE "C",
  receiver TEXT COLLATE "C",
  protocol TEXT COLLATE "C",
  warnings TEXT COLLATE "C",
  body TEXT NOT NULL,
  CONSTRAINT session_record_pk PRIMARY KEY (tenant, id, month)
) PARTITION BY LIST (month);
CREATE TABLE session_record_other PARTITION OF session_record DEFAULT;
CREATE INDEX session_record_time ON session_record (tenant, at, id);
CREATE INDEX session_record_site ON session_record (tenant, site_id, at, id);
CREATE INDEX session_record_kind ON session_record (tenant, kind, at, id);
CREATE INDEX session_record_device ON session_record (tenant, device_id, at, id);
CREATE INDEX session_record_from ON session_record (tenant, from_party, at, id);
CREATE INDEX session_record_to ON session_record (tenant, to_party, at, id);
CREATE INDEX session_record_trace ON session_record (tenant, trace_id, at, id);
CREATE INDEX session_record_received ON session_record (tenant, kind, received_at);

CREATE TABLE record_cursor (
  uid TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES host (uid) ON DELETE CASCADE,
  seq BIGINT NOT NULL
);

CREATE TABLE record_hour (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  hour BIGINT NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  CONSTRAINT record_hour_pk PRIMARY KEY (tenant, hour, site_id, kind, result)
);
