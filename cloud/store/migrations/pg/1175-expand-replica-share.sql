-- How many brokers each replica reaches, and rows by which replicas show the same: alarms of the deployment, and pages of manifests.

ALTER TABLE replica ADD COLUMN brokers BIGINT;
ALTER TABLE replica ADD COLUMN brokers_since BIGINT;

CREATE TABLE deployment_alarm (
  alarm_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  replica TEXT COLLATE "C" NOT NULL,
  raised_at BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL
);
CREATE INDEX deployment_alarm_raised ON deployment_alarm (raised_at);

CREATE TABLE feed_page (
  sha256 TEXT COLLATE "C" NOT NULL,
  audience TEXT COLLATE "C" NOT NULL,
  bytes TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  CONSTRAINT feed_page_pk PRIMARY KEY (sha256, audience)
);
CREATE INDEX feed_page_expires ON feed_page (expires_at);
