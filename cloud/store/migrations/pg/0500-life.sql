-- The life of hosts: where each stands, what is under way, how it is; and who owns the shards.

ALTER TABLE host ADD COLUMN course TEXT;
ALTER TABLE host ADD COLUMN operation TEXT COLLATE "C";

ALTER TABLE host_status ADD COLUMN conditions TEXT NOT NULL DEFAULT '{}';
ALTER TABLE host_status ADD COLUMN refusals TEXT NOT NULL DEFAULT '{}';
ALTER TABLE host_status ADD COLUMN overrides TEXT NOT NULL DEFAULT '[]';

CREATE TABLE site_operation (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('commission', 'drain', 'undrain', 'decommission')),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'running', 'blocked', 'done', 'failed')),
  steps TEXT NOT NULL,
  reason TEXT,
  deadline BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX site_operation_tenant ON site_operation (tenant, id);
CREATE INDEX site_operation_open ON site_operation (state, id);

CREATE TABLE shard_lease (
  sh TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL,
  epoch BIGINT NOT NULL,
  until BIGINT NOT NULL
);
