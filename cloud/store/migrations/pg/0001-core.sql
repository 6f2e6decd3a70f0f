-- Tenants, revisions, changes, audit, idempotency; access; provisioning. Keys and whatever is sorted or searched by prefix compare as "C".

CREATE TABLE tenant (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  domain TEXT COLLATE "C" NOT NULL,
  name TEXT,
  created_at BIGINT NOT NULL,
  not_before BIGINT NOT NULL
);
CREATE UNIQUE INDEX tenant_domain ON tenant (domain);

CREATE TABLE scope_revision (
  scope TEXT COLLATE "C" NOT NULL CHECK (scope IN ('platform', 'tenant', 'site', 'host')),
  owner TEXT COLLATE "C" NOT NULL,
  rev BIGINT NOT NULL CHECK (rev >= 0),
  CONSTRAINT scope_revision_pk PRIMARY KEY (scope, owner)
);

CREATE TABLE config_change (
  scope TEXT COLLATE "C" NOT NULL CHECK (scope IN ('platform', 'tenant', 'site', 'host')),
  owner TEXT COLLATE "C" NOT NULL,
  rev BIGINT NOT NULL,
  entity TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('put', 'delete')),
  body TEXT,
  hash TEXT COLLATE "C" NOT NULL,
  mass_change BOOLEAN NOT NULL,
  at BIGINT NOT NULL,
  CONSTRAINT config_change_pk PRIMARY KEY (scope, owner, rev, entity, id),
  CHECK (op = 'delete' OR body IS NOT NULL)
);
CREATE INDEX config_change_entity ON config_change (scope, owner, entity, id);

CREATE TABLE audit_head (
  tenant TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL
);

CREATE TABLE audit (
  tenant TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  kid TEXT COLLATE "C",
  address TEXT NOT NULL,
  request_id TEXT NOT NULL,
  action TEXT NOT NULL,
  entity TEXT COLLATE "C" NOT NULL,
  entity_id TEXT NOT NULL,
  detail TEXT,
  previous TEXT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  CONSTRAINT audit_pk PRIMARY KEY (tenant, seq)
);
CREATE INDEX audit_at ON audit (tenant, at);

CREATE TABLE idempotency (
  tenant TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT,
  at BIGINT NOT NULL,
  CONSTRAINT idempotency_pk PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_at ON idempotency (at);

CREATE TABLE api_key (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  kid TEXT COLLATE "C" NOT NULL,
  name TEXT,
  alg TEXT NOT NULL CHECK (alg IN ('RS256', 'ES256', 'EdDSA')),
  jwk TEXT NOT NULL,
  scope TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  CONSTRAINT api_key_pk PRIMARY KEY (tenant, kid)
);
CREATE INDEX api_key_kid ON api_key (kid);

CREATE TABLE person (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  email TEXT COLLATE "C" NOT NULL,
  platform_owner BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX person_email ON person (email);

CREATE TABLE api_token (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT,
  hash TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C",
  person TEXT COLLATE "C" REFERENCES person (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  CONSTRAINT api_token_pk PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX api_token_hash ON api_token (hash);

CREATE TABLE membership (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  person TEXT COLLATE "C" NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'operator', 'technician', 'viewer')),
  CONSTRAINT membership_pk PRIMARY KEY (tenant, person)
);
CREATE INDEX membership_person ON membership (person);

CREATE TABLE alarm_bridge (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT COLLATE "C" NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT COLLATE "C" NOT NULL,
  body TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT alarm_bridge_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE device (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  body TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT device_pk PRIMARY KEY (tenant, id)
);

CREATE TABLE device_heartbeat (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('online', 'offline')),
  expiration BIGINT NOT NULL,
  CONSTRAINT device_heartbeat_pk PRIMARY KEY (tenant, id)
);

CREATE TABLE notification_settings (
  tenant TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  updated_at BIGINT NOT NULL
);
