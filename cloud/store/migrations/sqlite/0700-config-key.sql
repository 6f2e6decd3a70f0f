-- Keys by which sites open the secrets of their configuration, and who was given them.

CREATE TABLE config_key (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  version INTEGER NOT NULL CHECK (version > 0),
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT config_key_pk PRIMARY KEY (tenant, version)
);
CREATE TABLE config_key_wrap (
  tenant TEXT NOT NULL,
  version INTEGER NOT NULL,
  uid TEXT NOT NULL,
  seal_key TEXT NOT NULL,
  CONSTRAINT config_key_wrap_pk PRIMARY KEY (tenant, version, uid),
  FOREIGN KEY (tenant, version) REFERENCES config_key (tenant, version) ON DELETE CASCADE
);
