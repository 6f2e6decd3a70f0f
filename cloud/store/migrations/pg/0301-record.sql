-- Bulk loads, usage by the hour, and events by the time they happened.

CREATE TABLE bulk_job (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('STARTED', 'COMPLETED', 'FAILED')),
  dry_run BOOLEAN NOT NULL,
  started_at BIGINT NOT NULL,
  stopped_at BIGINT,
  row_count BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  reason TEXT,
  errors TEXT NOT NULL,
  CONSTRAINT bulk_job_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX bulk_job_status ON bulk_job (status);

CREATE TABLE usage_hour (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  hour BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  protocol TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  CONSTRAINT usage_hour_pk PRIMARY KEY (tenant, hour, kind, protocol, result)
);

CREATE INDEX site_event_time ON site_event (tenant, at, id);
