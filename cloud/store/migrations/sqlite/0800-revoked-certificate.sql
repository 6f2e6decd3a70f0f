-- Certificates that open nothing any more although they have not ended, and whose hosts have others by now.

CREATE TABLE revoked_certificate (
  serial TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL,
  revoked_at INTEGER NOT NULL,
  until INTEGER NOT NULL
);
CREATE INDEX revoked_certificate_until ON revoked_certificate (until);
