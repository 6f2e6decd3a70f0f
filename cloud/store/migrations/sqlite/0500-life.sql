-- The life of hosts: where each stands, what is under way, how it is; and who owns the shards.

ALTER TABLE host ADD COLUMN course TEXT;
ALTER TABLE host ADD COLUMN operation TEXT;

ALTER TABLE host_status ADD COLUMN conditions TEXT NOT NULL DEFAULT '{}';
ALTER TABLE host_status ADD COLUMN refusals TEXT NOT NULL DEFAULT '{}';
ALTER TABLE host_status ADD COLUMN overrides TEXT NOT NULL DEFAULT '[]';

CREATE TABLE site_operation (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  site_id TEXT NOT NULL,
  host_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('commission', 'drain', 'undrain', 'decommission')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'blocked', 'done', 'failed')),
  steps TEXT NOT NULL,
  reason TEXT,
  deadline INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX site_operation_tenant ON site_operation (tenant, id);
CREATE INDEX site_operation_open ON site_operation (state, id);

CREATE TABLE shard_lease (
  sh TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  until INTEGER NOT NULL
);
