-- Mappers, cloud SIP user agents, trunks, media and recording services, protocol profiles: one body under an id.

CREATE TABLE alarm_event_mapper (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT alarm_event_mapper_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE cloud_sip_ua (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT cloud_sip_ua_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE trunk (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT trunk_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE media_service (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT media_service_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE recording_service (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT recording_service_pk PRIMARY KEY (tenant, config_set, id)
);

CREATE TABLE protocol_profile (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  config_set TEXT NOT NULL CHECK (config_set IN ('working', 'provisory')),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT protocol_profile_pk PRIMARY KEY (tenant, config_set, id)
);
