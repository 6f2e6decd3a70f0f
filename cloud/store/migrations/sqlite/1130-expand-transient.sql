-- Rows that live for minutes or hours, by which several replicas act as one.

CREATE TABLE login_attempt (
  name TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX login_attempt_expires ON login_attempt (expires_at);

CREATE TABLE wrong_claim (
  id TEXT NOT NULL PRIMARY KEY,
  network TEXT NOT NULL,
  at INTEGER NOT NULL,
  told INTEGER NOT NULL CHECK (told IN (0, 1))
);
CREATE INDEX wrong_claim_network ON wrong_claim (network, at);
CREATE INDEX wrong_claim_at ON wrong_claim (at);

CREATE TABLE listening (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  reader TEXT,
  read_until INTEGER NOT NULL,
  copies INTEGER NOT NULL
);
CREATE INDEX listening_tenant ON listening (tenant, opened_at);

CREATE TABLE listening_ask (
  id TEXT NOT NULL PRIMARY KEY,
  listening TEXT NOT NULL REFERENCES listening (id) ON DELETE CASCADE,
  request TEXT NOT NULL,
  answer TEXT,
  expires_at INTEGER NOT NULL
);
CREATE INDEX listening_ask_listening ON listening_ask (listening);

CREATE TABLE upload (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'arriving', 'there')),
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX upload_expires ON upload (expires_at);

CREATE TABLE upload_piece (
  upload TEXT NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  bytes TEXT NOT NULL,
  CONSTRAINT upload_piece_pk PRIMARY KEY (upload, n)
);
