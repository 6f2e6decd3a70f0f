-- Where the audit log begins after its oldest entries went, and what was asked about the data of a device or a person.

CREATE TABLE audit_anchor (
  tenant TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE personal_data_job (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('export', 'erasure')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
  subject TEXT,
  subject_hash TEXT COLLATE "C" NOT NULL,
  keep_device BOOLEAN NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  report TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX personal_data_job_tenant ON personal_data_job (tenant, id);
CREATE INDEX personal_data_job_state ON personal_data_job (state, id);

CREATE TABLE personal_data_part (
  job TEXT COLLATE "C" NOT NULL REFERENCES personal_data_job (id) ON DELETE CASCADE,
  uid TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done')),
  reason TEXT,
  report TEXT NOT NULL,
  at BIGINT NOT NULL,
  CONSTRAINT personal_data_part_pk PRIMARY KEY (job, uid)
);

CREATE TABLE personal_data_page (
  job TEXT COLLATE "C" NOT NULL REFERENCES personal_data_job (id) ON DELETE CASCADE,
  uid TEXT COLLATE "C" NOT NULL,
  page BIGINT NOT NULL,
  body TEXT NOT NULL,
  CONSTRAINT personal_data_page_pk PRIMARY KEY (job, uid, page)
);
