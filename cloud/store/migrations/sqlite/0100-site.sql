-- Sites, claims, hosts and what they report; alarms of supervision and their delivery.

CREATE TABLE site (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  site_id TEXT NOT NULL,
  name TEXT,
  profile TEXT NOT NULL CHECK (profile IN ('high', 'standard', 'economy')),
  reachable INTEGER NOT NULL CHECK (reachable IN (0, 1)),
  key_public TEXT NOT NULL,
  key_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT site_pk PRIMARY KEY (tenant, site_id)
);

CREATE TABLE claim (
  hash TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  site_id TEXT NOT NULL,
  host_id TEXT,
  uses INTEGER NOT NULL CHECK (uses > 0),
  used INTEGER NOT NULL,
  serials TEXT,
  labels TEXT NOT NULL,
  auto_commission INTEGER NOT NULL CHECK (auto_commission IN (0, 1)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CHECK (used >= 0 AND used <= uses),
  CONSTRAINT claim_site_fk FOREIGN KEY (tenant, site_id) REFERENCES site (tenant, site_id) ON DELETE CASCADE
);
CREATE INDEX claim_site ON claim (tenant, site_id);

CREATE TABLE host (
  uid TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  site_id TEXT NOT NULL,
  host_id TEXT NOT NULL,
  sh TEXT NOT NULL,
  lifecycle TEXT NOT NULL CHECK (lifecycle IN ('claimed', 'commissioning', 'active', 'draining', 'drained', 'quarantined', 'decommissioning', 'decommissioned', 'rejected')),
  lifecycle_since INTEGER NOT NULL,
  labels TEXT NOT NULL,
  serial TEXT,
  public_key TEXT NOT NULL,
  seal_key TEXT NOT NULL,
  cert_serial TEXT,
  cert_next TEXT,
  cert_since INTEGER NOT NULL,
  cert_expires INTEGER,
  generation INTEGER NOT NULL,
  version TEXT NOT NULL,
  site_base_url TEXT,
  network TEXT,
  claim TEXT NOT NULL,
  twin_rev INTEGER NOT NULL,
  twin_body TEXT,
  created_at INTEGER NOT NULL
);
CREATE INDEX host_site ON host (tenant, site_id, host_id);
CREATE INDEX host_claim ON host (claim);

CREATE TABLE host_status (
  uid TEXT NOT NULL PRIMARY KEY REFERENCES host (uid) ON DELETE CASCADE,
  connectivity TEXT NOT NULL CHECK (connectivity IN ('never', 'online', 'suspect', 'offline', 'unstable')),
  since INTEGER NOT NULL,
  last_seen INTEGER,
  sid TEXT,
  rev_tenant INTEGER NOT NULL,
  rev_site INTEGER NOT NULL,
  rev_host INTEGER NOT NULL,
  rev_platform INTEGER NOT NULL,
  nacked TEXT NOT NULL,
  facts TEXT NOT NULL
);

CREATE TABLE lane_cursor (
  uid TEXT NOT NULL REFERENCES host (uid) ON DELETE CASCADE,
  lane TEXT NOT NULL CHECK (lane IN ('alarm', 'svc', 'audit', 'usage')),
  seq INTEGER NOT NULL,
  CONSTRAINT lane_cursor_pk PRIMARY KEY (uid, lane)
);

CREATE TABLE site_event (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  site_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  lane TEXT NOT NULL,
  seq INTEGER NOT NULL,
  boot INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  late INTEGER NOT NULL CHECK (late IN (0, 1)),
  body TEXT NOT NULL
);
CREATE INDEX site_event_lane ON site_event (uid, lane, seq);
CREATE INDEX site_event_tenant ON site_event (tenant, received_at);

CREATE TABLE site_alarm (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  site_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  error TEXT NOT NULL,
  service TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'acknowledged', 'cleared')),
  raised_at INTEGER NOT NULL,
  cleared_at INTEGER,
  acknowledged_at INTEGER,
  told_at INTEGER NOT NULL,
  details TEXT NOT NULL
);
CREATE INDEX site_alarm_subject ON site_alarm (uid, error, service);
CREATE INDEX site_alarm_tenant ON site_alarm (tenant, status);

CREATE TABLE relay (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'dead')),
  created_at INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  refusals INTEGER NOT NULL,
  last_error TEXT
);
CREATE INDEX relay_due ON relay (state, not_before);
CREATE INDEX relay_tenant ON relay (tenant, state);
