-- People: passwords, profiles, sessions, invitations; tokens that were revoked one by one.

ALTER TABLE person ADD COLUMN password_hash TEXT;
ALTER TABLE person ADD COLUMN profile TEXT;

CREATE TABLE person_session (
  hash TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX person_session_person ON person_session (person);
CREATE INDEX person_session_expires ON person_session (expires_at);

CREATE TABLE invitation (
  hash TEXT NOT NULL PRIMARY KEY,
  tenant TEXT REFERENCES tenant (id) ON DELETE CASCADE,
  person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'operator', 'technician', 'viewer')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX invitation_person ON invitation (tenant, person);

CREATE TABLE revoked_token (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  jti TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT revoked_token_pk PRIMARY KEY (tenant, jti)
);
