-- Where the audit log begins after its oldest entries went, and what was asked about the data of a device or a person.

CREATE TABLE audit_anchor (
  tenant TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL
);

CREATE TABLE personal_data_job (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('export', 'erasure')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
  subject TEXT,
  subject_hash TEXT NOT NULL,
  keep_device INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  report TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX personal_data_job_tenant ON personal_data_job (tenant, id);
CREATE INDEX personal_data_job_state ON personal_data_job (state, id);

CREATE TABLE personal_data_part (
  job TEXT NOT NULL REFERENCES personal_data_job (id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  site_id TEXT NOT NULL,
  host_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
  reason TEXT,
  report TEXT NOT NULL,
  at INTEGER NOT NULL,
  CONSTRAINT personal_data_part_pk PRIMARY KEY (job, uid)
);

CREATE TABLE personal_data_page (
  job TEXT NOT NULL REFERENCES personal_data_job (id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  page INTEGER NOT NULL,
  body TEXT NOT NULL,
  CONSTRAINT personal_data_page_pk PRIMARY KEY (job, uid, page)
);
