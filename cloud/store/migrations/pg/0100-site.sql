-- Sites, claims, hosts and what they report; alarms of supervision and their delivery. Keys compare as "C".

CREATE TABLE site (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  site_id TEXT COLLATE "C" NOT NULL,
  name TEXT,
  profile TEXT NOT NULL CHECK (profile IN ('high', 'standard', 'economy')),
  reachable BOOLEAN NOT NULL,
  key_public TEXT NOT NULL,
  key_sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT site_pk PRIMARY KEY (tenant, site_id)
);

CREATE TABLE claim (
  hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C",
  uses BIGINT NOT NULL CHECK (uses > 0),
  used BIGINT NOT NULL,
  serials TEXT,
  labels TEXT NOT NULL,
  auto_commission BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  CHECK (used >= 0 AND used <= uses),
  CONSTRAINT claim_site_fk FOREIGN KEY (tenant, site_id) REFERENCES site (tenant, site_id) ON DELETE CASCADE
);
CREATE INDEX claim_site ON claim (tenant, site_id);

CREATE TABLE host (
  uid TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  host_id TEXT COLLATE "C" NOT NULL,
  sh TEXT COLLATE "C" NOT NULL,
  lifecycle TEXT NOT NULL CHECK (lifecycle IN ('claimed', 'commissioning', 'active', 'draining', 'drained', 'quarantined', 'decommissioning', 'decommissioned', 'rejected')),
  lifecycle_since BIGINT NOT NULL,
  labels TEXT NOT NULL,
  serial TEXT,
  public_key TEXT NOT NULL,
  seal_key TEXT NOT NULL,
  cert_serial TEXT,
  cert_next TEXT,
  cert_since BIGINT NOT NULL,
  cert_expires BIGINT,
  generation BIGINT NOT NULL,
  version TEXT NOT NULL,
  site_base_url TEXT,
  network TEXT,
  claim TEXT COLLATE "C" NOT NULL,
  twin_rev BIGINT NOT NULL,
  twin_body TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX host_site ON host (tenant, site_id, host_id);
CREATE INDEX host_claim ON host (claim);

CREATE TABLE host_status (
  uid TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES host (uid) ON DELETE CASCADE,
  connectivity TEXT NOT NULL CHECK (connectivity IN ('never', 'online', 'suspect', 'offline', 'unstable')),
  since BIGINT NOT NULL,
  last_seen BIGINT,
  sid TEXT,
  rev_tenant BIGINT NOT NULL,
  rev_site BIGINT NOT NULL,
  rev_host BIGINT NOT NULL,
  rev_platform BIGINT NOT NULL,
  nacked TEXT NOT NULL,
  facts TEXT NOT NULL
);

CREATE TABLE lane_cursor (
  uid TEXT COLLATE "C" NOT NULL REFERENCES host (uid) ON DELETE CASCADE,
  lane TEXT COLLATE "C" NOT NULL CHECK (lane IN ('alarm', 'svc', 'audit', 'usage')),
  seq BIGINT NOT NULL,
  CONSTRAINT lane_cursor_pk PRIMARY KEY (uid, lane)
);

CREATE TABLE site_event (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  boot BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  late BOOLEAN NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX site_event_lane ON site_event (uid, lane, seq);
CREATE INDEX site_event_tenant ON site_event (tenant, received_at);

CREATE TABLE site_alarm (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  site_id TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C" NOT NULL,
  error TEXT COLLATE "C" NOT NULL,
  service TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('active', 'acknowledged', 'cleared')),
  raised_at BIGINT NOT NULL,
  cleared_at BIGINT,
  acknowledged_at BIGINT,
  told_at BIGINT NOT NULL,
  details TEXT NOT NULL
);
CREATE INDEX site_alarm_subject ON site_alarm (uid, error, service);
CREATE INDEX site_alarm_tenant ON site_alarm (tenant, status);

CREATE TABLE relay (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'done', 'dead')),
  created_at BIGINT NOT NULL,
  not_before BIGINT NOT NULL,
  deadline BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  refusals BIGINT NOT NULL,
  last_error TEXT
);
CREATE INDEX relay_due ON relay (state, not_before);
CREATE INDEX relay_tenant ON relay (tenant, state);
