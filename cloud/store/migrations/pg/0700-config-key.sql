-- Keys by which sites open the secrets of their configuration, and who was given them.

CREATE TABLE config_key (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  version BIGINT NOT NULL CHECK (version > 0),
  sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT config_key_pk PRIMARY KEY (tenant, version)
);
CREATE TABLE config_key_wrap (
  tenant TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  seal_key TEXT COLLATE "C" NOT NULL,
  CONSTRAINT config_key_wrap_pk PRIMARY KEY (tenant, version, uid),
  FOREIGN KEY (tenant, version) REFERENCES config_key (tenant, version) ON DELETE CASCADE
);
