-- Tenants, revisions, changes, audit, idempotency; access; provisioning. Text compares as BINARY.

CREATE TABLE tenant (
  id TEXT NOT NULL PRIMARY KEY,
  domain TEXT NOT NULL,
  name TEXT,
  created_at INTEGER NOT NULL,
  not_before INTEGER NOT NULL
);
CREATE UNIQUE INDEX tenant_domain ON tenant (domain);

CREATE TABLE scope_revision (
  scope TEXT NOT NULL CHECK (scope IN ('platform', 'tenant', 'site', 'host')),
  owner TEXT NOT NULL,
  rev INTEGER NOT NULL CHECK (rev >= 0),
  CONSTRAINT scope_revision_pk PRIMARY KEY (scope, owner)
);

CREATE TABLE config_change (
  scope TEXT NOT NULL CHECK (scope IN ('platform', 'tenant', 'site', 'host')),
  owner TEXT NOT NULL,
  rev INTEGER NOT NULL,
  entity TEXT NOT NULL,
  id TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('put', 'delete')),
  body TEXT,
  hash TEXT NOT NULL,
  mass_change INTEGER NOT NULL CHECK (mass_change IN (0, 1)),
  at INTEGER NOT NULL,
  CONSTRAINT config_change_pk PRIMARY KEY (scope, owner, rev, entity, id),
  CHECK (op = 'delete' OR body IS NOT NULL)
);
CREATE INDEX config_change_entity ON config_change (scope, owner, entity, id);

CREATE TABLE audit_head (
  tenant TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
);

CREATE TABLE audit (
  tenant TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kid TEXT,
  address TEXT NOT NULL,
  request_id TEXT NOT NULL,
  action TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  detail TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  CONSTRAINT audit_pk PRIMARY KEY (tenant, seq)
);
CREATE INDEX audit_at ON audit (tenant, at);

CREATE TABLE idempotency (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT,
  at INTEGER NOT NULL,
  CONSTRAINT idempotency_pk PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_at ON idempotency (at);

CREATE TABLE api_key (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  kid TEXT NOT NULL,
  name TEXT,
  alg TEXT NOT NULL CHECK (alg IN ('RS256', 'ES256', 'EdDSA')),
  jwk TEXT NOT NULL,
  scope TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT api_key_pk PRIMARY KEY (tenant, kid)
);
CREATE INDEX api_key_kid ON api_key (kid);

CREATE TABLE person (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  platform_owner INTEGER NOT NULL CHECK (platform_owner IN (0, 1)),
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX person_email ON person (email);

CREATE TABLE api_token (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  name TEXT,
  hash TEXT NOT NULL,
  scope TEXT,
  person TEXT REFERENCES person (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  CONSTRAINT api_token_pk PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX api_token_hash ON api_token (hash);

CREATE TABLE membership (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'operator', 'technician', 'viewer')),
  CONSTRAINT membership_pk PRIMARY KEY (tenant, person)
);
CREATE INDEX membership_person ON membership (person);

CREATE TABLE alarm_bridge (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT alarm_bridge_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE device (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT device_pk PRIMARY KEY (tenant, id)
);

CREATE TABLE device_heartbeat (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('online', 'offline')),
  expiration INTEGER NOT NULL,
  CONSTRAINT device_heartbeat_pk PRIMARY KEY (tenant, id)
);

CREATE TABLE notification_settings (
  tenant TEXT NOT NULL PRIMARY KEY REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL
);
