-- Certificates that open nothing any more although they have not ended, and whose hosts have others by now.

CREATE TABLE revoked_certificate (
  serial TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  uid TEXT COLLATE "C" NOT NULL,
  revoked_at BIGINT NOT NULL,
  until BIGINT NOT NULL
);
CREATE INDEX revoked_certificate_until ON revoked_certificate (until);
