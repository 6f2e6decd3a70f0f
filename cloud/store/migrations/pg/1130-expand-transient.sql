-- Rows that live for minutes or hours, by which several replicas act as one.

CREATE TABLE login_attempt (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  body TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX login_attempt_expires ON login_attempt (expires_at);

CREATE TABLE wrong_claim (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  network TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  told BOOLEAN NOT NULL
);
CREATE INDEX wrong_claim_network ON wrong_claim (network, at);
CREATE INDEX wrong_claim_at ON wrong_claim (at);

CREATE TABLE listening (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  body TEXT COLLATE "C" NOT NULL,
  opened_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  reader TEXT COLLATE "C",
  read_until BIGINT NOT NULL,
  copies BIGINT NOT NULL
);
CREATE INDEX listening_tenant ON listening (tenant, opened_at);

CREATE TABLE listening_ask (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  listening TEXT COLLATE "C" NOT NULL REFERENCES listening (id) ON DELETE CASCADE,
  request TEXT COLLATE "C" NOT NULL,
  answer TEXT COLLATE "C",
  expires_at BIGINT NOT NULL
);
CREATE INDEX listening_ask_listening ON listening_ask (listening);

CREATE TABLE upload (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  uid TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'arriving', 'there')),
  due_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX upload_expires ON upload (expires_at);

CREATE TABLE upload_piece (
  upload TEXT COLLATE "C" NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
  n BIGINT NOT NULL,
  bytes TEXT COLLATE "C" NOT NULL,
  CONSTRAINT upload_piece_pk PRIMARY KEY (upload, n)
);
