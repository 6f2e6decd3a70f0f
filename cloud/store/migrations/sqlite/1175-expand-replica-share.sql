-- How many brokers each replica reaches, and rows by which replicas show the same: alarms of the deployment, and pages of manifests.

ALTER TABLE replica ADD COLUMN brokers INTEGER;
ALTER TABLE replica ADD COLUMN brokers_since INTEGER;

CREATE TABLE deployment_alarm (
  alarm_id TEXT NOT NULL PRIMARY KEY,
  replica TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX deployment_alarm_raised ON deployment_alarm (raised_at);

CREATE TABLE feed_page (
  sha256 TEXT NOT NULL,
  audience TEXT NOT NULL,
  bytes TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT feed_page_pk PRIMARY KEY (sha256, audience)
);
CREATE INDEX feed_page_expires ON feed_page (expires_at);
