-- Bulk loads, usage by the hour, and events by the time they happened.

CREATE TABLE bulk_job (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('STARTED', 'COMPLETED', 'FAILED')),
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  started_at INTEGER NOT NULL,
  stopped_at INTEGER,
  row_count INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  reason TEXT,
  errors TEXT NOT NULL,
  CONSTRAINT bulk_job_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX bulk_job_status ON bulk_job (status);

CREATE TABLE usage_hour (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  kind TEXT NOT NULL,
  protocol TEXT NOT NULL,
  result TEXT NOT NULL,
  amount INTEGER NOT NULL,
  CONSTRAINT usage_hour_pk PRIMARY KEY (tenant, hour, kind, protocol, result)
);

CREATE INDEX site_event_time ON site_event (tenant, at, id);
