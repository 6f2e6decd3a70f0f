-- Times in which nobody is told of alarms of supervision; what people add to alarms; how each delivery ended.

CREATE TABLE maintenance_window (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  site_id TEXT NOT NULL,
  host_id TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  CHECK (ends_at > starts_at)
);
CREATE INDEX maintenance_window_tenant ON maintenance_window (tenant, id);
CREATE INDEX maintenance_window_open ON maintenance_window (closed_at, ends_at);

ALTER TABLE site_alarm ADD COLUMN late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1));
ALTER TABLE site_alarm ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';

ALTER TABLE relay ADD COLUMN alarm TEXT;
ALTER TABLE relay ADD COLUMN code INTEGER;
ALTER TABLE relay ADD COLUMN took_ms INTEGER;
ALTER TABLE relay ADD COLUMN settled_at INTEGER;
CREATE INDEX relay_alarm ON relay (alarm, id);
