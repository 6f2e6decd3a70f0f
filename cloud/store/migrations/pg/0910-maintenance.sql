-- Times in which nobody is told of alarms of supervision; what people add to alarms; how each delivery ended.

CREATE TABLE maintenance_window (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  made_by TEXT COLLATE "C" NOT NULL,
  made_at BIGINT NOT NULL,
  closed_at BIGINT,
  closed_by TEXT COLLATE "C",
  CHECK (ends_at > starts_at)
);
CREATE INDEX maintenance_window_tenant ON maintenance_window (tenant, id);
CREATE INDEX maintenance_window_open ON maintenance_window (closed_at, ends_at);

ALTER TABLE site_alarm ADD COLUMN late BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE site_alarm ADD COLUMN notes TEXT COLLATE "C" NOT NULL DEFAULT '[]';

ALTER TABLE relay ADD COLUMN alarm TEXT COLLATE "C";
ALTER TABLE relay ADD COLUMN code BIGINT;
ALTER TABLE relay ADD COLUMN took_ms BIGINT;
ALTER TABLE relay ADD COLUMN settled_at BIGINT;
CREATE INDEX relay_alarm ON relay (alarm, id);
